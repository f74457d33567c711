"""Reviews to draw: quiet, wild and long matches of two and three."""

from dataclasses import replace
from random import Random

from render.review import Outline
from render.saboteur.suspected import Round, Said, Suspected

FACTS = (
    "**1.** Turn 9: {0} passes. Better: play blue 1. It leaves 1 card in hand, not 2.",
    "**2.** Turn 118: {1} plays gray 3. The cards that came turned it for {1}.",
    "{1} was ahead from turn 115 on.",
)


def outline(players: int = 2, points: int = 36, most: float = 26.0, seed: int = 1) -> Outline:
    """A random course of a match in this many points, with turning points near each other and near the ends."""
    rng = Random(f"{players} {points} {seed}")
    scores, rows = [0.0] * players, []
    for _ in range(points):
        scores = [score + rng.gauss(0, most / 4) for score in scores]
        rows.append([score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)])
    scale = most / max(1.0, max(abs(lead) for row in rows for lead in row))
    leads = tuple(tuple(scale * lead for lead in row) for row in rows)
    turns = tuple(sorted({(at, players - 1) for at in (0, 2, points - 2) if 0 <= at < points - 1}))
    return Outline("Ambiente Abissal #123456", "how the match went", "points", leads, turns, FACTS)


def level(players: int) -> Outline:
    """A match in which nobody led."""
    return Outline("Gambo #1", "how the match went", "points", ((0.0,) * players,) * 9)


def one_sided(seat: int) -> Outline:
    """A match of two in which somebody led by the most that the scale shows, from the first move on."""
    lead = 30.0 if seat == 0 else -30.0
    return Outline("Gambo #1", "how the match went", "points", ((lead, -lead),) * 9, ((0, seat),))


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


def rounds(players: int, count: int = 3, turns: int = 60, words: int = 1) -> Suspected:
    """Rounds at random, in which every seat says `words` times whom they suspect."""
    rng, told = Random(f"{players} {count} {turns}"), list[Round]()
    for number in range(1, count + 1):
        odds, rows = [0.5], [[0.3] * players]
        roles = "".join("S" if seat % 3 == number % 3 else "D" for seat in range(players))
        for turn in range(turns):
            odds.append(min(1.0, max(0.0, odds[-1] + rng.gauss(0, 0.07))))
            # An action mostly changes what the table believes about the player who took it.
            seat, row = turn % players, list(rows[-1])
            row[seat] += rng.random() * 0.5 * ((roles[seat] == "S") - row[seat])
            rows.append(row)
        said = [
            Said(rng.randrange(turns + 1), seat, rng.choice([other for other in range(players) if other != seat]))
            for seat in range(players)
            for _ in range(words)
        ]
        story = Round(number, tuple(odds), tuple(map(tuple, rows)), roles, "SD"[number % 2], tuple(sorted(said)))
        told.append(replace(story, turn=min(40, turns - 1), fact=number) if turns and number < 3 else story)
    return Suspected("Saboteur #123456", "how the rounds went", tuple(told))


def undecided(players: int) -> Suspected:
    """A round that people ended: nobody's role is shown."""
    shown = rounds(players, 1, 9)
    return replace(shown, rounds=(replace(shown.rounds[0], roles="", winners="", turn=None),))


ROUNDS = {
    **{f"{players} players": rounds(players) for players in range(3, 11)},
    "one round": rounds(5, 1),
    "two rounds": rounds(6, 2),
    "no turn": rounds(3, 1, 0),
    "one turn": rounds(10, 3, 1),
    "everybody suspects somebody": rounds(10, words=3),
    "undecided": undecided(4),
    "nothing": Suspected("Saboteur #1", "how the rounds went", ()),
}
