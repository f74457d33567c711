"""One store, opened once: transactions, and every way in which it can fail, as a sentence.

A transaction is a plain function of a connection. With SQLite all of it runs in a thread, so that the event loop hands
over once and not for every statement (`db.store.sqlite`). With a server it runs on the loop: the driver waits without
blocking (`db.store.postgres`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Concatenate, Final, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, delete
from sqlalchemy.engine import URL

from db.migrations import bring_up_to_date, check_up_to_date
from db.model.schema import meta
from db.store.addresses import address_of, file_at, is_file
from db.store.failures import DatabaseError
from db.store.file_locks import FileLocks
from db.store.locks import ALL_SHARDS, Locks, Taken, hold
from db.store.sqlite import Threads
from db.store.transactions import Carrier
from db.upkeep.meta import restores

log = logging.getLogger(__name__)

BUSY_TIMEOUT: Final = timedelta(seconds=5)
"""For what another program or process has locked."""

_NO_DRIVER: Final = "For PostgreSQL the bot needs its extra: python -m pip install -r requirements-postgresql.txt."

P = ParamSpec("P")
T = TypeVar("T")


class Database:
    """The open store. `Database.open` makes one; use it as ``async with await Database.open(url) as database``."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self.restores = 0
        """How often the store was put back from a backup, which happens only while nobody has it open."""

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True, busy_timeout: timedelta = BUSY_TIMEOUT) -> Self:
        """Open the store at `url` (``sqlite+aiosqlite:///ambit.db``), create a missing file, bring the schema up.

        With ``migrate=False`` nothing is changed. Raises DatabaseError: it cannot be opened, read or written, is no
        database, belongs to another program, or was written by a newer version (without migrating: or an older one).
        """
        database = cls(_carrier(url, busy_timeout))
        try:
            if migrate:
                began = time.monotonic()
                migrated = await database.at_length(bring_up_to_date, writes=True)
                if migrated is not None:
                    _log_migration(*migrated, time.monotonic() - began)
                await database.write(_changed_in_nothing)
            else:
                await database.read(check_up_to_date)
            database.restores = await database.read(restores)
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def locks(self) -> Locks:
        """What this process holds of the store, until it is closed."""
        return self._carrier.locks

    async def close(self) -> None:
        """Give all connections back, and the locks."""
        await self._carrier.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def write(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, which reads and writes: all of it is stored at the end, or nothing after any exception.

        Cancelled before the end, it stores nothing, and has left the store alone when the cancellation goes on. With
        SQLite one transaction writes at a time, with a server one at each match. Raises DatabaseError, and Conflict
        where a row with the same key was there first.
        """
        return await self._carrier.carry(lambda connection: work(connection, *args, **kwargs), writes=True)

    async def read(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, which only reads: one moment's picture of the whole store. Raises DatabaseError."""
        return await self._carrier.carry(lambda connection: work(connection, *args, **kwargs), writes=False)

    async def at_length(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        """As `write` or `read`, however long a statement takes.

        Writes: what is done to all rows before anybody plays. Reads: more than a page, one such work after the other.
        """
        return await self._carrier.carry(work, writes=writes, at_length=True)


@asynccontextmanager
async def alone(url: str) -> AsyncIterator[None]:
    """While no bot carries a shard of the store at `url`, and none can start: for whoever changes it as a whole.

    Nothing is opened or made but the lock. Raises DatabaseError: a bot carries one, or the server cannot be reached.
    """
    address = address_of(url)
    locks = FileLocks(file_at(address)) if is_file(address) else _server(address, BUSY_TIMEOUT).locks
    try:
        await hold(locks, (ALL_SHARDS,))
        yield
    except Taken as error:
        raise DatabaseError("The database is in use: stop the bot first.") from error
    finally:
        await locks.close()


def _carrier(url: str, busy_timeout: timedelta) -> Carrier:
    """What carries transactions out at this address. Raises DatabaseError."""
    address = address_of(url)
    if is_file(address):
        return Threads(address, busy_timeout)
    return _server(address, busy_timeout)


def _server(address: URL, busy_timeout: timedelta) -> Carrier:
    try:
        from db.store.postgres import Server
    except ModuleNotFoundError as error:
        raise DatabaseError(_NO_DRIVER) from error
    return Server(address, busy_timeout)


def _log_migration(before: str | None, after: str | None, seconds: float) -> None:
    if before is None:
        log.info("the database's tables were made (schema %s) in %.1f s", after, seconds)
    else:
        log.info("the database was brought from schema %s to %s in %.1f s", before, after, seconds)


def _changed_in_nothing(connection: Connection) -> None:
    # That a store can only be read, or that another program keeps it locked, shows no sooner than at the first write.
    connection.execute(delete(meta).where(meta.c.key == ""))
