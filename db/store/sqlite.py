"""An SQLite file as the store: threads, pragmas, and errors as sentences.

Each connection and its thread are aiosqlite's. A whole transaction is one hand-over to the thread: statement by
statement, which is what SQLAlchemy's own dialect for aiosqlite does, costs twice the CPU, and the file's one write lock
is held while the loop does something else.

SQLite runs in WAL mode with foreign keys on. Writing transactions begin with BEGIN IMMEDIATE, so that two writers
collide early. Commits are synced to disk (``synchronous=FULL``): what a player has seen confirmed survives a crash of
the machine.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

import aiosqlite
import sqlalchemy
from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from db.failures import Conflict, DatabaseError
from db.store.addresses import file_at
from db.store.counting import Statements
from db.store.file_locks import FileLocks
from db.store.files import make_private
from db.store.locks import Locks
from db.store.transactions import READS_A_PAGE, Caller, run_transaction, wait_for

READERS: Final = 4
"""Threads that read the file at the same time. One more runs the long reads."""

_WRITE: Final = {"ambit_write": True}
_LOCKED: Final = "locked"
_GONE: Final = "The database's file is gone, or another one is in its place: stop the bot, and put back the right one."
_IN_USE: Final = "The database is in use by another program that keeps it locked; please try again."
_SENTENCES: Final = (
    (_LOCKED, _IN_USE),
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
        opened = None if file is None else _identity(file)

        def is_there() -> bool:
            # Linux lets a program write to a file that was deleted, and nobody would find it again.
            return file is None or _identity(file) == opened

        self.locks: Locks = FileLocks(file)
        # Parameters of statements can hold players' secrets. They must not get into errors, and from there into logs.
        engine = create_engine(
            url.set(drivername="sqlite"),
            connect_args=arguments,
            poolclass=NullPool,
            hide_parameters=True,
            json_deserializer=_parsed,
        )
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
        self.statements = Statements()
        self.statements.of(engine)
        self._writer = _thread("ambit-writes", engine.execution_options(**_WRITE), _Locked(), is_there)
        locked = _Locked()
        self._long_reader = _thread("ambit-long-reads", engine, locked)
        reading = engine.execution_options(**{READS_A_PAGE: True})
        self._readers = [_thread(f"ambit-reads-{number}", reading, locked) for number in range(READERS)]
        self._free_readers = asyncio.Semaphore(READERS)
        self._started: list[aiosqlite.Connection] = []
        self._running: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        async def start(thread: aiosqlite.Connection) -> None:
            self._started.append(await thread)

        await _undisturbed(asyncio.gather(*map(start, (self._writer, self._long_reader, *self._readers))))

    async def run(self, work: Callable[[Connection], T], *, writes: bool, at_length: bool = False) -> T:
        caller = Caller()
        if writes or at_length:
            transaction = _hand_over(self._writer if writes else self._long_reader, work, caller)
        else:
            transaction = self._read(work, caller)
        task = asyncio.create_task(transaction)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await wait_for(task, caller)

    async def close(self) -> None:
        started, self._started = self._started, []

        async def stop() -> None:
            # Whoever closes last moves the journal into the file. Of two at the same moment neither does.
            for thread in sorted(started, key=lambda thread: thread is self._writer):
                if (stopped := thread.stop()) is not None:
                    await stopped

        try:
            await self.locks.close()
            await _undisturbed(asyncio.gather(*self._running, return_exceptions=True))
        finally:
            # They aren't daemons: the process ends only when all have ended.
            await _undisturbed(asyncio.ensure_future(stop()))

    async def _read(self, work: Callable[[Connection], T], caller: Caller) -> T:
        async with self._free_readers:
            reader = self._readers.pop()
            try:
                return await _hand_over(reader, work, caller)
            finally:
                self._readers.append(reader)


class _Done(NamedTuple):
    """A transaction that was stored, as aiosqlite asks for its result."""

    result: Any

    def fetchall(self) -> Any:
        return self.result


class _Locked:
    """When another program's lock last outlasted the patience of a transaction, for all that wait in the same line.

    Whoever came before that has waited, too. If each then waited by itself, the last would be told after minutes.
    """

    def __init__(self) -> None:
        self._at = float("-inf")

    def check(self, caller: Caller) -> None:
        """Raise DatabaseError if somebody gave up while this caller waited."""
        if caller.came < self._at:
            raise DatabaseError(_IN_USE, passes=True)

    def note(self, error: DatabaseError) -> DatabaseError:
        """Note the failure of a transaction, and return it."""
        if str(error) == _IN_USE:
            self._at = time.monotonic()
        return error


class _Transactions:
    """One connection to the file, as aiosqlite owns it: what it executes is a whole transaction."""

    def __init__(self, name: str, engine: Engine, locked: _Locked, is_there: Callable[[], bool]) -> None:
        threading.current_thread().name = name
        self._engine = engine
        self._locked, self._is_there = locked, is_there
        self._connection: Connection | None = None

    def execute(self, work: Callable[[Connection], Any], caller: Caller) -> _Done:
        """Run a transaction to its end, and return its result. Raises DatabaseError and what `work` raises."""
        try:
            caller.begin()
            self._locked.check(caller)
            if not self._is_there():
                raise DatabaseError(_GONE)
            if self._connection is None:
                self._connection = self._engine.connect()
            return _Done(run_transaction(self._connection, work, caller, (SQLAlchemyError,), _fault))
        except SQLAlchemyError as error:
            raise self._locked.note(_fault(error, False)) from error
        finally:
            self._roll_back()

    def close(self) -> None:
        """Close the file. Raises nothing: SQLAlchemy's pool logs an error."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _roll_back(self) -> None:
        """End what `execute` has left open. If even that fails, the next transaction opens the file again."""
        if self._connection is not None:
            try:
                self._connection.rollback()
            except SQLAlchemyError:
                self.close()


def _parsed(text: str) -> Any:
    """Return what a JSON column holds. Most are empty lists, and a match is read with some for each of its seats."""
    return [] if text == "[]" else json.loads(text)


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one with its name; ``None`` if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _thread(
    name: str, engine: Engine, locked: _Locked, is_there: Callable[[], bool] = lambda: True
) -> aiosqlite.Connection:
    """Return a connection that starts its thread when it is awaited."""
    return aiosqlite.Connection(cast(Any, lambda: _Transactions(name, engine, locked, is_there)), iter_chunk_size=1)


async def _undisturbed(work: asyncio.Future[Any]) -> None:
    """Wait until this is done, also if the waiting task is cancelled: that propagates afterwards."""
    caller = Caller()
    caller.begin()
    await wait_for(work, caller)


async def _hand_over(thread: aiosqlite.Connection, work: Callable[[Connection], T], caller: Caller) -> T:
    """Run a transaction in this thread: aiosqlite passes both arguments to `execute` there, and fetches the result."""
    return cast(T, await thread.execute_fetchall(cast(Any, work), cast(Any, caller)))


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


def _fault(error: Exception, committing: bool) -> DatabaseError:
    if isinstance(error, IntegrityError):
        return Conflict("Somebody else was faster.", transient=True)
    cause = error.orig if isinstance(error, DBAPIError) else error
    # Python's own errors, such as that a connection is closed, have no code.
    code = getattr(cause, "sqlite_errorcode", None)
    certain = isinstance(cause, sqlite3.Error) and code not in _UNSYNCED
    transient = _LOCKED in str(cause).lower() or (isinstance(error, DBAPIError) and error.connection_invalidated)
    uncertain, passes = committing and not certain, fault_passes(cause)
    # The lowest byte is the primary error code.
    damaged = code is not None and code & 0xFF == sqlite3.SQLITE_CORRUPT
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
