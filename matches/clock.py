"""The only source of time in `matches`: injected, so that a test can let days pass in an instant."""

from __future__ import annotations

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
