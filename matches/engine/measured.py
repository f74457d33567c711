"""A histogram of durations, and a detector of things that happen often. `cogs/process/metrics.py` publishes it."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import deque
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


class Lately:
    """Whether something happened at least `often` times within so many `seconds`."""

    def __init__(self, often: int, seconds: float) -> None:
        self._seconds = seconds
        self._at: deque[float] = deque(maxlen=often)

    def note(self) -> None:
        """Note that it has happened now."""
        self._at.append(time.monotonic())

    def __bool__(self) -> bool:
        return len(self._at) == self._at.maxlen and time.monotonic() - self._at[0] <= self._seconds
