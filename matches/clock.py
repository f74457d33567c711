"""The only source of time in `matches`: injected, so that a test can let days pass in an instant."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return datetime.now(UTC)


class SteadyClock:
    """A clock that goes on from a moment whatever is done to the machine's, until it is turned back (or on).

    `passed` counts seconds, and jumps with no other clock. It stands still while the machine sleeps.
    """

    def __init__(self, start: datetime, passed: Callable[[], float] = time.monotonic) -> None:
        self._passed = passed
        self._start = start - timedelta(seconds=passed())

    def now(self) -> datetime:
        """The moment from which it goes, and what has passed since."""
        return self._start + timedelta(seconds=self._passed())

    def turn_back(self, by: timedelta) -> None:
        """It was ahead by so much (negative: behind)."""
        self._start -= by


class ManualClock:
    """A clock that stands still until it is moved, for tests and demonstrations."""

    def __init__(self, start: datetime = datetime(2025, 1, 1, 12, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """The moment it was set to."""
        return self._now

    def advance(self, by: timedelta) -> None:
        """Move the hands, forwards or (a machine's clock may jump) backwards."""
        self._now += by
