"""A win in numbers, from which somebody's best moment is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Feat(NamedTuple):
    """A win: the winner's points, and the most that anybody else had.

    `low` and `high` are the same two numbers when the winner was furthest behind; both are 0 if they never were, or if
    the game doesn't say.
    """

    own: int
    other: int
    low: int = 0
    high: int = 0

    @property
    def worth(self) -> float:
        """How big the win is: the lead and what was made up for, as a share of the winner's points.

        So wins in different games can be compared.
        """
        return (self.own - self.other + self.high - self.low) / max(self.own, 1)


def feat(seat: int, final: Sequence[int], scored: Sequence[Sequence[int]]) -> Feat:
    """Return the win of a seat, from everybody's `final` points, and those after each round or duel."""
    pairs = [(points[seat], _most(seat, points)) for points in scored]
    low, high = min(pairs, key=lambda pair: pair[0] - pair[1], default=(0, 0))
    behind = (low, high) if low < high else (0, 0)
    return Feat(final[seat], _most(seat, final), *behind)


def _most(seat: int, points: Sequence[int]) -> int:
    return max((each for other, each in enumerate(points) if other != seat), default=0)
