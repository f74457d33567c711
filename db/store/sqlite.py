"""An SQLite file as the store: threads, pragmas, and errors as sentences.

SQLite runs in WAL mode with foreign keys on. Writing transactions begin with BEGIN IMMEDIATE, so that two writers
collide early. Commits are synced to disk (``synchronous=FULL``): what a player has seen confirmed survives a crash of
the machine.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

import sqlalchemy
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from db.store.addresses import file_at
from db.store.counting import Statements
from db.store.failures import Conflict, DatabaseError
from db.store.file_locks import FileLocks
from db.store.files import make_private
from db.store.locks import Locks
from db.store.transactions import READS_A_PAGE, Caller, run_transaction, wait_for

READERS: Final = 4
"""Threads that read the file at the same time. One more runs the long reads."""

_WRITE: Final = {"ambit_write": True}
_LOCKED: Final = "locked"
_SENTENCES: Final = (
    (_LOCKED, "The database is in use by another program that keeps it locked; please try again."),
    ("readonly", "The database can only be read: file and folder must be writable for the bot."),
    ("unable to open", "The database can't be opened: its folder must exist and be readable and writable for the bot."),
    ("not a database", "This file isn't a database."),
    ("malformed", "The database is damaged; please restore a backup."),
    ("full", "The disk is full, so nothing could be stored."),
    ("disk i/o", "The disk couldn't be read or written, so nothing was stored."),
)
_PASSING: Final = (_LOCKED, "full", "disk i/o", "out of memory")
"""Failures after which a later retry may succeed."""

_UNSYNCED: Final = (sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC)
"""Only after these of SQLite's errors is the outcome of a failed commit unknown, until the machine has restarted."""

T = TypeVar("T")


class SqliteBackend:
    """The open file: one thread writes, since SQLite allows one writer, and some read.

    The queue for the writer's thread is fair and cheap. SQLite's own waiting is neither.
    """

    def __init__(self, url: URL, busy_timeout: timedelta) -> None:
        # The driver must not begin transactions by itself: BEGIN IMMEDIATE would come too late.
        arguments = {"isolation_level": None, "timeout": busy_timeout.total_seconds()}
        self.file = file = file_at(url)
        if file is not None:
            # If that fails, SQLite fails too when it opens the file, and explains it better.
            with suppress(OSError):
                make_private(file)
        self.locks: Locks = FileLocks(file)
        # Threads need only Python's driver, whatever the address names. Parameters of statements can hold players'
        # secrets. They must not get into errors, and from there into logs.
        self._engine = create_engine(url.set(drivername="sqlite"), connect_args=arguments, hide_parameters=True)
        event.listen(self._engine, "connect", _on_connect)
        event.listen(self._engine, "begin", _on_begin)
        self.statements = Statements()
        self.statements.of(self._engine)
        self._writing = self._engine.execution_options(**_WRITE)
        self._reading = self._engine.execution_options(**{READS_A_PAGE: True})
        self._writer = ThreadPoolExecutor(1, "ambit-writes")
        self._readers = ThreadPoolExecutor(READERS, "ambit-reads")
        self._long_reader = ThreadPoolExecutor(1, "ambit-long-reads")

    async def run(self, work: Callable[[Connection], T], *, writes: bool, at_length: bool = False) -> T:
        pool: ThreadPoolExecutor = self._writer
        engine: Engine = self._writing
        if not writes:
            pool, engine = (self._long_reader, self._engine) if at_length else (self._readers, self._reading)
        caller = Caller()
        future = asyncio.get_running_loop().run_in_executor(pool, _transaction, engine, work, caller)
        return await wait_for(future, caller)

    async def close(self) -> None:
        await self.locks.close()
        for pool in (self._writer, self._readers, self._long_reader):
            await asyncio.to_thread(pool.shutdown)
        await asyncio.to_thread(self._engine.dispose)


@contextmanager
def file_transaction(file: Path, *, writes: bool = False, patience: float = 0.0) -> Iterator[Connection]:
    """Run one transaction on a file, in this thread. It is committed at the end, or rolled back after an exception.

    The file keeps its journal mode. This waits for a lock for at most `patience` seconds. Raises DatabaseError for
    SQLite's errors. Other errors, such as another store's, propagate.
    """
    arguments = {"isolation_level": None, "timeout": patience}
    engine = create_engine(URL.create("sqlite", database=str(file)), connect_args=arguments, hide_parameters=True)
    event.listen(engine, "connect", _enforce_references)
    event.listen(engine, "begin", _on_begin)
    try:
        with engine.execution_options(**_WRITE if writes else {}).begin() as connection:
            yield connection
    except DBAPIError as error:
        if not isinstance(error.orig, sqlite3.Error):
            raise
        raise _fault(error, False) from error
    finally:
        engine.dispose()


def _transaction(engine: Engine, work: Callable[[Connection], T], caller: Caller) -> T:
    try:
        caller.begin()
        with engine.connect() as connection:
            return run_transaction(connection, work, caller, (SQLAlchemyError,), _fault)
    except SQLAlchemyError as error:
        raise _fault(error, False) from error


def _fault(error: Exception, committing: bool) -> DatabaseError:
    if isinstance(error, IntegrityError):
        return Conflict("Somebody else was faster.", transient=True)
    cause = error.orig if isinstance(error, DBAPIError) else error
    certain = isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode not in _UNSYNCED
    transient = _LOCKED in str(cause).lower() or (isinstance(error, DBAPIError) and error.connection_invalidated)
    uncertain, passes = committing and not certain, fault_passes(cause)
    # The lowest byte is the primary error code.
    damaged = isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CORRUPT
    sentence = _sentence(cause)
    return DatabaseError(sentence, transient=transient, uncertain=uncertain, passes=passes, damaged=damaged)


def fault_passes(cause: BaseException | None) -> bool:
    """Whether a later retry may succeed after this error of SQLite's."""
    return any(sign in str(cause).lower() for sign in _PASSING)


def _on_connect(connection: Any, record: object) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    _enforce_references(connection, record)


def _enforce_references(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA foreign_keys = ON")


def _on_begin(connection: sqlalchemy.Connection) -> None:
    write = connection.get_execution_options().get("ambit_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _sentence(cause: BaseException | None) -> str:
    """Return what went wrong in plain words. The technical text stays in the exception's cause, for the log."""
    text = str(cause).lower()
    known = next((sentence for sign, sentence in _SENTENCES if sign in text), None)
    if known is None and isinstance(cause, sqlite3.Error):
        return f"The database reports a fault ({cause})."
    return known or "The database can't be reached."
