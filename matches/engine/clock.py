"""The only source of time in `matches`: injected, so that a test can let days pass in an instant.

What can't be undone because of time waits for a clock that can be trusted (`Trust`, `UnitOfWork.is_trusted`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

AGREES_FOR: Final = timedelta(hours=1)

TOLERATED: Final = timedelta(minutes=1)
"""By so much, and a thousandth of the time that passes, clocks differ that are set slowly."""


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""

    def passed(self) -> float:
        """Seconds since some moment, which nobody can set: what `now` is held against."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return datetime.now(UTC)

    def passed(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()


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

    def passed(self) -> float:
        """Monotonic seconds, which `turn_back` doesn't change."""
        return self._passed()

    def turn_back(self, by: timedelta) -> None:
        """It was ahead by so much (negative: behind)."""
        self._start -= by


class ManualClock:
    """A clock that stands still until it is moved, for tests and demonstrations."""

    def __init__(self, start: datetime = datetime(2025, 1, 1, 12, tzinfo=UTC)) -> None:
        self._now = start
        self._passed = 0.0

    def now(self) -> datetime:
        """The moment it was set to."""
        return self._now

    def passed(self) -> float:
        """Seconds by which it was advanced."""
        return self._passed

    def advance(self, by: timedelta) -> None:
        """Let time pass; by less than nothing it's set back, as `jump` does."""
        self.jump(by)
        self._passed += max(by.total_seconds(), 0.0)

    def jump(self, by: timedelta) -> None:
        """Set the hands, forwards or backwards, while no time passes."""
        self._now += by


class Trust:
    """Whether a clock can be trusted with what can't be undone: it has agreed with itself for `AGREES_FOR`.

    It agrees as long as it shows the time that has passed. After every jump the hour begins anew, and so it does at the
    start of a process: nobody knows what happened to the clock before.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since, self._began = clock.now(), clock.passed()

    def holds(self) -> bool:
        """Whether the clock can be trusted now. Ask before each deed: whoever is asked compares."""
        now, passed = self._clock.now(), self._clock.passed()
        elapsed = timedelta(seconds=passed - self._began)
        if abs(now - self._since - elapsed) > TOLERATED + elapsed / 1000:
            self._since, self._began = now, passed
            return False
        return elapsed >= AGREES_FOR
