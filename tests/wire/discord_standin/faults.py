"""Faults that a test switches on: late answers, errors before or after the work was done, and moments to act at."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Moment(StrEnum):
    """The moment in a request's life at which a fault strikes.

    `BEFORE`: nothing has been done. `AFTER`: it has been done and is visible, but the answer has not been sent.
    """

    BEFORE = "before"
    AFTER = "after"


class Request(NamedTuple):
    """A request of the bot: `path` is the pattern (``/channels/{channel_id}/messages``). `counted`: it counts against
    the bot's 50 a second.
    """

    number: int
    method: str
    path: str
    values: dict[str, str]
    body: Any
    counted: bool

    def is_send(self) -> bool:
        """Whether it shows something to somebody."""
        showing = ("/messages", "/webhooks/", "/callback")
        return self.method in ("POST", "PATCH") and any(part in self.path for part in showing)

    def is_callback(self) -> bool:
        """Whether it is the first answer to an interaction."""
        return self.path.endswith("/callback")


class Failed(Exception):
    """The answer to give instead of the true one; without a `status` the connection is cut."""

    def __init__(self, status: int | None, body: Any = None) -> None:
        super().__init__(f"made to fail with {status}")
        self.status, self.body = status, body


Watcher = Callable[[Request, Moment], Awaitable[None]]
Filter = Callable[[Request], bool]


def every(_: Request) -> bool:
    """The filter that lets all requests through."""
    return True


@dataclass
class Faults:
    """The faults that are on. A watcher may wait, raise Failed, or do anything else (kill the bot, close a DM)."""

    watchers: list[Watcher] = field(default_factory=list)

    async def strike(self, request: Request, moment: Moment) -> None:
        """Let all watchers act. Raises Failed."""
        for watcher in list(self.watchers):
            await watcher(request, moment)

    def clear(self) -> None:
        """Remove all faults."""
        self.watchers.clear()

    def answer(
        self,
        status: int,
        code: int = 0,
        *,
        times: int | None = None,
        which: Filter = every,
        moment: Moment = Moment.BEFORE,
    ) -> None:
        """Answer with an error, `times` or (``None``) until `clear`; AFTER: although the work was done."""
        body: dict[str, Any] = {"message": f"{status}: made to fail", "code": code}
        if status == 429:
            body = {"message": "You are being rate limited.", "retry_after": 0.2, "global": False}
            body |= {"code": code} if code else {}
        self._watch(lambda: _fail(status, body), times, which, moment)

    def shut(self, status: int, *, times: int | None = None) -> None:
        """Answer with a page, as Cloudflare does in Discord's place, `times` or (``None``) until `clear`."""
        page = "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>"
        self._watch(lambda: _fail(status, page), times)

    def swallow(self, *, times: int | None = 1, which: Filter = every, moment: Moment = Moment.BEFORE) -> None:
        """Never answer this many requests; AFTER: although the work was done."""
        self._watch(asyncio.Event().wait, times, which, moment)

    def late(self, seconds: float, *, which: Filter = every) -> None:
        """Let requests wait before anything is done with them."""
        self._watch(lambda: asyncio.sleep(seconds), None, which)

    def _watch(
        self,
        act: Callable[[], Awaitable[Any]],
        times: int | None,
        which: Filter = every,
        moment: Moment = Moment.BEFORE,
    ) -> None:
        left = times

        async def watcher(request: Request, now: Moment) -> None:
            nonlocal left
            if now is not moment or not which(request) or left == 0:
                return
            left = None if left is None else left - 1
            await act()

        self.watchers.append(watcher)

    def once(self, moment: Moment, act: Callable[[Request], bool], *, which: Filter = every, skip: int = 0) -> None:
        """Call `act` at the first fitting request after `skip` others. If it returns True, the connection is cut."""
        left = skip

        async def watcher(request: Request, now: Moment) -> None:
            nonlocal left
            if now is not moment or not which(request):
                return
            left -= 1
            if left == -1 and act(request):
                raise Failed(None)

        self.watchers.append(watcher)


async def _fail(status: int, body: Any) -> None:
    raise Failed(status, body)
