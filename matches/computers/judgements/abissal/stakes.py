"""What the places of a round of Ambiente Abissal are worth in the match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import permutations
from statistics import mean

from games.abissal.state import GOAL


def stakes(scores: tuple[int, ...], out: Sequence[int]) -> tuple[float, ...]:
    """Return the share of the others whom every seat leaves behind if the seats go `out` in this order.

    They had these `scores` before the round. Later rounds are thought to be luck, and so are the places that are
    missing in `out`. Two players have nothing to weigh: one of them wins the round.
    """
    if len(scores) == 2:
        return tuple(float(seat == out[0]) for seat in range(2))
    if len(out) == 1:
        return _first(scores, out[0])
    return _after(scores, out[0], out[1])


@cache
def _first(scores: tuple[int, ...], first: int) -> tuple[float, ...]:
    """Return the same for three players of whom one is out."""
    return _mean(_after(scores, first, second) for second in range(3) if second != first)


@cache
def _after(scores: tuple[int, ...], first: int, second: int) -> tuple[float, ...]:
    """Return the same for three players (D11)."""
    totals = tuple(score + 2 * (seat == first) + (seat == second) for seat, score in enumerate(scores))
    if max(totals) < GOAL[3]:
        return _mean(_after(totals, *order) for order in permutations(range(3), 2))
    winner = max(range(3), key=lambda seat: (totals[seat], seat == first, seat == second))
    places = [(seat == winner, total) for seat, total in enumerate(totals)]
    # Everybody ties with themselves, which the last term takes off.
    return tuple((sum((mine > other) + (mine >= other) for other in places) - 1) / 4 for mine in places)


def _mean(every: Iterable[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(mean, zip(*every, strict=True)))
