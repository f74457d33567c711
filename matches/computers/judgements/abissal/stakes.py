"""What the places of a round of Ambiente Abissal are worth in the match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from statistics import mean

from games.abissal.state import GOAL


def stakes(scores: tuple[int, ...], out: Sequence[int]) -> tuple[float, ...]:
    """Return the share of the others whom every seat leaves behind if the seats go `out` in this order.

    They had these `scores` before the round. Later rounds are thought to be luck. The last seat may be missing in
    `out`. Two players have nothing to weigh: one of them wins the round.
    """
    if len(scores) == 2:
        return tuple(float(seat == out[0]) for seat in range(2))
    return _after(scores, out[0], out[1])


@cache
def _after(scores: tuple[int, ...], first: int, second: int) -> tuple[float, ...]:
    """Return the same for three players (D11)."""
    totals = tuple(score + 2 * (seat == first) + (seat == second) for seat, score in enumerate(scores))
    if max(totals) < GOAL[3]:
        orders = permutations(range(3), 2)
        return tuple(map(mean, zip(*(_after(totals, *order) for order in orders), strict=True)))
    winner = max(range(3), key=lambda seat: (totals[seat], seat == first, seat == second))
    places = [(seat == winner, total) for seat, total in enumerate(totals)]
    # Everybody ties with themselves, which the last term takes off.
    return tuple((sum((mine > other) + (mine >= other) for other in places) - 1) / 4 for mine in places)
