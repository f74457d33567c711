"""Every request to Discord: first it waits for the rate limit, then it goes out with timeouts.

discord.py uses aiohttp's timeout of 300 seconds, which includes our own waiting. Here the timeout is for silence only:
while connecting, while sending, and while waiting for the answer. The pause after a 429 lies between two requests.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

import aiohttp
import discord

from cogs import internals
from cogs.process.pace import UNCOUNTED, Pace
from matches.engine.measured import Histogram, Lately

log = logging.getLogger(__name__)

SILENCE: Final = 15.0
"""The timeout in seconds: a request fails after so much silence."""

SILENCE_OF_A_PROXY: Final = 60.0
"""The timeout with a proxy that limits the rate: a request that waits there looks silent."""

LATE: Final = 3.0
"""Seconds of silence after which others don't wait for the task that made the request."""

SEND_BUFFER: Final = 256 * 1024
"""The size in bytes of the system's send buffer. A request that is still in the buffer looks silent, too."""


SCOPES: Final = ("user", "global", "shared")
"""Discord's names for what a limit of requests counts: ours, all of the bot's, or everybody's for a place."""

STORM: Final = (10, 50.0)
"""So many answers of 429 within so many seconds are too many."""

PROBED_EVERY: Final = 30.0
"""While this machine's address is barred, one request is sent every so many seconds. More would prolong that."""

CALLBACK: Final = "callback"

_ANSWERED: Final = re.compile(r"/interactions/(\d+)/")

_KINDS: Final = (
    (re.compile(r"/interactions/"), CALLBACK),
    (re.compile(r"/webhooks/"), "followup"),
    (re.compile(r"/channels/\d+(/messages/\d+)?/threads"), "thread"),
    (re.compile(r"/channels/\d+/messages"), "message"),
    (re.compile(r"/channels/"), "channel"),
    (re.compile(r"/users/@me/channels"), "direct message"),
    (re.compile(r"/applications/"), "commands"),
    (re.compile(r"/gateway"), "gateway"),
)
"""Kinds of requests, by how their paths begin."""

_OF_MESSAGES: Final = {"POST": "message", "PATCH": "edit", "DELETE": "delete"}

_receipt: ContextVar[list[float]] = ContextVar("receipt")
"""When the current task's press arrived, until it is acknowledged; then the list is empty."""


def note_receipt() -> None:
    """Note that the current task answers a press that has just arrived."""
    _receipt.set([time.monotonic()])


class Wire:
    """Knows which tasks wait for Discord, and counts requests. discord.py gets its `trace` and `connector`."""

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
        self.barred_since: float | None = None
        """Since when this machine's address has been barred: an answer of 429 that Discord itself didn't give."""
        self._next_probe = 0.0
        self.on_answer: Callable[[int, bool], None] = lambda press, taken: None
        """Called with the id of an interaction, and whether Discord has taken the answer to it. `bot` sets it."""
        self.requests: Counter[tuple[str, str]] = Counter()
        """How many requests were answered, by kind and HTTP status (``none``: not at all, ``barred``: not sent)."""
        self.limited: Counter[str] = Counter(dict.fromkeys((*SCOPES, "unknown"), 0))
        """How many requests were answered by 429, by the scope of the limit."""
        self.storm = Lately(*STORM)
        self.seconds = Histogram(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15)
        """How many seconds Discord took to answer requests."""
        self.acknowledged = Histogram(0.1, 0.25, 0.5, 0.8, 1, 1.5, 2, 2.5, 3, 5)
        """How long presses waited for the first answer that Discord took."""

    def waits(self, task: asyncio.Task[Any]) -> bool:
        """Whether this task only waits: for a silent request, or for the rate limit while others go first."""
        heard = self._heard.get(task)
        return task in self._standing_back or (heard is not None and self._now() - heard >= LATE)

    @property
    def barred_for(self) -> float | None:
        """For how many seconds this machine's address has been barred; ``None`` if it isn't."""
        return None if self.barred_since is None else self._now() - self.barred_since

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

        async def start(session: aiohttp.ClientSession, context: Any, asked: aiohttp.TraceRequestStartParams) -> None:
            if session.timeout is not self._limits:
                # discord.py creates the session, and has no option for its timeout. So the first request, the login,
                # has aiohttp's own timeout.
                internals.set_timeout(session, self._limits)
            await self._take_turn(str(asked.url))
            context.probes = self._may_ask(asked.method, str(asked.url))
            context.began = self._now()
            context.task = _task()
            self._heard[context.task] = context.began

        async def heard(_: Any, context: Any, __: Any) -> None:
            # aiohttp sends a body in a task of its own, which may end after the answer has come.
            if context.task in self._heard:
                self._heard[context.task] = self._now()

        async def end(_: Any, context: Any, answered: aiohttp.TraceRequestEndParams) -> None:
            self._heard.pop(context.task, None)
            self._count(answered.method, str(answered.url), answered.response, self._now() - context.began)
            if _path(str(answered.url)) != str(answered.url):
                self._note_bar(answered.response, probes=context.probes)

        async def fail(_: Any, context: Any, failed: aiohttp.TraceRequestExceptionParams) -> None:
            self._heard.pop(context.task, None)
            self.requests[kind_of(failed.method, str(failed.url)), "none"] += 1
            self._note_answer(str(failed.url), taken=False)

        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(start)
        trace.on_request_chunk_sent.append(heard)
        trace.on_request_end.append(end)
        trace.on_request_exception.append(fail)
        return trace

    def _count(self, method: str, url: str, answer: aiohttp.ClientResponse, seconds: float) -> None:
        kind, status = kind_of(method, url), answer.status
        self.requests[kind, str(status)] += 1
        self.seconds.observe(seconds)
        if status == 429:
            scope = answer.headers.get("X-RateLimit-Scope", "")
            self.storm.note()
            self.limited[scope if scope in SCOPES else "unknown"] += 1
        receipt = _receipt.get([])
        if kind == CALLBACK and status < 300 and receipt:
            self.acknowledged.observe(time.monotonic() - receipt.pop())
        # What Discord itself refuses, it has heard: the press is too late, or answered already.
        if status < 300 or status == 429 or status >= 500 or answer.content_type == "text/html":
            self._note_answer(url, taken=status < 300)

    def _note_answer(self, url: str, *, taken: bool) -> None:
        if (press := _ANSWERED.match(_path(url))) is not None:
            self.on_answer(int(press[1]), taken)

    def _may_ask(self, method: str, url: str) -> bool:
        """Return whether this request finds out if the address is still barred. Raises ClientError if it isn't sent."""
        if self.barred_since is None or _path(url) == url:
            return False
        if self._now() < self._next_probe:
            self.requests[kind_of(method, url), "barred"] += 1
            self._note_answer(url, taken=False)
            raise aiohttp.ClientConnectionError("this machine's address is barred from Discord, so nothing was sent")
        self._next_probe = self._now() + PROBED_EVERY
        return True

    def _note_bar(self, answer: aiohttp.ClientResponse, *, probes: bool) -> None:
        """Note whether the address is barred. Only answers of Discord's own have `Via`, and only a probe ends a bar."""
        if answer.status == 429 and "Via" not in answer.headers:
            self._next_probe = self._now() + PROBED_EVERY
            if self.barred_since is None:
                self.barred_since = self._now()
                log.warning(
                    "Discord's network has barred this machine's address (429, error 1015): one request every %d s "
                    "finds out when that ends, and nothing else is sent",
                    PROBED_EVERY,
                )
        elif probes:
            log.info("this machine's address isn't barred any more, after %d s", self.barred_for or 0)
            self.barred_since = None

    async def _take_turn(self, url: str) -> None:
        path = _path(url)
        if self.pace is None or path == url or path.startswith(UNCOUNTED):
            return
        task = _task()
        if self.pace.stands_back():
            self._standing_back.add(task)
        try:
            await self.pace.take()
        finally:
            self._standing_back.discard(task)


def kind_of(method: str, url: str) -> str:
    """Return what a request is for, in words that name nobody."""
    path = _path(url)
    kind = next((kind for begin, kind in _KINDS if begin.match(path)), "other" if path != url else "gateway")
    return _OF_MESSAGES.get(method, "read") if kind == "message" else kind


def _path(url: str) -> str:
    """Return the path of a request to Discord's API; of any other request, its whole address."""
    return url.removeprefix(discord.http.Route.BASE)


def _task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task
