"""Locks of a PostgreSQL server, held by a connection that does nothing else: they end when it does.

They are advisory locks of two numbers, so they meet neither rows nor the lock of the migrations. A connection pooler
that gives the connection to others between two statements (PgBouncer in transaction mode) takes them with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from db.store.failures import DatabaseError
from db.store.locks import Lock, Taken, What, sentence

LAG: Final = timedelta(seconds=30)
"""The server notices within 25 s that a machine is gone (its keepalives: after 10 s, then three times 5 s)."""

_CLASSES: Final = {What.SHARDS: 0x616D6200, What.SHARD: 0x616D6201, What.IDENTIFY: 0x616D6202}
"""The first of a lock's two numbers ("amb" in ASCII, and one more); the second is its own."""

_TAKE: Final = text("SELECT pg_try_advisory_lock(:what, :number)")
_TAKE_SHARED: Final = text("SELECT pg_try_advisory_lock_shared(:what, :number)")
_LET_GO: Final = text("SELECT pg_advisory_unlock(:what, :number)")
_LET_GO_SHARED: Final = text("SELECT pg_advisory_unlock_shared(:what, :number)")
_WHO: Final = text("SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
_END: Final = text(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = :pid AND backend_start = :since"
)


class _Session(NamedTuple):
    """A connection as the server knows it, also when it is lost to us."""

    pid: int
    since: Any


class ServerLocks:
    """What this process holds. `errors` are those of the driver, `fault` makes the store's of them."""

    lag = LAG

    def __init__(
        self,
        engine: AsyncEngine,
        errors: tuple[type[Exception], ...],
        fault: Callable[[Exception, bool], DatabaseError],
    ) -> None:
        self._engine, self._errors, self._fault = engine, errors, fault
        self._held: list[Lock] = []
        self._connection: AsyncConnection | None = None
        self._session: _Session | None = None
        # A connection carries out one statement at a time.
        self._turn = asyncio.Lock()

    async def take(self, locks: Sequence[Lock]) -> Lock | None:
        """All of them, or none, as `db.store.locks.Locks` says."""
        async with self._connected() as connection:
            names = {lock.name for lock in self._held}
            taken: list[Lock] = []
            for lock in locks:
                # To the server whoever holds a lock may take it once more.
                if lock.name in names or not await _ask(connection, lock, _TAKE, _TAKE_SHARED):
                    for each in taken:
                        await _ask(connection, each, _LET_GO, _LET_GO_SHARED)
                    return lock
                taken.append(lock)
            self._held += taken
        return None

    async def pass_on(self, locks: Sequence[Lock]) -> None:
        """Let go of these."""
        # First of all they are no longer wanted: over a new connection they must not be taken anew.
        held = [lock for lock in locks if lock in self._held]
        self._held = [lock for lock in self._held if lock not in held]
        if held and self._connection is not None:
            async with self._connected() as connection:
                for lock in held:
                    await _ask(connection, lock, _LET_GO, _LET_GO_SHARED)

    async def keep(self) -> None:
        """Look whether the connection lives, and take everything anew over another where it does not."""
        if self._held:
            try:
                await self._look()
            except DatabaseError as error:
                if isinstance(error, Taken):
                    raise
                await self._look()

    async def close(self) -> None:
        """Let go of everything."""
        async with self._turn:
            self._held.clear()
            await self._leave()
            with suppress(*self._errors):
                await self._engine.dispose()

    async def _look(self) -> None:
        async with self._connected() as connection:
            await connection.execute(text("SELECT 1"))

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        """The connection, with everything held over it that was taken; one over which something fails is given up."""
        async with self._turn:
            try:
                if self._connection is None:
                    self._connection = await self._engine.connect()
                    await self._take_anew(self._connection)
                yield self._connection
            except self._errors as error:
                await self._leave()
                raise self._fault(error, False) from error
            except BaseException:
                # In the middle of a statement it is of no use to anybody.
                await self._leave()
                raise

    async def _take_anew(self, connection: AsyncConnection) -> None:
        """What was held over a connection that is lost. Raises Taken."""
        if self._session is not None:
            # To the server the lost one may live for a while, and hold what we need.
            await connection.execute(_END, self._session._asdict())
        for lock in self._held:
            if not await _ask(connection, lock, _TAKE, _TAKE_SHARED):
                raise Taken(sentence(lock))
        self._session = _Session(*(await connection.execute(_WHO)).one())

    async def _leave(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._errors):
                await connection.invalidate()
                await connection.close()


async def _ask(connection: AsyncConnection, lock: Lock, alone: Any, shared: Any) -> bool:
    numbers = {"what": _CLASSES[lock.what], "number": lock.number}
    return bool(await connection.scalar(shared if lock.shared else alone, numbers))
