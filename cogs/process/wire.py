"""The way of every request to Discord: first the pace, then the wire, on which silence has a limit.

discord.py waits as long as aiohttp does, which is 300 seconds, our own pacing included. Here the limit is on silence
alone: while a connection is made, while the request goes out, and while the answer is awaited. The pause of a 429 lies
between two requests.
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
"""Seconds of silence after which a request has failed."""

SILENCE_OF_A_PROXY: Final = 60.0
"""The same where a proxy keeps the pace: what a request waits there looks like silence."""

LATE: Final = 3.0
"""Seconds of silence after which nobody else waits for whoever made the request."""

SEND_BUFFER: Final = 256 * 1024
"""Bytes that the system may hold of a request that has been written: what lies there looks like silence, too."""


class Wire:
    """Knows who is waiting for Discord; gives discord.py the `trace` and the `connector` that it goes by."""

    def __init__(
        self, pace: Pace | None = None, silence: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.pace = pace
        self.silence = SILENCE if silence is None else silence
        self._now = now
        self._limits = aiohttp.ClientTimeout(total=None, connect=self.silence, sock_read=self.silence)
        self._heard: dict[asyncio.Task[Any], float] = {}
        """By task when something last happened to its request."""
        self._standing_back: set[asyncio.Task[Any]] = set()

    def waits(self, task: asyncio.Task[Any]) -> bool:
        """Whether this task does nothing but wait: for a silent request, or in the pace while others go first."""
        heard = self._heard.get(task)
        return task in self._standing_back or (heard is not None and self._now() - heard >= LATE)

    def connector(self) -> aiohttp.TCPConnector:
        """For discord.py's `connector`, inside the running loop: connections that end when a request cannot go out."""
        return aiohttp.TCPConnector(limit=0, socket_factory=self._socket)

    def _socket(self, address: Any) -> socket.socket:
        family, kind, protocol, *_ = address
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        # aiohttp limits how long an answer may take, but not how long nobody takes what it writes. Linux can.
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(self.silence * 1000))
        return made

    def trace(self) -> aiohttp.TraceConfig:
        """For discord.py's `http_trace`: before each try the pace, where one is kept, then a look at the wire.

        It is asked after the limit of the route, so nothing waits in the pace that could not be sent.
        """

        async def start(session: aiohttp.ClientSession, _context: Any, asked: aiohttp.TraceRequestStartParams) -> None:
            if session.timeout is not self._limits:
                # discord.py makes the session and takes no timeout for it. The first request, which is the login, has
                # aiohttp's own limit.
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
