"""Measures how late the event loop runs what is due: whatever takes long on it keeps everybody waiting."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from matches.engine.measured import Histogram

log = logging.getLogger(__name__)

STUCK: Final = 1.0
"""Seconds of delay from which the log has a warning."""

EVERY: Final = 0.25
"""Seconds between two measurements."""


class Lag:
    """Measures from `start` to `stop`. It is a timer, not a task, so it keeps nothing else alive."""

    def __init__(self) -> None:
        self.seconds = Histogram(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def start(self) -> None:
        """Measure from now on."""
        loop = asyncio.get_running_loop()
        self._due = loop.time() + EVERY
        self._timer = loop.call_at(self._due, self._measure)

    def stop(self) -> None:
        """Measure no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _measure(self) -> None:
        late = asyncio.get_running_loop().time() - self._due
        self.seconds.observe(late)
        if late >= STUCK:
            log.warning("the event loop was stuck for %.1f s: nobody was answered meanwhile", late)
        self.start()
