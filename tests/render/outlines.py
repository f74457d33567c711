"""Reviews to draw: quiet, wild and long matches of two and three."""

from __future__ import annotations

from random import Random

from render.review import Fact, Outline

FACTS = (
    Fact("{0} led first. The lead changed 14 times, at last to {1} at move 115."),
    Fact("Move 9: {0} gained 12.5 points.", 1),
    Fact("Move 10: {1} gained 10.9 points.", 2),
    Fact("Move 118: {1} gained 112.8 points.", 3),
    Fact("From move 115 of 121 on, {1} was always ahead."),
)


def outline(players: int = 2, points: int = 36, most: float = 26.0, seed: int = 1) -> Outline:
    """How a match went at random in so many points, with its turning points near to each other and to the ends."""
    rng = Random(f"{players} {points} {seed}")
    scores, rows = [0.0] * players, []
    for _ in range(points):
        scores = [score + rng.gauss(0, most / 4) for score in scores]
        rows.append([score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)])
    scale = most / max(1.0, max(abs(lead) for row in rows for lead in row))
    leads = tuple(tuple(scale * lead for lead in row) for row in rows)
    turns = tuple(sorted({(at, players - 1) for at in (0, 2, points - 2) if 0 <= at < points - 1}))
    return Outline("Ambiente Abissal #123456", "how the match went", "points", leads, turns, FACTS[: 2 + len(turns)])


def level(players: int) -> Outline:
    """A match in which nobody led."""
    facts = (Fact("Nobody was ever clearly ahead."),)
    return Outline("Gambo #1", "how the match went", "points", ((0.0,) * players,) * 9, (), facts)


def one_sided(seat: int) -> Outline:
    """A match of two in which somebody led by the most that the scale shows, from the first move on."""
    lead = 30.0 if seat == 0 else -30.0
    facts = (Fact(f"{{{seat}}} was ahead throughout."), Fact(f"Move 1: {{{seat}}} gained 30 points.", 1))
    return Outline("Gambo #1", "how the match went", "points", ((lead, -lead),) * 9, ((0, seat),), facts)


OUTLINES = {
    "two": outline(),
    "two, long": outline(points=900, most=130, seed=2),
    "two, short": outline(points=2, most=1.5),
    "first": one_sided(0),
    "second": one_sided(1),
    "level": level(2),
    "three": outline(3, 60, 6.4),
    "three, tied": level(3),
    "three, long": outline(3, 900, 40),
}
