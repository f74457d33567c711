"""How fast this process asks Discord, which lets a token ask 50 times a second, whatever process it is.

discord.py keeps to the limits of each route by what Discord answers, but knows of no limit of them all. What people
press is answered past it: Discord does not count that.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from fractions import Fraction
from typing import Any, Final

import aiohttp
import discord
import pydantic

A_SECOND: Final = 50

WINDOW: Final = 1.1
"""Seconds in which no more are sent than Discord takes in one: some are longer on their way than those behind them."""

UNCOUNTED: Final = ("/interactions/", "/webhooks/")


class Pace:
    """So many in any `seconds`, at once where there is room, else one after another as they came."""

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

    @classmethod
    def of_share(cls, share: Fraction, **options: Any) -> Pace:
        """What a process may send that carries this part of all shards."""
        many = int(A_SECOND * share)
        # Of less than one a second there is one in more than a second.
        return cls(many, WINDOW, **options) if many else cls(1, WINDOW / float(A_SECOND * share), **options)

    async def take(self) -> None:
        """Wait until one more may be sent."""
        now = self._now()
        at = max(now, self._sent[0] + self.seconds)
        self._sent.append(at)
        if at > now:
            await self._sleep(at - now)


def ask_through(api: pydantic.HttpUrl) -> None:
    """Let discord.py ask this address instead of Discord's: a proxy that keeps the pace of all processes."""
    discord.http.Route.BASE = f"{str(api).rstrip('/')}/api/v{discord.http.INTERNAL_API_VERSION}"


def paced(pace: Pace) -> aiohttp.TraceConfig:
    """Lets every request to Discord that counts wait for the pace: discord.py's `http_trace`.

    That is asked right before each try, and after the limit of its route, so nothing waits here that could not be sent.
    """

    async def start(_session: aiohttp.ClientSession, _context: Any, asked: aiohttp.TraceRequestStartParams) -> None:
        path = str(asked.url).removeprefix(discord.http.Route.BASE)
        if path != str(asked.url) and not path.startswith(UNCOUNTED):
            await pace.take()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(start)
    return trace
