"""Several processes over one store: each carries its shards alone, they identify in turn, and go by one clock."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from db import Database, DatabaseError, server
from db.matches.leases import Shards
from db.store import locks
from db.store.locks import Lock, LockKind, LockTaken
from matches.engine.clock import Clock, SteadyClock, SystemClock

log = logging.getLogger(__name__)

IDENTIFY_EVERY: Final = timedelta(seconds=5)
"""In this time one shard of a bucket may identify; a shard's bucket is its number modulo Discord's max_concurrency."""

APART: Final = timedelta(seconds=2)
"""From here on it is worth a word that this machine's clock and the store's are apart."""


class Processes:
    """What this process does about the others: all of it by the store, which is all that they share."""

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
        self._clock = clock or SystemClock()
        self._sleep = sleep
        self._passed = passed
        self.carries = False
        """Whether this process carries its shards, as far as it knows (`keep`)."""
        self._unknown: set[str] = set()
        """What the store could not tell the last time; that it could not is said once."""
        self._clocks_agree = True
        """Whether they did the last time; that they do not is said once, too."""
        self.clock: SteadyClock | None = None
        """The server's clock, as this process knows it: by it go all processes over that server, whatever their
        machines' clocks say. A file has none.
        """
        self._passing_on: set[asyncio.Task[None]] = set()

    @property
    def may_lose(self) -> bool:
        """Whether what is carried can be lost while the process lives, as over a connection to a server."""
        return self._database.locks.lag > timedelta()

    async def carry(self, patience: timedelta | None = None) -> None:
        """Carry the shards from now on; before anything that only whoever carries them may do.

        Waits for the end of a process whose machine has died, or (`patience`) for one that passes its shards on. Raises
        DatabaseError where another carries one of them.
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

    async def pass_on(self) -> None:
        """Let a successor that waits for the shards carry them. Raises DatabaseError."""
        self.carries = False
        await self._database.locks.pass_on(self._mine)

    async def keep(self) -> str | None:
        """See to it that the shards are still carried; call it every few seconds.

        Why this process has to end, as a sentence, where another carries one of them meanwhile.
        """
        try:
            await self._ask("who carries the shards", self._database.locks.keep)
        except LockTaken as error:
            self.carries = False
            return str(error)
        return None

    async def _ask(self, what: str, ask: Callable[[], Awaitable[None]]) -> None:
        """Ask the store for what it is asked again and again; that it cannot tell is said once. Raises LockTaken."""
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
        """Wait until a shard of this bucket may identify, and keep the others from it for five seconds.

        Where the store cannot be asked, five seconds are waited: Discord refuses whoever is still too early, and they
        try again.
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
            # Over a connection that is gone nothing is held any more.
            log.warning("the others have not been told that a shard has identified: %s", error)

    async def set_clock(self) -> None:
        """Set `clock` by the server's, and say in the log where this machine's is apart from that.

        Before anything that goes by it, then now and then. Raises DatabaseError.
        """
        ahead = await self._compare()
        agree = abs(ahead) < APART
        if self._clocks_agree and not agree:
            log.warning("%s The bot goes by the server's. Set both by NTP.", told(ahead))
        self._clocks_agree = agree

    async def keep_clock(self) -> None:
        """As `set_clock`, while the bot runs: where the server cannot be asked, the clock goes on as it is."""
        await self._ask("what time it is", self.set_clock)

    async def _compare(self) -> timedelta:
        """By how much this machine's clock is ahead of the server's at least (negative: behind), once `clock` is set.

        Raises DatabaseError.
        """
        machines, clock = self._clock, self.clock or SteadyClock(self._clock.now(), self._passed)
        before, began = machines.now(), clock.now()
        theirs = await self._database.read(server.now)
        if theirs is None:
            return timedelta()
        clock.turn_back(_ahead(began, clock.now(), theirs))
        self.clock = clock
        return _ahead(before, machines.now(), theirs)


def _ahead(before: datetime, after: datetime, theirs: datetime) -> timedelta:
    """By how much a clock is ahead at least: theirs was read somewhere between."""
    return max(before - theirs, timedelta()) or min(after - theirs, timedelta())


def told(ahead: timedelta) -> str:
    """How far this machine's clock is off, as a sentence."""
    way = "ahead of" if ahead > timedelta() else "behind"
    return f"This machine's clock is {abs(ahead).total_seconds():.0f} seconds {way} the database server's."
