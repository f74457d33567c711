"""Where pictures are drawn: never on the event loop, and in a process of their own once many are wanted at once.

Drawing keeps Python's interpreter lock for most of its time: threads draw one after the other, and the event loop,
which needs the lock too, waits for each. A process draws as fast as one loop can ask. But it takes memory, and half a
second to start, which a bot with a few tables may keep.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, TypeVar, TypeVarTuple

from matches.workers import WorkerDied, Workers

log = logging.getLogger(__name__)

FEW: Final = 4
"""So many pictures at once are drawn in threads, as long as there are never more."""

A = TypeVarTuple("A")
R = TypeVar("R")


class Drawer:
    """Draws in threads until more than `few` pictures are wanted at once, and in a process from then on."""

    def __init__(self, few: float = FEW) -> None:
        self.few = few
        self._in_threads = 0
        self._process = Workers(1)
        self._process_draws = False

    async def drawn(self, work: Callable[[*A], R], /, *args: *A) -> R:
        """What the call returns, or raises.

        Threads and process give the same: `work` is pure, and it, its arguments and its result can be pickled.
        """
        if self._in_threads >= self.few:
            self._process_draws = True
        if self._process_draws:
            try:
                return await self._process.run(work, *args)
            except WorkerDied:
                log.warning("the process that draws was killed twice running; pictures are drawn in threads")
                self._process_draws = False
        self._in_threads += 1
        try:
            return await asyncio.to_thread(work, *args)
        finally:
            self._in_threads -= 1

    def close(self) -> None:
        """Let the process go; another starts when it is needed."""
        self._process.close()
        self._process_draws = False


DRAWER: Final = Drawer()
"""The one of this program, as there is one pool of threads."""
