"""Histograms: how often something took how long. Whoever does the work observes; `cogs/process/metrics.py` reads."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate


class Histogram:
    """Counts values in buckets. Each bound (ascending, in seconds) is the largest value of its bucket."""

    def __init__(self, *bounds: float) -> None:
        self.bounds = bounds
        self.sum = 0.0
        self._counts = [0] * (len(bounds) + 1)

    def observe(self, value: float) -> None:
        """Count one value."""
        self._counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def cumulative(self) -> tuple[int, ...]:
        """How many values were at most each bound. The last number counts all."""
        return tuple(accumulate(self._counts))
