"""Limits the rate of this process's requests: Discord allows a token 50 a second, from all processes together.

discord.py keeps the limits of single routes, but not this global one. Answers to interactions don't count, and aren't
delayed.
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
"""Seconds over which `A_SECOND` requests are spread. It's more than one because some requests travel longer."""

UNCOUNTED: Final = ("/interactions/", "/webhooks/")
"""Paths of answers to interactions."""

WORTH_SAYING: Final = 1.0
"""Seconds of delay from which the log has a warning."""

SAID_EVERY: Final = 60.0
"""Seconds between two warnings."""

PATIENCE: Final = 10.0
"""The warning comes when the queue is empty, or when a request has waited for this many seconds."""

_on_behalf: ContextVar[tuple[int | None, Rank]] = ContextVar("on behalf", default=(None, Rank.TABLE))


def on_behalf(server: int | None, rank: Rank = Rank.TABLE) -> None:
    """Set the server and the rank of the current task's requests."""
    _on_behalf.set((server, rank))


class Pace:
    """A rate limit: `many` requests in any `seconds`. Waiting requests go by rank, then servers take turns."""

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
        self.delayed, self.waited = 0, 0.0
        """How many requests have waited since the start, and for how many seconds in all."""
        self._since = 0.0
        """Since when requests have been waiting without a break."""
        self._waits: list[float] = []
        """How many seconds each request has waited, since the last warning."""
        self._said = float("-inf")

    @classmethod
    def of_share(cls, share: Fraction, **options: Any) -> Pace:
        """Return the limit of a process with this share of all shards."""
        many = int(A_SECOND * share)
        # A share of less than one request a second is one request in more than a second.
        return cls(many, WINDOW, **options) if many else cls(1, WINDOW / float(A_SECOND * share), **options)

    def stands_back(self) -> bool:
        """Whether requests of the current task let those of tables go first."""
        return _on_behalf.get()[1] > Rank.TABLE

    @property
    def is_crowded(self) -> bool:
        """Whether requests wait."""
        return bool(self._queue)

    @property
    def waiting(self) -> int:
        """How many requests wait now."""
        return len(self._queue)

    @property
    def crowded_for(self) -> float:
        """For how many seconds requests have been waiting without a break."""
        return self._now() - self._since if self._queue else 0.0

    async def take(self) -> None:
        """Wait until one more may be sent."""
        came = self._now()
        if self._giving is None and came >= self._next():
            self._sent.append(came)
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not self._queue:
            self._since = came
        self._queue.push((came, turn), *_on_behalf.get())
        if self._giving is None:
            # A separate task, because a waiting one may be cancelled. It ends when nobody waits.
            self._giving = asyncio.create_task(self._give(), name="pace")
        try:
            await turn
        except asyncio.CancelledError:
            self._queue.remove((came, turn))
            raise

    def _next(self) -> float:
        """Return when the next request may be sent."""
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
                    self.delayed += 1
                    self.waited += self._waits[-1]
                    turn.set_result(None)
                self._say()
        finally:
            self._giving = None

    def _say(self) -> None:
        now = self._now()
        if now - self._said < SAID_EVERY or max(self._waits, default=0) < WORTH_SAYING:
            return
        if self._queue and self._waits[-1] < PATIENCE:
            return  # The queue may be empty in a moment.
        log.warning(
            "our own pace (%d requests in %.1f s) has delayed %d requests by %.1f s in the median, %.1f s at most; "
            "%d wait now. If this goes on, see “Read the log” in docs/runbook.md",
            *(self.many, self.seconds, len(self._waits), median(self._waits), max(self._waits), len(self._queue)),
        )
        self._said = now
        self._waits.clear()


def ask_through(api: pydantic.HttpUrl) -> None:
    """Let discord.py send its requests to this address: a proxy that limits the rate of all processes."""
    discord.http.Route.BASE = f"{str(api).rstrip('/')}/api/v{discord.http.INTERNAL_API_VERSION}"
