"""PostgreSQL advisory locks, held by a dedicated connection. They end with it.

Each is named by two numbers, so it can't collide with the advisory locks of `db.store.transactions` and
`db.migrations`, which are named by one. A pooler that reassigns the session between transactions (PgBouncer in
transaction mode) breaks these locks, so `keep` looks whether the session is still the same. In session mode it gives
the session of a lost connection to somebody else, so ours bears a name.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from secrets import token_hex
from typing import Final

from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from db.failures import DatabaseError
from db.store.locks import Lock, LockKind, LockTaken, sentence

LAG: Final = timedelta(seconds=30)
"""Longer than the server needs to detect a dead machine (keepalives of `db.store.postgres`)."""

_CLASSES: Final = {
    LockKind.SHARDS: 0x616D6200,
    LockKind.SHARD: 0x616D6201,
    LockKind.IDENTIFY: 0x616D6202,
    LockKind.SUCCESSOR: 0x616D6203,
}
"""The first number of a lock ("amb" in ASCII, and a digit). The second is the lock's own number."""

POOLED: Final = (
    "Between the bot and the database is a pooler in transaction or statement mode, in which locks and settings get "
    "lost: use its session mode, or the server's own address."
)

SESSION: Final = text("SELECT pg_backend_pid()")
"""Asks which session the server has for the connection."""

_TAKE: Final = "pg_try_advisory_lock"
_RELEASE: Final = "pg_advisory_unlock"
_NAME: Final = text("SELECT pg_backend_pid() AS pid, set_config('application_name', :name, false) AS name")
_END: Final = text(
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = :pid AND application_name = :name"
)


class ServerLocks:
    """The locks of this process. `errors` are the driver's, `fault` turns one into a DatabaseError."""

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
        self._session: RowMapping | None = None
        """The server's name for the connection, even after we lost it."""
        # A connection runs one statement at a time.
        self._turn = asyncio.Lock()

    async def take(self, locks: Sequence[Lock]) -> Lock | None:
        """Take all locks or none, as `db.store.locks.Locks` says."""
        async with self._connected() as connection:
            names = {lock.name for lock in self._held}
            taken: list[Lock] = []
            for lock in locks:
                # PostgreSQL lets a session take its own lock again.
                if lock.name in names or not await _call(connection, _TAKE, lock):
                    for each in taken:
                        await _call(connection, _RELEASE, each)
                    return lock
                taken.append(lock)
            self._held += taken
        return None

    async def pass_on(self, locks: Sequence[Lock]) -> None:
        # Forget them first: a new connection must not take them again.
        held = [lock for lock in locks if lock in self._held]
        self._held = [lock for lock in self._held if lock not in held]
        if held and self._connection is not None:
            async with self._connected() as connection:
                for lock in held:
                    await _call(connection, _RELEASE, lock)

    async def keep(self) -> None:
        """Check the connection. If it is dead, take the locks again over a new one."""
        if self._held:
            try:
                await self._ping()
            except DatabaseError as error:
                if isinstance(error, LockTaken):
                    raise
                if str(error) == POOLED:
                    raise LockTaken(POOLED) from error
                await self._ping()

    async def close(self) -> None:
        async with self._turn:
            self._held.clear()
            await self._disconnect()
            with suppress(*self._errors):
                await self._engine.dispose()

    async def _ping(self) -> None:
        async with self._connected() as connection:
            found = await connection.scalar(SESSION)
            if self._session is not None and found != self._session["pid"]:
                raise DatabaseError(POOLED)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        """Yield the connection, after taking the locks again if it is new. An error closes it."""
        async with self._turn:
            try:
                if self._connection is None:
                    self._connection = await self._engine.connect()
                    await self._retake(self._connection)
                yield self._connection
            except self._errors as error:
                await self._disconnect()
                raise self._fault(error, False) from error
            except BaseException:
                # A connection is useless in the middle of a statement.
                await self._disconnect()
                raise

    async def _retake(self, connection: AsyncConnection) -> None:
        """Take the locks of a lost connection over this one. Raises LockTaken."""
        if self._session is not None:
            # For the server the lost session may live on for a while, with our locks.
            await connection.execute(_END, dict(self._session))
        for lock in self._held:
            if not await _call(connection, _TAKE, lock):
                raise LockTaken(sentence(lock))
        self._session = (await connection.execute(_NAME, {"name": f"ambit {token_hex(8)}"})).mappings().one()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*self._errors):
                await connection.invalidate()
                await connection.close()


async def _call(connection: AsyncConnection, function: str, lock: Lock) -> bool:
    """Call one of the server's functions for locks, and return what it says."""
    statement = text(f"SELECT {function}{'_shared' if lock.shared else ''}(:what, :number)")
    return bool(await connection.scalar(statement, {"what": _CLASSES[lock.kind], "number": lock.number}))
