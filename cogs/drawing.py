"""Where pictures are drawn: never on the event loop, and in a process of their own once many are wanted at once.

Drawing keeps Python's interpreter lock for most of its time: threads draw one after the other, and the event loop,
which needs the lock too, waits for each. A process draws as fast as one loop can ask. But it takes memory, and half a
second to start, which a bot with a few tables may keep.

What the process cannot draw at once waits by `Rank`: first what tables are told, then what persons have asked for, last
what tables without people are told; and within each by turns.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Final, NamedTuple, TypeVar, TypeVarTuple

from matches.api import Busy, Match, UserId
from matches.engine.fair_queue import Rank
from matches.engine.workers import WorkerDied, Workers

log = logging.getLogger(__name__)

FEW: Final = 4
"""So many pictures at once are drawn in threads, as long as there are never more."""

AHEAD: Final = 2
"""So many pictures the process is given before it has drawn the one that it draws."""

MOST_WAITING: Final = 6
"""So many pictures of one person may wait; nobody who plays has more under way."""


class _Whose(NamedTuple):
    """For whom pictures are drawn, and when they have their turn."""

    owner: int | None
    rank: Rank


_TABLE: Final = _Whose(None, Rank.TABLE)
_WHOSE: Final[ContextVar[_Whose]] = ContextVar("whose", default=_TABLE)
"""For whom pictures are drawn now: the porter's tasks inherit nothing from a press."""

A = TypeVarTuple("A")
R = TypeVar("R")


@contextmanager
def for_person(user_id: UserId | None) -> Iterator[None]:
    """Whatever is drawn in this block is what this person has asked for; with ``None`` what the table is told."""
    with _for(_Whose(user_id, Rank.TABLE if user_id is None else Rank.PERSON)):
        yield


@contextmanager
def for_table(match: Match) -> Iterator[None]:
    """Whatever is drawn in this block is what the table of this match is told; tables take turns by their hosts."""
    with _for(_Whose(match.host_id, match.rank)):
        yield


@contextmanager
def _for(whose: _Whose) -> Iterator[None]:
    token = _WHOSE.set(whose)
    try:
        yield
    finally:
        _WHOSE.reset(token)


class Drawer:
    """Draws in threads until more than `few` pictures are wanted at once, and in a process from then on.

    The process is given so many `ahead`; what waits beyond these waits by turns.
    """

    def __init__(self, few: float = FEW, ahead: int = AHEAD) -> None:
        self.few = few
        self._in_threads = 0
        self._process = Workers(1, ahead=ahead)
        self._process_draws = False

    async def drawn(self, work: Callable[[*A], R], /, *args: *A) -> R:
        """What the call returns, or raises. Raises Busy where too many pictures of one person (`for_person`) wait.

        Threads and process give the same: `work` is pure, and it, its arguments and its result can be pickled.
        """
        owner, rank = _WHOSE.get()
        if self._in_threads >= self.few:
            self._process_draws = True
        if self._process_draws:
            if rank is Rank.PERSON and self._process.waiting(owner, rank) >= MOST_WAITING:
                raise Busy("I'm still drawing the pictures you asked for. Please wait for them.")
            try:
                return await self._process.run(work, *args, owner=owner, rank=rank)
            except WorkerDied:
                log.warning("the process that draws was killed twice running; pictures are drawn in threads")
                self._process_draws = False
        self._in_threads += 1
        try:
            return await asyncio.to_thread(work, *args)
        finally:
            self._in_threads -= 1

    def let_idle_go(self, now: datetime) -> None:
        """Let the process go that nobody has needed for long; until many are wanted at once, threads draw again."""
        self._process.let_idle_go(now)
        if not self._process.processes:
            self._process_draws = False

    def close(self) -> None:
        """Let the process go, and cancel whoever waits for it; another starts when it is needed."""
        self._process.close()
        self._process_draws = False


DRAWER: Final = Drawer()
"""The one of this program, as there is one pool of threads; the bot closes it."""
