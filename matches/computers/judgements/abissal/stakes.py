"""What the places of a round of Ambiente Abissal are worth in the match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations
from statistics import mean
from typing import Final

from games.abissal.state import GOAL
from games.abissal.tricks import CLOCKWISE
from matches.computers.judgement import ahead

ODDS: Final[Mapping[int, Mapping[tuple[int, ...], float]]] = {
    2: {(0,): 0.535, (1,): 0.465},
    3: {(0, 1): 0.245, (0, 2): 0.157, (1, 0): 0.128, (1, 2): 0.182, (2, 0): 0.197, (2, 1): 0.091},
}
"""By the number of players: how often the seats go out in each order if everybody plays by habit, over 100,000 deals.

Seats are counted clockwise from the leader of the round. The last one isn't in the order.
"""


def stakes(scores: tuple[int, ...], out: Sequence[int]) -> tuple[float, ...]:
    """Return for every seat the share of the others that it beats in the match if the seats go `out` in this order.

    `scores` are those before the round. Later rounds count as luck, and so do the places that are missing in `out`. For
    two players only the round counts.
    """
    if len(scores) == 2:
        return tuple(float(seat == out[0]) for seat in range(2))
    if len(out) == 1:
        return _first(scores, out[0])
    return _after(scores, out[0], out[1])


@cache
def _first(scores: tuple[int, ...], first: int) -> tuple[float, ...]:
    """Return `stakes` for three players of whom one is out."""
    return _mean(_after(scores, first, second) for second in range(3) if second != first)


@cache
def _after(scores: tuple[int, ...], first: int, second: int) -> tuple[float, ...]:
    """Return `stakes` for three players of whom two are out (D11)."""
    totals = tuple(score + 2 * (seat == first) + (seat == second) for seat, score in enumerate(scores))
    if max(totals) < GOAL[3]:
        return _mean(_after(totals, *order) for order in permutations(range(3), 2))
    winner = max(range(3), key=lambda seat: (totals[seat], seat == first, seat == second))
    places = [(seat == winner, total) for seat, total in enumerate(totals)]
    # Everybody ties with themselves, which the last term takes off.
    return tuple((sum((mine > other) + (mine >= other) for other in places) - 1) / 4 for mine in places)


@cache
def leads_ahead(scores: tuple[int, ...], rounds: int, leader: int) -> tuple[float, ...]:
    """Return the lead in points that every seat can expect at the end of the match.

    This many `rounds` are over, and `leader` led the last one. The cards of the rounds to come aren't dealt yet, and
    everybody plays by habit.
    """
    players = len(scores)
    if max(scores) >= GOAL[players]:
        return tuple(map(float, ahead(scores)))
    first = min((leader, *CLOCKWISE[players][leader]), key=scores.__getitem__)
    expected = [0.0] * players
    for order, chance in ODDS[players].items():
        out = [(first + seat) % players for seat in order]
        totals = tuple(score + prize for score, prize in zip(scores, prizes(players, rounds, out), strict=True))
        for seat, lead in enumerate(leads_ahead(totals, rounds + 1, first)):
            expected[seat] += chance * lead
    return tuple(expected)


def prizes(players: int, rounds: int, out: Sequence[int]) -> list[int]:
    """Return every seat's points for a round in which the seats went `out` in this order (D10, D11).

    `rounds` were over before it. Of several seats that are missing in `out`, the lower ones count as earlier.
    """
    points = (rounds + 1, 0) if players == 2 else (2, 1, 0)
    places = [*out, *(seat for seat in range(players) if seat not in out)]
    return [points[places.index(seat)] for seat in range(players)]


def _mean(every: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(mean, zip(*every, strict=True)))
