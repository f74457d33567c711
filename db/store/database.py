"""The open store: runs transactions, and turns every failure into a DatabaseError with a sentence for people.

A transaction is a plain function of a connection. With SQLite it runs in a thread, so that the event loop switches once
per transaction, not per statement (`db.store.sqlite`). With PostgreSQL it runs on the loop, since the driver is
asynchronous (`db.store.postgres`).
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, delete
from sqlalchemy.engine import URL

from db.failures import Conflict, DatabaseError
from db.migrations import bring_up_to_date, check_up_to_date
from db.model.schema import meta
from db.store.addresses import address_of, file_at, is_file
from db.store.file_locks import FileLocks
from db.store.locks import ALL_SHARDS, Locks, LockTaken, acquire
from db.store.meta import restores
from db.store.sqlite import SqliteBackend
from db.store.transactions import Backend

log = logging.getLogger(__name__)

BUSY_TIMEOUT: Final = timedelta(seconds=5)
"""How long to wait for what another program or process has locked."""

_NO_DRIVER: Final = "For PostgreSQL the bot needs its extra: python -m pip install -r requirements-postgresql.txt."

P = ParamSpec("P")
T = TypeVar("T")

KINDS: Final = ("read", "write", "long read", "long write")
OUTCOMES: Final = ("done", "conflict", "failed")
"""What is counted of transactions."""


class Database:
    """The open store. Use it as ``async with await Database.open(url) as database``."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.transactions: Counter[tuple[str, str]] = Counter(dict.fromkeys(product(KINDS, OUTCOMES), 0))
        """How many transactions there were, by one of `KINDS` and of `OUTCOMES`."""
        self.restores = 0
        """How often the store was restored from a backup. That happens only while it is closed."""

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True, busy_timeout: timedelta = BUSY_TIMEOUT) -> Self:
        """Open the store at `url` (``sqlite+aiosqlite:///ambit.db``), create a missing file, migrate the schema.

        With ``migrate=False`` nothing is changed. Raises DatabaseError if the store can't be opened, read or written,
        is no database, belongs to another program, or has a newer schema (without migrating: or an older one).
        """
        database = cls(backend := _backend(url, busy_timeout))
        try:
            await backend.open()
            if migrate:
                began = time.monotonic()
                migrated = await database.at_length(bring_up_to_date, writes=True)
                if migrated is not None:
                    _log_migration(*migrated, time.monotonic() - began)
                # A read-only or locked store fails only at the first write.
                await database.write(Connection.execute, delete(meta).where(meta.c.key == ""))
            else:
                await database.read(check_up_to_date)
            database.restores = await database.read(restores)
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def file(self) -> Path | None:
        """The file of the store; ``None`` for a server."""
        return self._backend.file

    @property
    def statements(self) -> dict[str, int]:
        """How many statements were executed, by kind."""
        return self._backend.statements.counts

    @property
    def locks(self) -> Locks:
        """The locks that this process holds until the store is closed."""
        return self._backend.locks

    async def close(self) -> None:
        """Close all connections and release the locks."""
        await self._backend.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def write(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a transaction, and return its result.

        An exception, or a cancellation before the commit, rolls back. The transaction has ended before a cancellation
        propagates. SQLite runs one writing transaction at a time, PostgreSQL one per match. Raises DatabaseError, and
        Conflict if a row with the same key exists.
        """
        return await self._run(lambda connection: work(connection, *args, **kwargs), writes=True)

    async def read(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work`, which only reads, on a snapshot of the store, and return its result. Raises DatabaseError."""
        return await self._run(lambda connection: work(connection, *args, **kwargs), writes=False)

    async def at_length(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        """Run `work` without a time limit for statements, otherwise as `write` or `read`.

        Writes: for changes of all rows before anybody plays. Reads: for more than a page; they run one after another.
        """
        return await self._run(work, writes=writes, at_length=True)

    async def _run(self, work: Callable[[Connection], T], *, writes: bool, at_length: bool = False) -> T:
        kind = f"{'long ' if at_length else ''}{'write' if writes else 'read'}"
        try:
            result = await self._backend.run(work, writes=writes, at_length=at_length)
        except DatabaseError as error:
            self.transactions[kind, "conflict" if isinstance(error, Conflict) else "failed"] += 1
            raise
        self.transactions[kind, "done"] += 1
        return result


@asynccontextmanager
async def alone(url: str) -> AsyncIterator[None]:
    """Keep every bot off the store at `url` meanwhile, to change it as a whole.

    This opens only the lock. Raises DatabaseError if a bot carries a shard, or the server can't be reached.
    """
    address = address_of(url)
    locks = FileLocks(file_at(address)) if is_file(address) else _server(address, BUSY_TIMEOUT).locks
    try:
        await acquire(locks, (ALL_SHARDS,))
        yield
    except LockTaken as error:
        raise DatabaseError("The database is in use: stop the bot first.") from error
    finally:
        await locks.close()


def _backend(url: str, busy_timeout: timedelta) -> Backend:
    address = address_of(url)
    if is_file(address):
        return SqliteBackend(address, busy_timeout)
    return _server(address, busy_timeout)


def _server(address: URL, busy_timeout: timedelta) -> Backend:
    try:
        from db.store.postgres import PostgresBackend
    except ModuleNotFoundError as error:
        raise DatabaseError(_NO_DRIVER) from error
    return PostgresBackend(address, busy_timeout)


def _log_migration(before: str | None, after: str | None, seconds: float) -> None:
    if before is None:
        log.info("the database's tables were made (schema %s) in %.1f s", after, seconds)
    else:
        log.info("the database was brought from schema %s to %s in %.1f s", before, after, seconds)
