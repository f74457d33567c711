"""How fast this process asks Discord, which lets a token ask 50 times a second, whatever process it is.

discord.py keeps to the limits of each route by what Discord answers, but knows of no limit of them all. What people
press is answered past it: Discord does not count that.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from fractions import Fraction
from statistics import median
from typing import Any, Final

import discord
import pydantic

from matches.engine.fair_queue import FairQueue, Rank

log = logging.getLogger(__name__)

A_SECOND: Final = 50

WINDOW: Final = 1.1
"""Seconds in which no more are sent than Discord takes in one: some are longer on their way than those behind them."""

UNCOUNTED: Final = ("/interactions/", "/webhooks/")


WORTH_SAYING: Final = 1.0
SAID_EVERY: Final = 60.0
"""From a delay of so many seconds on the log says that the pace delays requests, at most once in so many seconds."""

PATIENCE: Final = 10.0
"""It says so when nobody waits any more, or somebody has waited for so many seconds."""

_on_behalf: ContextVar[tuple[int | None, Rank]] = ContextVar("on behalf", default=(None, Rank.TABLE))


def on_behalf(server: int | None, rank: Rank = Rank.TABLE) -> None:
    """Say for whom the requests of the present task are, from now on."""
    _on_behalf.set((server, rank))


class Pace:
    """So many in any `seconds`: at once where there is room, else by rank, servers by turns, each server's in order."""

    def __init__(
        self,
        many: int,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.many, self.seconds = many, seconds
        self._now, self._sleep = now, sleep
        self._sent = deque([float("-inf")] * many, maxlen=many)
        self._queue: FairQueue[tuple[float, asyncio.Future[None]]] = FairQueue()
        self._giving: asyncio.Task[None] | None = None
        self._waits: list[float] = []
        """How long requests have waited since that was said last."""
        self._said = float("-inf")

    @classmethod
    def of_share(cls, share: Fraction, **options: Any) -> Pace:
        """What a process may send that carries this part of all shards."""
        many = int(A_SECOND * share)
        # Of less than one a second there is one in more than a second.
        return cls(many, WINDOW, **options) if many else cls(1, WINDOW / float(A_SECOND * share), **options)

    def stands_back(self) -> bool:
        """Whether a request of the present task would let others go first."""
        return _on_behalf.get()[1] > Rank.TABLE

    async def take(self) -> None:
        """Wait until one more may be sent."""
        came = self._now()
        if self._giving is None and came >= self._next():
            self._sent.append(came)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.push((came, turn), *_on_behalf.get())
        if self._giving is None:
            # A task of its own, which ends when nobody waits: whoever waits may be cancelled.
            self._giving = asyncio.create_task(self._give(), name="pace")
        try:
            await turn
        except asyncio.CancelledError:
            self._queue.remove((came, turn))
            raise

    def _next(self) -> float:
        """When one more may be sent."""
        return self._sent[0] + self.seconds

    async def _give(self) -> None:
        try:
            while self._queue:
                wait = self._next() - self._now()
                if wait > 0:
                    await self._sleep(wait)
                    continue
                came, turn = self._queue.pop()
                if not turn.done():
                    self._sent.append(self._now())
                    self._waits.append(self._now() - came)
                    turn.set_result(None)
                self._say()
        finally:
            self._giving = None

    def _say(self) -> None:
        now = self._now()
        if now - self._said < SAID_EVERY or max(self._waits, default=0) < WORTH_SAYING:
            return
        if self._queue and self._waits[-1] < PATIENCE:
            return  # it may be over in a moment
        log.warning(
            "our own pace (%d requests in %.1f s) has delayed %d requests by %.1f s in the median, %.1f s at most; "
            "%d wait now. If this goes on, see “Read the log” in docs/operating.md",
            *(self.many, self.seconds, len(self._waits), median(self._waits), max(self._waits), len(self._queue)),
        )
        self._said = now
        self._waits.clear()


def ask_through(api: pydantic.HttpUrl) -> None:
    """Let discord.py ask this address instead of Discord's: a proxy that keeps the pace of all processes."""
    discord.http.Route.BASE = f"{str(api).rstrip('/')}/api/v{discord.http.INTERNAL_API_VERSION}"
