"""A lock that its owners hold by turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from matches.engine.fair_queue import FairQueue


class FairLock:
    """A lock for which owners wait in a fair queue, so that one owner's many requests don't delay all others."""

    def __init__(self) -> None:
        self._taken = False
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue()

    @asynccontextmanager
    async def hold(self, owner: int | None) -> AsyncIterator[None]:
        """Hold the lock for this owner. If it is taken, wait for the owner's turn."""
        if self._taken:
            await self._wait(owner)
        self._taken = True
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, owner: int | None) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.push(mine, owner)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.cancelled():
                self._queue.remove(mine)
            else:
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give the lock to the next one who waits, or free it."""
        while self._queue:
            following = self._queue.pop()
            if not following.done():
                following.set_result(None)
                return
        self._taken = False
