"""Several processes over one store: each carries its shards alone, they identify in turn, and their clocks agree."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from db import Database, DatabaseError, locks, server
from db.leases import Shards
from db.locks import Lock, Taken, What
from matches.clock import Clock, SystemClock

log = logging.getLogger(__name__)

IDENTIFY_EVERY: Final = timedelta(seconds=5)
"""In this time one shard of a bucket may identify; a shard's bucket is its number modulo Discord's max_concurrency."""

APART: Final = timedelta(seconds=2)
"""From here on it is worth a word that this machine's clock and the store's are apart."""

TOO_FAR_APART: Final = timedelta(seconds=30)
"""From here on it is refused: what one process has in hand (`db.leases.AMONG_OTHERS`) would be free to another always,
and Discord, which refuses the same message twice, does so for some minutes only."""


class Processes:
    """What this process does about the others: all of it by the store, which is all that they share."""

    def __init__(
        self,
        database: Database,
        shards: Shards | None = None,
        clock: Clock | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._mine = locks.of_process(shards)
        self._clock = clock or SystemClock()
        self._sleep = sleep
        self._knows = True
        """Whether the store could be asked the last time; that it could not is said once."""
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
                return
            if mine.lag:
                seconds = mine.lag.total_seconds()
                log.warning(
                    "%s If it died with its machine, its locks end within %.0f s.", locks.sentence(held), seconds
                )
        await locks.hold(mine, self._mine, patience, sleep=self._sleep)

    async def pass_on(self) -> None:
        """Let a successor that waits for the shards carry them. Raises DatabaseError."""
        await self._database.locks.pass_on(self._mine)

    async def keep(self) -> str | None:
        """See to it that the shards are still carried; call it every few seconds.

        Why this process has to end, as a sentence, where another carries one of them meanwhile.
        """
        try:
            await self._database.locks.keep()
        except Taken as error:
            return str(error)
        except DatabaseError as error:
            if self._knows:
                log.warning("the store cannot tell now who carries the shards: %s", error)
            self._knows = False
        else:
            self._knows = True
        return None

    async def identify_in_turn(self, bucket: int) -> None:
        """Wait until a shard of this bucket may identify, and keep the others from it for five seconds.

        Where the store cannot be asked, five seconds are waited: Discord refuses whoever is still too early, and they
        try again.
        """
        lock = Lock(What.IDENTIFY, bucket)
        try:
            while await self._database.locks.take([lock]) is not None:
                await self._sleep(locks.LOOKS.total_seconds())
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

    async def ahead(self) -> timedelta:
        """By how much this machine's clock is ahead of the store's at least (negative: behind); a file has none.

        Raises DatabaseError.
        """
        before = self._clock.now()
        theirs = await self._database.read(server.now)
        after = self._clock.now()
        if theirs is None:
            return timedelta()
        # Theirs was read somewhere between.
        return max(before - theirs, timedelta()) or min(after - theirs, timedelta())

    async def check_clock(self) -> None:
        """Before the start: raises DatabaseError where the clocks are too far apart, and warns where they are apart."""
        ahead = await self.ahead()
        if abs(ahead) >= TOO_FAR_APART:
            raise DatabaseError(f"{told(ahead)} Set both by NTP, then start the bot again.")
        if abs(ahead) >= APART:
            log.warning("%s Set both by NTP.", told(ahead))

    async def look_at_clock(self) -> None:
        """While the bot runs: the same, in the log alone."""
        try:
            ahead = await self.ahead()
        except DatabaseError as error:
            log.warning("this machine's clock could not be compared with the database server's: %s", error)
            return
        if abs(ahead) >= APART:
            level = logging.ERROR if abs(ahead) >= TOO_FAR_APART else logging.WARNING
            log.log(level, "%s Set both by NTP.", told(ahead))


def told(ahead: timedelta) -> str:
    """How far this machine's clock is off, as a sentence."""
    way = "ahead of" if ahead > timedelta() else "behind"
    return f"This machine's clock is {abs(ahead).total_seconds():.0f} seconds {way} the database server's."
