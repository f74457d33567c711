"""One store, opened once: transactions, and every way in which it can fail, as a sentence.

A transaction is a plain function of a connection, and runs from its beginning to its end where it holds up nobody: with
SQLite in a thread, so that the event loop hands over once for all of it and not for every statement; with a server on
the loop, whose driver waits without blocking.

SQLite runs in WAL mode with foreign keys on; a transaction that writes begins with BEGIN IMMEDIATE, so two writers
never find out late that they collide. Commits are flushed to the disk (``synchronous=FULL``): what was confirmed to a
player survives the machine's death too.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, Protocol, Self, TypeVar

import sqlalchemy
from sqlalchemy import Connection, Engine, create_engine, delete, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from db.errors import Conflict, DatabaseError
from db.files import make_private
from db.meta import restores
from db.migrations import bring_up_to_date, check_up_to_date
from db.schema import meta

BUSY_TIMEOUT: Final = timedelta(seconds=5)

READERS: Final = 4
"""Threads that read an SQLite file at the same time."""

_WRITE: Final = {"ambit_write": True}
_LOCKED: Final = "locked"
_SENTENCES: Final = (
    (_LOCKED, "The database is in use by another program that keeps it locked; please try again."),
    ("readonly", "The database can only be read: file and folder must be writable for the bot."),
    (
        "unable to open",
        "The database can't be opened: its folder must exist and be readable and writable for the bot.",
    ),
    ("not a database", "This file isn't a database."),
    ("malformed", "The database is damaged; please restore a backup."),
    ("full", "The disk is full, so nothing could be stored."),
    ("disk i/o", "The disk couldn't be read or written, so nothing was stored."),
)
_UNSYNCED: Final = (sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC)
"""After these alone SQLite may have kept a transaction whose commit has failed: what the disk has made of it shows when
the machine comes up again. After any other fault it has kept nothing."""

P = ParamSpec("P")
T = TypeVar("T")


class _GivenUp(Exception):
    """Nobody waits for the transaction any more, so it is rolled back."""


class _Wish:
    """Whether somebody still waits for a transaction; one that nobody waits for keeps nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun = self._given_up = False

    def give_up(self) -> bool:
        """Nobody waits for it any more; whether it has begun, and has to come to its end."""
        with self._lock:
            self._given_up = True
            return self._begun

    def begin(self) -> None:
        """It begins. Raises _GivenUp."""
        with self._lock:
            self._begun = True
            self.check()

    def check(self) -> None:
        """Raises _GivenUp where nobody waits for it."""
        if self._given_up:
            raise _GivenUp


class _Carrier(Protocol):
    """Where transactions run."""

    async def carry(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        """One transaction: all of it is stored when `work` returns, nothing when it raises or this is cancelled."""

    async def close(self) -> None:
        """Give all connections back."""


class Database:
    """The open store. `Database.open` makes one; use it as ``async with await Database.open(url) as database``."""

    def __init__(self, carrier: _Carrier) -> None:
        self._carrier = carrier
        self.restores = 0
        """How often the store was put back from a backup, which happens only while nobody has it open."""

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True, busy_timeout: timedelta = BUSY_TIMEOUT) -> Self:
        """Open the store at `url` (``sqlite+aiosqlite:///ambit.db``), create it where missing, bring its schema up.

        With ``migrate=False`` nothing is changed. Raises DatabaseError: it cannot be opened, read or written, is no
        database, belongs to another program, or was written by a newer version (without migrating: or an older one).
        """
        try:
            address = make_url(url)
            address.get_dialect()
            carrier: _Carrier = _Threads(address, busy_timeout) if _is_sqlite(address) else _Loop(address)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise DatabaseError(
                "The database address can't be used; it looks like sqlite+aiosqlite:///ambit.db."
            ) from error
        database = cls(carrier)
        try:
            if migrate:
                await database.write(_migrated)
            else:
                await database.read(check_up_to_date)
            database.restores = await database.read(restores)
        except BaseException:
            await database.close()
            raise
        return database

    async def close(self) -> None:
        """Give all connections back."""
        await self._carrier.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def write(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, which reads and writes: all of it is stored at the end, or nothing after any exception.

        Cancelled before the end, it stores nothing, and has left the store alone when the cancellation goes on. One
        transaction writes at a time. Raises DatabaseError, and Conflict where a row with the same key was there first.
        """
        return await self._carrier.carry(lambda connection: work(connection, *args, **kwargs), writes=True)

    async def read(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns, which only reads: one moment's picture of the whole store. Raises DatabaseError."""
        return await self._carrier.carry(lambda connection: work(connection, *args, **kwargs), writes=False)


class _Threads:
    """An SQLite file: one thread writes, since SQLite has one writer at a time, and some read.

    Queueing for the writer's thread is fair and costs nothing; waiting in SQLite is neither.
    """

    def __init__(self, url: URL, busy_timeout: timedelta) -> None:
        # The driver must not begin transactions by itself, or BEGIN IMMEDIATE would come too late.
        arguments = {"isolation_level": None, "timeout": busy_timeout.total_seconds()}
        if url.database and url.database != ":memory:" and "uri" not in url.query:
            # Where that cannot be, SQLite finds the same when it opens the file, and says it better.
            with suppress(OSError):
                make_private(Path(url.database))
        # Whatever driver the address names: the one that comes with Python is all that threads need. What statements
        # are given is what people hold, so it gets into no error, and by that into no log.
        self._engine = create_engine(url.set(drivername="sqlite"), connect_args=arguments, hide_parameters=True)
        event.listen(self._engine, "connect", _on_connect)
        event.listen(self._engine, "begin", _on_begin)
        self._writing = self._engine.execution_options(**_WRITE)
        self._writer = ThreadPoolExecutor(1, "ambit-writes")
        self._readers = ThreadPoolExecutor(READERS, "ambit-reads")

    async def carry(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        pool, engine = (self._writer, self._writing) if writes else (self._readers, self._engine)
        wish = _Wish()
        future = asyncio.get_running_loop().run_in_executor(pool, _transaction, engine, work, wish)
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            future.add_done_callback(_without_complaint)
            # Nobody is to find the transaction still under way, who comes after it was given up.
            while wish.give_up() and not future.done():
                # Cancelled once more: there is no more to it than the first time.
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([future])
            raise
        return future.result()

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.shutdown)
        await asyncio.to_thread(self._readers.shutdown)
        await asyncio.to_thread(self._engine.dispose)


class _Loop:
    """A database server, whose driver waits for it on the event loop."""

    def __init__(self, url: URL) -> None:
        self._engine: AsyncEngine = create_async_engine(url, hide_parameters=True)

    async def carry(self, work: Callable[[Connection], T], *, writes: bool) -> T:
        try:
            async with self._engine.connect() as connection:
                return await connection.run_sync(_carried_out, work, _Wish())
        except SQLAlchemyError as error:
            raise _fault(error) from error

    async def close(self) -> None:
        await self._engine.dispose()


def _without_complaint(future: asyncio.Future[Any]) -> None:
    """That something went wrong is of no interest to anybody who has given up."""
    if not future.cancelled():
        future.exception()


def _transaction(engine: Engine, work: Callable[[Connection], T], wish: _Wish) -> T:
    try:
        wish.begin()
        with engine.connect() as connection:
            return _carried_out(connection, work, wish)
    except SQLAlchemyError as error:
        raise _fault(error) from error


def _carried_out(connection: Connection, work: Callable[[Connection], T], wish: _Wish) -> T:
    """Whoever leaves the connection rolls back what was not committed."""
    connection.begin()
    result = work(connection)
    wish.check()
    try:
        connection.commit()
    except SQLAlchemyError as error:
        # Its transaction may still be open, and SQLAlchemy takes it for closed: whoever came next would find it so.
        connection.invalidate()
        raise _fault(error, committing=True) from error
    return result


def _fault(error: SQLAlchemyError, *, committing: bool = False) -> DatabaseError:
    if isinstance(error, IntegrityError):
        return Conflict("Somebody else was faster.", transient=True)
    cause = error.orig if isinstance(error, DBAPIError) else error
    certain = isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode not in _UNSYNCED
    transient = _LOCKED in str(cause).lower() or (isinstance(error, DBAPIError) and error.connection_invalidated)
    return DatabaseError(_sentence(error), transient=transient, uncertain=committing and not certain)


def _migrated(connection: Connection) -> None:
    bring_up_to_date(connection)
    # SQLite tells that a file can only be read no sooner than at the first write.
    connection.execute(delete(meta).where(meta.c.key == ""))


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _on_connect(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _on_begin(connection: sqlalchemy.Connection) -> None:
    write = connection.get_execution_options().get("ambit_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _sentence(error: Exception) -> str:
    """What went wrong, in plain words; the technical text stays in the exception's cause, for the log."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    text = str(cause).lower()
    known = next((sentence for sign, sentence in _SENTENCES if sign in text), None)
    if known is None and isinstance(cause, sqlite3.Error):
        return f"The database reports a fault ({cause})."
    return known or "The database can't be reached."
