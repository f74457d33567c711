"""One store, opened once: connections, transactions, and every way in which it can fail, as a sentence.

SQLite runs in WAL mode with foreign keys on; a transaction that writes begins with BEGIN IMMEDIATE, so two writers
never find out late that they collide. Commits are flushed to the disk (``synchronous=FULL``): what was confirmed to a
player survives the machine's death too.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from datetime import timedelta
from typing import Any, Final, Self

import aiosqlite
import sqlalchemy
from sqlalchemy import delete, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from db import driver
from db.errors import Conflict, DatabaseError
from db.migrations import bring_up_to_date, check_up_to_date
from db.schema import meta

Connection = AsyncConnection
"""What a query runs on: a transaction of a `Database`."""

BUSY_TIMEOUT: Final = timedelta(seconds=5)

_WRITE: Final = {"ambit_write": True}
_SENTENCES: Final = (
    ("locked", "The database is in use by another program that keeps it locked; please try again."),
    ("readonly", "The database can only be read: file and folder must be writable for the bot."),
    (
        "unable to open",
        "The database cannot be opened: its folder must exist and be readable and writable for the bot.",
    ),
    ("not a database", "This file is not a database."),
    ("malformed", "The database is damaged; please restore a backup."),
    ("full", "The disk is full, so nothing could be stored."),
    ("disk i/o", "The disk could not be read or written, so nothing could be stored."),
)


class Database:
    """The open store. `Database.open` makes one; use it as ``async with await Database.open(url) as database``."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(**_WRITE)
        # SQLite has one writer at a time: queueing here is fair and costs nothing, waiting in SQLite is neither.
        self._writer: asyncio.Lock | None = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True, busy_timeout: timedelta = BUSY_TIMEOUT) -> Self:
        """Open the store at `url` (``sqlite+aiosqlite:///ambit.db``), create it where missing, bring its schema up.

        With ``migrate=False`` nothing is changed. Raises DatabaseError: it cannot be opened, read or written, is no
        database, belongs to another program, or was written by a newer version (without migrating: or an older one).
        """
        try:
            engine = _engine(make_url(url), busy_timeout)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise DatabaseError(
                "The database address cannot be used; it looks like sqlite+aiosqlite:///ambit.db."
            ) from error
        database = cls(engine)
        try:
            if engine.dialect.name == "sqlite":
                await asyncio.to_thread(_probe, engine)
            if migrate:
                async with database.transaction() as connection:
                    await connection.run_sync(bring_up_to_date)
                    # SQLite tells that a file can only be read no sooner than at the first write.
                    await connection.execute(delete(meta).where(meta.c.key == ""))
            else:
                async with database.reading() as connection:
                    await connection.run_sync(check_up_to_date)
        except sqlite3.Error as error:
            raise DatabaseError(_sentence(error)) from error
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """Give all connections back."""
        await self._engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """Read and write: all of it is stored at the end, or nothing after any exception (cancellation too).

        Raises DatabaseError, and Conflict where a row with the same key was there first.
        """
        if self._writer is None:
            async with self._begun(self._writing) as connection:
                yield connection
        else:
            async with self._writer, self._begun(self._writing) as connection:
                yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """Read only, one moment's picture of the whole store. Raises DatabaseError."""
        async with self._begun(self._engine) as connection:
            yield connection

    @asynccontextmanager
    async def _begun(self, engine: AsyncEngine) -> AsyncIterator[Connection]:
        try:
            async with engine.begin() as connection:
                yield connection
        except IntegrityError as error:
            raise Conflict("Somebody else was faster.") from error
        except SQLAlchemyError as error:
            raise DatabaseError(_sentence(error)) from error


def _engine(url: URL, busy_timeout: timedelta) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url)
    # The driver must not begin transactions by itself, or BEGIN IMMEDIATE would come too late.
    arguments = {"isolation_level": None, "async_creator_fn": driver.connect(busy_timeout)}
    engine = create_async_engine(url, connect_args=arguments)
    event.listen(engine.sync_engine, "connect", _on_connect)
    event.listen(engine.sync_engine, "begin", _on_begin)
    event.listen(engine.sync_engine, "invalidate", _on_invalidate)
    return engine


def _probe(engine: AsyncEngine) -> None:
    """Open and read the file once without aiosqlite, whose threads complain where that fails.

    Raises sqlite3.Error.
    """
    (place,), options = engine.dialect.create_connect_args(engine.url)
    with closing(sqlite3.connect(place, uri=options.get("uri", False))) as connection:
        connection.execute("PRAGMA schema_version").fetchone()


def _on_connect(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _on_begin(connection: sqlalchemy.Connection) -> None:
    write = connection.get_execution_options().get("ambit_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _on_invalidate(connection: Any, _record: object, _error: object) -> None:
    """Undo what a cancelled task has begun, before its connection is closed.

    SQLite closes a connection in earnest only when its last cursor is gone; until then it would keep the lock, and
    the traceback of the cancellation may hold a cursor for long.
    """
    connection.run_async(_roll_back)


async def _roll_back(connection: aiosqlite.Connection) -> None:
    # A second cancellation does not keep the driver's thread from doing it; the first one goes on afterwards.
    with suppress(asyncio.CancelledError):
        await asyncio.shield(connection.rollback())


def _sentence(error: Exception) -> str:
    """What went wrong, in plain words; the technical text stays in the exception's cause, for the log."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    text = str(cause).lower()
    known = next((sentence for sign, sentence in _SENTENCES if sign in text), None)
    if known is None and isinstance(cause, sqlite3.Error):
        return f"The database reports a fault ({cause})."
    return known or "The database cannot be reached."
