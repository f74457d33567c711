"""A lane: work of one kind, claimed from the store and done by tasks that end when nothing is due.

No task waits for work: whoever makes some due wakes the lane. So a test, or a bot that stops, sees when all is done.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from contextvars import copy_context
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Generic, TypeVar

from matches.errors import HostError

log = logging.getLogger(__name__)

FIRST_PAUSE: Final = timedelta(seconds=0.5)
LONGEST_PAUSE: Final = timedelta(seconds=4)
"""After a fault of the store, the next tick after this pause retries. Recovery takes less than ten seconds."""

SAME_FAULT: Final = timedelta(minutes=1)
"""How often a lasting fault is logged."""

FULL: Final = timedelta(seconds=10)
"""A lane is logged as full after chains have waited this long for a place."""

LOOK_AGAIN: Final = 1.0
"""Seconds after which a full lane checks whether a place is free. Nothing else tells it that a request has stalled."""

R = TypeVar("R")
K = TypeVar("K", bound=Hashable)


class Trouble:
    """A lasting fault: growing pauses between retries, and a line of the log now and then."""

    def __init__(self, what: str, now: Callable[[], datetime]) -> None:
        self._what = what
        self._now = now
        self._pause = timedelta(0)
        self._until: datetime | None = None
        self._logged: dict[str, datetime] = {}
        """The faults that were logged within `SAME_FAULT`, and when."""

    @property
    def pausing(self) -> bool:
        """Whether it is too early to retry. Never for longer than `LONGEST_PAUSE`, even if the clock was set back."""
        return self._until is not None and timedelta(0) < self._until - self._now() <= LONGEST_PAUSE

    def note(self, error: Exception) -> bool:
        """Note a failure; returns whether it should be logged."""
        now = self._now()
        self._pause = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * self._pause))
        self._until = now + self._pause
        fault = str(error.__cause__ or error)
        self._logged = {each: at for each, at in self._logged.items() if timedelta(0) <= now - at < SAME_FAULT}
        return self._logged.setdefault(fault, now) is now

    def warn(self, error: HostError) -> None:
        """Note a failure of the store, and log it in one line if it should be."""
        if self.note(error):
            log.warning("%s: %s", self._what, error.__cause__ or error)

    def over(self) -> None:
        """End the pause, because the store has just worked or probably would."""
        self._pause = timedelta(0)
        self._until = None


class Lane(Generic[R, K]):
    """Work of one kind: at most `width` chains at once, the rows of one chain strictly one after another.

    `claim` leases rows, at most as many as it is told. `carry_out` does one row and reports the result. It also gets
    what was just read for this row (mostly nothing), and the rows behind it, and returns what it has just read for the
    next of these. `key` returns the chain of a row, `number` its unique id. `logged_as` says how the log names the
    chain with a key. A chain whose task `waits` for an answer from outside takes no place.
    """

    def __init__(
        self,
        kind: str,
        claim: Callable[[int], Awaitable[Sequence[R]]],
        carry_out: Callable[[R, Any, Sequence[R]], Awaitable[Any]],
        *,
        key: Callable[[R], Hashable],
        number: Callable[[R], K],
        width: int,
        now: Callable[[], datetime],
        waits: Callable[[asyncio.Task[Any]], bool] = lambda task: False,
        logged_as: Callable[[Any], object] = lambda key: key,
    ) -> None:
        self.kind = kind
        self.trouble = Trouble(kind, now)
        self.in_hand: dict[K, R] = {}
        """Rows that were claimed and aren't done yet, by number."""
        self._claim, self._carry_out = claim, carry_out
        self._key, self._number = key, number
        self.width = width
        self._now, self._waits, self._logged_as = now, waits, logged_as
        self._begun: dict[Hashable, datetime] = {}
        self._full: datetime | None = None
        """Since when chains have waited for a place."""
        self._said: datetime | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._chains: dict[Hashable, deque[R]] = {}
        self._waiting: dict[Hashable, Any] = {}
        """Chains that wait for a place, the oldest first, and what was just read for their first rows."""
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._dropped: set[Hashable] = set()
        """Chains whose task was cancelled and hasn't ended yet."""
        self._claiming: asyncio.Task[None] | None = None
        self._context = copy_context()
        self._wanted = False
        self._stopped = False

    @property
    def is_claiming(self) -> bool:
        """Whether rows may already be leased that aren't in hand yet."""
        return self._claiming is not None

    @property
    def waiting(self) -> int:
        """How many chains wait for a place."""
        return len(self._waiting)

    @property
    def full_for(self) -> timedelta:
        """For how long all places have been taken while more is due."""
        return timedelta(0) if self._full is None else max(timedelta(0), self._now() - self._full)

    @property
    def tasks(self) -> frozenset[asyncio.Task[None]]:
        """The tasks that run now. When nothing is due there are none."""
        claiming = () if self._claiming is None else (self._claiming,)
        return frozenset((*self._tasks.values(), *claiming))

    def wake(self, *, mended: bool = False) -> None:
        """Claim rows, unless the lane pauses after a fault. `mended`: the store has just worked, so end the pause."""
        if mended:
            self.trouble.over()
        self._wanted = True
        if self._claiming is None and not self._stopped and not self.trouble.pausing:
            self._claiming = self._begin(self._take_up(), "claiming")

    def hand(self, rows: Sequence[R], read: Any = None) -> None:
        """Carry out rows that are leased already. The store has just worked, so this ends a pause.

        `read`: what was read for each of them. It's of use only to a row that is begun at once.
        """
        self.trouble.over()
        if not self._stopped:
            for row in rows:
                self._take(row, read)

    def stop(self) -> None:
        """Take up no more rows. What is in hand is finished."""
        self._stopped = True

    def go_on(self) -> None:
        """Take up rows again after `stop`."""
        self._stopped = False
        self.wake()

    def drop(self, key: Hashable) -> None:
        """Cancel what is in hand of this chain, because nobody needs it any more. Later rows are carried out.

        A chain never cancels itself.
        """
        task = self._tasks.get(key)
        if task is not None and task is not asyncio.current_task():
            self._clear(self._chains[key])
            self._dropped.add(key)
            task.cancel()

    def _begin(self, work: Coroutine[Any, Any, None], what: str) -> asyncio.Task[None]:
        """Begin a task in the lane's own context. It inherits no context variables from whoever has woken the lane."""
        return asyncio.create_task(work, name=f"{self.kind}: {what}", context=self._context.copy())

    async def _take_up(self) -> None:
        try:
            while self._wanted and not self._stopped and (room := self._room()) > 0:
                self._wanted = False
                rows = await self._claim(room)
                for row in rows:
                    # Once the lane is stopped, rows leased at the same moment are left to the next process.
                    if not self._stopped:
                        self._take(row)
                # As many rows came as were asked for, so more may be due.
                self._wanted = self._wanted or len(rows) >= room
                self.trouble.over()
        except HostError as error:
            self.trouble.warn(error)
        except Exception as error:  # The boundary of a task: nobody awaits it, and the next tick retries.
            if self.trouble.note(error):
                log.exception("%s: nothing could be claimed", self.kind, exc_info=error)
        finally:
            self._claiming = None
            self.look()

    def _take(self, row: R, read: Any = None) -> None:
        number, key = self._number(row), self._key(row)
        if self.in_hand.get(number) == row:
            return
        self.in_hand[number] = row
        if (chain := self._chains.get(key)) is not None:
            chain.append(row)
            return
        self._chains[key] = deque([row])
        self._waiting[key] = read
        self._begin_chains()
        if key in self._waiting:
            self._waiting[key] = None

    def _begin_chains(self) -> None:
        """Begin chains that wait, the oldest first, while there is room."""
        while self._waiting and self.busy < self.width:
            key = next(iter(self._waiting))
            self._begun[key] = self._now()
            self._tasks[key] = self._begin(self._work(key, self._waiting.pop(key)), str(key))
            # Not in the task itself: a task that is cancelled before its first step never runs.
            self._tasks[key].add_done_callback(partial(self._ended, key))
        self.look()

    @property
    def busy(self) -> int:
        """How many places are taken. Chains that wait for an answer from outside take none."""
        return sum(not self._waits(task) for task in self._tasks.values())

    def _room(self) -> int:
        """How many more chains may be claimed."""
        return self.width - self.busy - len(self._waiting)

    def look(self) -> None:
        """Log that the lane is full, once it has been for `FULL`. While chains wait for a place, look again."""
        now = self._now()
        if not self._waiting and not (self._wanted and self.busy >= self.width):
            self._full = None
            return
        if self._full is None or now < self._full:
            self._full = now
        if now - self._full >= FULL and (self._said is None or not timedelta(0) <= now - self._said < SAME_FAULT):
            self._said = now
            key = min(self._begun, key=self._begun.__getitem__)
            more = f"{len(self._waiting)} more wait" if self._waiting else "more is due"
            log.warning(
                "%s: all %d places have been taken for %d s and %s; longest at work is %s, for %d s",
                *(self.kind, self.width, (now - self._full).total_seconds(), more),
                *(self._logged_as(key), (now - self._begun[key]).total_seconds()),
            )
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK_AGAIN, self._look_again)

    def _look_again(self) -> None:
        self._looking = None
        self._begin_chains()
        if self._wanted:
            self.wake()

    async def _work(self, key: Hashable, read: Any) -> None:
        chain = self._chains[key]
        try:
            while chain:
                row = chain.popleft()
                try:
                    read = await self._carry_out(row, read, chain)
                finally:
                    self._let_go(row)
        except HostError as error:
            self.trouble.warn(error)
            self._clear(chain)
        except Exception as error:  # The boundary of a task, as above. The row's lease runs out.
            if self.trouble.note(error):
                log.exception("%s: %s", self.kind, key, exc_info=error)
            self._clear(chain)

    def _ended(self, key: Hashable, task: asyncio.Task[None]) -> None:
        chain = self._chains.pop(key)
        del self._tasks[key], self._begun[key]
        # A task that `drop` didn't cancel is only cancelled when the loop is about to close.
        goes_on = (key in self._dropped or not task.cancelled()) and not self._stopped
        self._dropped.discard(key)
        came = tuple(chain)
        self._clear(chain)
        if goes_on:
            # These rows came between the end of the last row and the end of the task. Nothing else would begin them.
            for row in came:
                self._take(row)
        self._begin_chains()
        if self._wanted:
            self.wake()

    def _clear(self, chain: deque[R]) -> None:
        """Let go of rows that haven't begun. The next renewal of this process's leases frees them."""
        while chain:
            self._let_go(chain.popleft())

    def _let_go(self, row: R) -> None:
        """Remove this row from `in_hand`, but not a later one of the same number."""
        number = self._number(row)
        if self.in_hand.get(number) == row:
            del self.in_hand[number]
