"""Several processes over one store: each owns its shards, they identify in turn, and use one clock."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from db import Database, DatabaseError
from db.store import locks, meta
from db.store.leases import Shards
from db.store.locks import Lock, LockKind, LockTaken
from matches.engine.clock import Clock, SteadyClock, SystemClock

log = logging.getLogger(__name__)

IDENTIFY_EVERY: Final = timedelta(seconds=5)
"""One shard of a bucket may identify in this time. A bucket is the shard's number modulo Discord's max_concurrency."""

APART: Final = timedelta(seconds=2)
"""Clock skew between this machine and the database server that is logged."""


class Processes:
    """Coordinates this process with the others, through the store."""

    def __init__(
        self,
        database: Database,
        shards: Shards | None = None,
        clock: Clock | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        passed: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._mine = locks.locks_of(shards)
        self._line = locks.locks_of_successor(shards)
        self._clock = clock or SystemClock()
        self._sleep = sleep
        self._passed = passed
        self.carries = False
        """Whether this process owns its shards, as far as it knows (`keep`)."""
        self._unknown: set[str] = set()
        """Questions that the store couldn't answer the last time. Each such failure is logged once."""
        self._clocks_agree = True
        """Whether the clocks agreed the last time. A disagreement is logged once."""
        self.clock: SteadyClock | None = None
        """The database server's clock, which all processes use instead of their machines'. SQLite has none."""
        self._passing_on: set[asyncio.Task[None]] = set()

    @property
    def may_lose(self) -> bool:
        """Whether this process can lose its shards while it lives, as with a connection to a server."""
        return self._database.locks.lag > timedelta()

    async def carry(self, patience: timedelta | None = None) -> None:
        """Become the owner of the shards. Call it before anything that only their owner may do.

        It waits until the locks of a dead machine end, or for `patience` until a process passes its shards on. Raises
        DatabaseError if another process owns one of them.
        """
        mine = self._database.locks
        if patience is None:
            held = await mine.take(self._mine)
            if held is None:
                self.carries = True
                return
            if mine.lag:
                seconds = mine.lag.total_seconds()
                log.warning(
                    "%s If it died with its machine, its locks end within %.0f s.", locks.sentence(held), seconds
                )
        await locks.acquire(mine, self._mine, patience, sleep=self._sleep)
        self.carries = True

    async def take(self) -> bool:
        """Become the owner of the shards if nobody is now. Return whether this process is. Raises DatabaseError."""
        if not self.carries:
            self.carries = await self._database.locks.take(self._mine) is None
        return self.carries

    async def stand_in_line(self) -> None:
        """Become the only successor of the process that owns the shards. Raises DatabaseError if another one is."""
        await locks.acquire(self._database.locks, self._line, timedelta(seconds=1), sleep=self._sleep)

    async def leave_line(self) -> None:
        """Make room for the next successor. Raises DatabaseError."""
        await self._database.locks.pass_on(self._line)

    async def has_successor(self) -> bool:
        """Whether a process that wants to take over these shards lives. Raises DatabaseError."""
        if await self._database.locks.take(self._line) is not None:
            return True
        await self.leave_line()
        return False

    async def is_carried(self, shard: int) -> bool:
        """Whether a process carries this shard. Raises DatabaseError."""
        lock = Lock(LockKind.SHARD, shard)
        if await self._database.locks.take([lock]) is not None:
            return True
        await self._database.locks.pass_on([lock])
        return False

    async def pass_on(self) -> None:
        """Pass the shards on to a successor that waits for them. Raises DatabaseError."""
        self.carries = False
        await self._database.locks.pass_on(self._mine)

    async def keep(self) -> str | None:
        """Renew the ownership of the shards. Call it every few seconds.

        If another process owns one of them now, this process must end. Then it returns why, as a sentence.
        """
        try:
            await self._ask("who carries the shards", self._database.locks.keep)
        except LockTaken as error:
            self.carries = False
            return str(error)
        return None

    async def _ask(self, what: str, ask: Callable[[], Awaitable[None]]) -> None:
        """Ask the store something that is asked again and again. Log a lasting failure once. Raises LockTaken."""
        try:
            await ask()
        except LockTaken:
            raise
        except DatabaseError as error:
            if what not in self._unknown:
                log.warning("the store cannot tell now %s: %s", what, error)
            self._unknown.add(what)
        else:
            self._unknown.discard(what)

    async def identify_in_turn(self, bucket: int) -> None:
        """Wait until a shard of this bucket may identify, and lock the bucket for five seconds.

        If the store fails, just wait five seconds. Discord refuses a shard that is still too early, and it retries.
        """
        lock = Lock(LockKind.IDENTIFY, bucket)
        try:
            while await self._database.locks.take([lock]) is not None:
                await self._sleep(locks.RETRY_EVERY.total_seconds())
        except DatabaseError as error:
            log.warning("a shard identifies without knowing of the others: %s", error)
            await self._sleep(IDENTIFY_EVERY.total_seconds())
            return
        task = asyncio.create_task(self._pass_on_later(lock))
        self._passing_on.add(task)
        task.add_done_callback(self._passing_on.discard)

    async def _pass_on_later(self, lock: Lock) -> None:
        await self._sleep(IDENTIFY_EVERY.total_seconds())
        try:
            await self._database.locks.pass_on([lock])
        except DatabaseError as error:
            # A lost connection has released the lock.
            log.warning("the others have not been told that a shard has identified: %s", error)

    async def set_clock(self) -> None:
        """Set `clock` by the database server's. Log a skew between that and this machine's.

        Call it before anything uses `clock`, then now and then. Raises DatabaseError.
        """
        ahead = await self._compare()
        agree = abs(ahead) < APART
        if self._clocks_agree and not agree:
            log.warning("%s The bot goes by the server's. Set both by NTP.", skew_sentence(ahead))
        self._clocks_agree = agree

    async def keep_clock(self) -> None:
        """Do as `set_clock` while the bot runs. If the server can't be asked, the clock stays as it is."""
        await self._ask("what time it is", self.set_clock)

    async def _compare(self) -> timedelta:
        """Set `clock`. Returns how far this machine's clock is at least ahead of the server's (negative: behind).

        Raises DatabaseError.
        """
        machines, clock = self._clock, self.clock or SteadyClock(self._clock.now(), self._passed)
        before, began = machines.now(), clock.now()
        theirs = await self._database.read(meta.server_time)
        if theirs is None:
            return timedelta()
        clock.turn_back(_ahead(began, clock.now(), theirs))
        self.clock = clock
        return _ahead(before, machines.now(), theirs)


def _ahead(before: datetime, after: datetime, theirs: datetime) -> timedelta:
    """Return how far a clock is ahead of another one, at least (negative: behind).

    It showed `before` and `after` around the moment at which the other one showed `theirs`.
    """
    return max(before - theirs, timedelta()) or min(after - theirs, timedelta())


def skew_sentence(ahead: timedelta) -> str:
    """Say in a sentence how far this machine's clock is off."""
    way = "ahead of" if ahead > timedelta() else "behind"
    return f"This machine's clock is {abs(ahead).total_seconds():.0f} seconds {way} the database server's."
