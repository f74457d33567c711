"""The only source of time in `matches`. It is injected, so that a test can let days pass in an instant.

What can't be undone waits for a clock that can be trusted (`Trust`, `UnitOfWork.is_trusted`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

log = logging.getLogger(__name__)

AGREES_FOR: Final = timedelta(hours=1)

TOLERATED: Final = timedelta(minutes=1)
"""Tolerated deviation, in addition to a thousandth of the time passed: NTP adjusts clocks slowly."""


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""

    def passed(self) -> float:
        """Monotonic seconds, against which `now` is checked."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The present moment in UTC."""
        return datetime.now(UTC)

    def passed(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()


class SteadyClock:
    """A clock that starts at a given moment and ignores changes of the machine's clock.

    It counts by `passed`, monotonic seconds, which stop while the machine sleeps.
    """

    def __init__(self, start: datetime, passed: Callable[[], float] = time.monotonic) -> None:
        self._passed = passed
        self._start = start - timedelta(seconds=passed())

    def now(self) -> datetime:
        """The start, plus the time passed since."""
        return self._start + timedelta(seconds=self._passed())

    def passed(self) -> float:
        """Monotonic seconds. `turn_back` doesn't change them."""
        return self._passed()

    def turn_back(self, by: timedelta) -> None:
        """Correct the clock: it was ahead by this much (negative: behind)."""
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
        """Seconds by which it was advanced, so far."""
        return self._passed

    def advance(self, by: timedelta) -> None:
        """Let time pass. A negative time sets the clock back, as `jump` does."""
        self.jump(by)
        self._passed += max(by.total_seconds(), 0.0)

    def jump(self, by: timedelta) -> None:
        """Set the clock forwards or backwards, while no time passes."""
        self._now += by


class Trust:
    """Whether a clock can be trusted with what can't be undone: it hasn't jumped for `AGREES_FOR`.

    It has jumped if `now` and the monotonic `passed` advance differently. A jump starts the hour anew. So does the
    start of a process, because nobody knows whether the clock was changed before it.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since, self._began = clock.now(), clock.passed()
        self.jumps = 0
        """How often the clock has jumped."""
        self.jumped: timedelta | None = None
        """How far it has jumped (negative: back), until it can be trusted again."""

    def holds(self) -> bool:
        """Whether the clock can be trusted now. Call it before each action that can't be undone, and now and then."""
        now, passed = self._clock.now(), self._clock.passed()
        elapsed = timedelta(seconds=passed - self._began)
        off = now - self._since - elapsed
        if abs(off) > TOLERATED + elapsed / 1000:
            self._since, self._began = now, passed
            self.jumps, self.jumped = self.jumps + 1, off
            log.warning("the clock has jumped %s", in_words(off))
            return False
        if elapsed >= AGREES_FOR:
            self.jumped = None
        return elapsed >= AGREES_FOR


def in_words(jump: timedelta) -> str:
    """Say which way and how far a clock has jumped, such as ``ahead by 2:00:00``."""
    return f"{'ahead' if jump > timedelta() else 'back'} by {timedelta(seconds=round(abs(jump).total_seconds()))}"
