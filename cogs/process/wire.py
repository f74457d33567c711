"""Every request to Discord: first it waits for the rate limit, then it goes out with timeouts.

discord.py uses aiohttp's timeout of 300 seconds, which includes our own waiting. Here the timeout is for silence only:
while connecting, while sending, and while waiting for the answer. The pause after a 429 lies between two requests.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from typing import Any, Final

import aiohttp
import discord

from cogs.process.pace import UNCOUNTED, Pace

SILENCE: Final = 15.0
"""The timeout in seconds: a request fails after so much silence."""

SILENCE_OF_A_PROXY: Final = 60.0
"""The timeout with a proxy that limits the rate: a request that waits there looks silent."""

LATE: Final = 3.0
"""Seconds of silence after which others don't wait for the task that made the request."""

SEND_BUFFER: Final = 256 * 1024
"""The size in bytes of the system's send buffer. A request that is still in the buffer looks silent, too."""


class Wire:
    """Knows which tasks wait for Discord. Its `trace` and `connector` are options of discord.py."""

    def __init__(
        self, pace: Pace | None = None, silence: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.pace = pace
        self.silence = SILENCE if silence is None else silence
        self._now = now
        self._limits = aiohttp.ClientTimeout(total=None, connect=self.silence, sock_read=self.silence)
        self._heard: dict[asyncio.Task[Any], float] = {}
        """By task, when its request last made progress."""
        self._standing_back: set[asyncio.Task[Any]] = set()

    def waits(self, task: asyncio.Task[Any]) -> bool:
        """Whether this task only waits: for a silent request, or for the rate limit while others go first."""
        heard = self._heard.get(task)
        return task in self._standing_back or (heard is not None and self._now() - heard >= LATE)

    def is_crowded(self) -> bool:
        """Whether requests wait for the rate limit."""
        return self.pace is not None and self.pace.is_crowded

    def connector(self) -> aiohttp.TCPConnector:
        """Return discord.py's `connector`; needs the running loop. Its connections end when a request can't go out."""
        return aiohttp.TCPConnector(limit=0, socket_factory=self._socket)

    def _socket(self, address: Any) -> socket.socket:
        family, kind, protocol, *_ = address
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        # aiohttp has a timeout for reading, but none for writing. Linux has one.
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(self.silence * 1000))
        return made

    def trace(self) -> aiohttp.TraceConfig:
        """Return discord.py's `http_trace`. Before each try it waits for the rate limit, then it notes progress.

        discord.py calls it after waiting for the route's own limit, so only requests that could be sent wait here.
        """

        async def start(session: aiohttp.ClientSession, _context: Any, asked: aiohttp.TraceRequestStartParams) -> None:
            if session.timeout is not self._limits:
                # discord.py creates the session, and has no option for its timeout. So the first request, the login,
                # has aiohttp's own timeout.
                session._timeout = self._limits
            await self._take_turn(str(asked.url))
            self._note()

        async def heard(*_: Any) -> None:
            self._note()

        async def end(*_: Any) -> None:
            self._heard.pop(_task(), None)

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(start)
        trace.on_request_chunk_sent.append(heard)
        trace.on_request_end.append(end)
        trace.on_request_exception.append(end)
        return trace

    async def _take_turn(self, url: str) -> None:
        path = url.removeprefix(discord.http.Route.BASE)
        if self.pace is None or path == url or path.startswith(UNCOUNTED):
            return
        task = _task()
        if self.pace.stands_back():
            self._standing_back.add(task)
        try:
            await self.pace.take()
        finally:
            self._standing_back.discard(task)

    def _note(self) -> None:
        self._heard[_task()] = self._now()


def _task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task
