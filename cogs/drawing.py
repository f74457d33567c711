"""Where pictures are drawn: never on the event loop, and in a separate process once many are wanted at once.

Drawing holds Python's interpreter lock for most of its time. So threads draw one after the other, and the event loop
waits for the lock each time. A process draws as fast as one loop can ask, but it takes memory, and half a second to
start. A bot with a few tables doesn't need it.

Pictures that wait for the process are ordered by `Rank`: first for tables, then for people who have asked, last for
tables without people. Within a rank, owners take turns.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar, TypeVarTuple

from games import GAMES
from matches.api import Busy, Match, UserId
from matches.engine.fair_queue import Rank
from matches.engine.shared import Shared
from matches.engine.workers import WorkerDied, Workers
from render.renderer import Renderer

log = logging.getLogger(__name__)

FEW: Final = 4
"""Pictures that may be drawn in threads at the same time; one more starts the process."""

AHEAD: Final = 2
"""Pictures that the process is given while it still draws another one."""

MOST_WAITING: Final = 6
"""Pictures of one person that may wait; playing never needs more."""


class _Whose(NamedTuple):
    """For whom pictures are drawn, and their rank in the queue."""

    owner: int | None
    rank: Rank


_TABLE: Final = _Whose(None, Rank.TABLE)
_WHOSE: Final[ContextVar[_Whose]] = ContextVar("whose", default=_TABLE)
"""For whom pictures are drawn in this context. The porter's tasks inherit nothing from a press."""

_SHARED: Final[ContextVar[bool]] = ContextVar("shared", default=False)
"""Whether pictures drawn in this context are the same for many people."""

KEPT: Final = 200
"""How many pictures drawn for many people are cached. They have some 40 KB each."""

A = TypeVarTuple("A")
R = TypeVar("R")


def share_pictures() -> None:
    """From now on, pictures of the current task are drawn once for everybody who wants the same, and kept a while."""
    _SHARED.set(True)


def for_person(user_id: UserId | None) -> AbstractContextManager[None]:
    """Pictures drawn in this block are for this person; with ``None`` for a table."""
    return _for(_Whose(user_id, Rank.TABLE if user_id is None else Rank.PERSON))


def for_table(match: Match) -> AbstractContextManager[None]:
    """Pictures drawn in this block are for the table of this match. Tables take turns by their hosts."""
    return _for(_Whose(match.host_id, match.rank))


def for_nobody(match: Match) -> AbstractContextManager[None]:
    """Pictures drawn in this block belong to this match, and nobody waits for them."""
    return _for(_Whose(match.host_id, Rank.TIDYING))


def in_background() -> AbstractContextManager[None]:
    """Pictures drawn in this block belong to no match, and nobody waits for them."""
    return _for(_Whose(None, Rank.TIDYING))


@contextmanager
def _for(whose: _Whose) -> Iterator[None]:
    token = _WHOSE.set(whose)
    try:
        yield
    finally:
        _WHOSE.reset(token)


class Drawer:
    """Draws in threads until more than `few` pictures are wanted at once, and in a process from then on.

    The process is given `ahead` pictures in advance. The others wait in the fair queue.
    """

    def __init__(self, few: float = FEW, ahead: int = AHEAD) -> None:
        self.few = few
        self._in_threads = 0
        self.process = Workers(1, ahead=ahead, kind="drawing")
        self.pictures: Counter[tuple[str, str]] = Counter()
        """By game, and `thread` or `process`: how many pictures were drawn."""
        self.seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        """By the same keys: how many seconds the pictures took, including waiting."""
        self._process_draws = False
        self._shared: Shared[Any] = Shared(KEPT)

    async def drawn(self, work: Callable[[*A], R], /, *args: *A) -> R:
        """What the call returns, or raises. Raises Busy if too many pictures of one person (`for_person`) wait.

        `work` must be pure, and it, its arguments and its result must be picklable. So a process can draw, too.
        """
        if not _SHARED.get():
            return await self._drawn(work, *args)
        question = sha256(pickle.dumps((work, args))).digest()
        found: R = await self._shared.get(question, lambda: self._drawn(work, *args))
        return found

    async def _drawn(self, work: Callable[[*A], R], /, *args: *A) -> R:
        owner, rank = _WHOSE.get()
        if self._in_threads >= self.few:
            self._process_draws = True
        if self._process_draws:
            if rank is Rank.PERSON and self.process.waiting(owner, rank) >= MOST_WAITING:
                raise Busy("I'm still drawing the pictures you asked for. Please wait for them.")
            try:
                with self._counted(work, "process"):
                    return await self.process.run(work, *args, owner=owner, rank=rank)
            except WorkerDied:
                log.warning("the process that draws was killed twice running; pictures are drawn in threads")
                self._process_draws = False
        self._in_threads += 1
        try:
            with self._counted(work, "thread"):
                return await asyncio.to_thread(work, *args)
        finally:
            self._in_threads -= 1

    @contextmanager
    def _counted(self, work: Callable[..., Any], place: str) -> Iterator[None]:
        began, key = time.monotonic(), (_game_of(work), place)
        yield
        self.pictures[key] += 1
        self.seconds[key] += time.monotonic() - began

    def let_idle_go(self, now: datetime) -> None:
        """End the process if it has been idle for long; then threads draw again."""
        self.process.let_idle_go(now)
        if not self.process.processes:
            self._process_draws = False

    def close(self) -> None:
        """End the process and cancel what waits for it. Another one starts when it is needed."""
        self.process.close()
        self._process_draws = False


def _game_of(work: Callable[..., Any]) -> str:
    """Return the key of the game whose renderer draws this picture, or ``none``."""
    renderer = getattr(work, "__self__", None)
    module = renderer.paint.__module__ if isinstance(renderer, Renderer) else ""
    game = module.removeprefix("render.").partition(".")[0]
    return game if game in GAMES else "none"


DRAWER: Final = Drawer()
"""The drawer of this program; the bot closes it."""
