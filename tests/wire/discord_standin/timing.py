"""The stand-in's time, which a test can advance, and the ids that Discord makes from it."""

import time
from datetime import UTC, datetime
from typing import Final

EPOCH: Final = 1_420_070_400.0
"""The first second of 2015, from which snowflakes count."""


class Timepiece:
    """Seconds since 1970; `advance` lets time pass at once (for deadlines of minutes and hours)."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """The current second."""
        return time.time() + self._ahead

    def advance(self, seconds: float) -> None:
        """Let this much time pass."""
        self._ahead += seconds

    def iso(self) -> str:
        """The current moment as Discord writes it."""
        return datetime.fromtimestamp(self.now(), UTC).isoformat()


class Snowflakes:
    """Ids that increase with time and never repeat."""

    def __init__(self, timepiece: Timepiece) -> None:
        self._timepiece = timepiece
        self._last = 0

    def new(self) -> int:
        """The next id."""
        self._last = max(self._last + 1, int((self._timepiece.now() - EPOCH) * 1000) << 22)
        return self._last
