"""A PostgreSQL server as the store: connections, timeouts, and errors as sentences.

Writing transactions run in READ COMMITTED and lock the match first (`db.matches.queries.table`), so that later reads of
it are consistent. Reading transactions get a snapshot (REPEATABLE READ). The server releases a dead machine's locks by
itself: keepalives detect dead clients, and idle transactions time out.

A pooler in session mode (PgBouncer) may stand in between. It refuses most parameters of a new connection, so the first
statement sets the limits. In transaction mode settings, locks and prepared statements get lost: `open` refuses that.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import asyncpg
from sqlalchemy import Connection, NullPool
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from db.failures import Conflict, DatabaseError
from db.store.addresses import servers_of
from db.store.counting import Statements
from db.store.locks import Locks
from db.store.server_locks import POOLED, SESSION, ServerLocks
from db.store.transactions import READS_A_PAGE, Caller, Fault, run_transaction, wait_for

OLDEST: Final = 15
"""The oldest major version of PostgreSQL that is tested."""

CONNECTIONS: Final = 10
"""The size of a process's connection pool, without the connections for locks and for long reads.

If all are busy, a transaction waits for one.
"""

CONNECT_WITHIN: Final = timedelta(seconds=5)
"""The timeout for a new connection, and for a busy pool."""

ANSWER_WITHIN: Final = timedelta(seconds=10)
"""The timeout of one statement."""

IDLE_WITHIN: Final = timedelta(seconds=15)
"""The server ends a transaction that is idle for so long: its client is gone."""

_KEEPALIVES: Final = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}

ERRORS: Final = (
    *(SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.exceptions.InternalClientError),
    *(OSError, TimeoutError),
)
"""The driver's errors that reach us. While connecting, SQLAlchemy doesn't translate them."""

TOO_OLD: Final = "The database server at {} is PostgreSQL {}, and the bot needs version {} or newer."

_DAMAGED: Final = ("XX001", "XX002")
"""A page of a table or an index can't be read."""

_BY_STATE: Final = {
    "08": "The connection to the database server was lost; please try again.",
    "28": "The database refuses this user or password.",
    "3D": "The server has no such database.",
    "3F": "The database has no such schema.",
    "25": "The database can only be read: it may be a standby.",
    "40": "Two transactions of the database were in each other's way; please try again.",
    "42501": "The database's user isn't allowed to do that: it must own the bot's database.",
    "53": "The database server is out of room.",
    "53100": "The disk of the database server is full, so nothing could be stored.",
    "53300": "The database server has no connection left; please try again.",
    "55P03": "The database is in use by another program that keeps it locked; please try again.",
    "57014": "The database took too long to answer; please try again.",
    "57P01": "The database server is stopping; please try again.",
    "57P02": "The database server has broken down and is starting again; please try again.",
    "57P03": "The database server is starting or stopping; please try again.",
    "58": "The database server couldn't read or write its disk, so nothing was stored.",
    "XX": "The database server has found a fault of its own; please restore a backup if it stays.",
}
"""Sentences by SQLSTATE; the longest matching prefix counts (PostgreSQL, Appendix A)."""

_PASSES: Final = ("08", "40", "53300", "55P03", "57P01", "57P02", "57P03")
"""Failures after which an immediate retry may succeed."""

_PASSES_LATER: Final = (*_PASSES, "25006", "53", "57", "58")
"""Failures after which a later retry may succeed: the disk has room again, a standby has become the primary."""

_OF_SETTINGS: Final = (asyncpg.exceptions.ClientConfigurationError, ssl.SSLCertVerificationError)
"""Failures without an SQLSTATE that last until somebody changes the address or the server's certificate."""

_REASONS: Final = {
    asyncpg.exceptions.ClientConfigurationError: "an option in its address has a value that can't be used",
    asyncpg.exceptions.TargetServerAttributeNotMatched: "no server fits target_session_attrs",
}

_NO_CONNECTION_LEFT: Final = "53300"

_STATEMENT_LOST: Final = ("26000", "42P05")
"""A prepared statement isn't there, or somebody else's is: transactions don't keep their session."""

_BY_STATEMENT: Final = "statement pooling"
"""What PgBouncer says of a transaction in a mode in which not even that keeps its session."""

_UNANSWERED: Final = ("08", "57P01", "57P02")
"""Failures that come instead of the server's answer. A commit may have succeeded before them."""

UNREACHED: Final = "The database server at {} can't be reached ({})."
SILENT: Final = "The database server at {} doesn't answer; please try again."
BUSY: Final = "The database server has no connection left for me; please try again."

T = TypeVar("T")


class PostgresBackend:
    """The open database. The driver is asynchronous, so a transaction blocks nobody."""

    file: Path | None = None

    def __init__(self, url: URL, busy_timeout: timedelta) -> None:
        self._servers = servers_of(url)
        self._fault: Fault = partial(_fault, self._servers)
        # People may read other faults. These are the operator's.
        self._start_fault: Fault = partial(_fault, self._servers, quotes=True)
        limits = {
            "lock_timeout": str(round(busy_timeout.total_seconds() * 1000)),
            "idle_in_transaction_session_timeout": str(round(IDLE_WITHIN.total_seconds() * 1000)),
        }
        pool = {"pool_size": CONNECTIONS, "max_overflow": 0, "pool_timeout": CONNECT_WITHIN.total_seconds()}
        self._engine = _engine(url, limits, ANSWER_WITHIN.total_seconds(), **pool)
        # Long writes get a connection of their own, made and closed for each.
        self._writers = {False: self._engine, True: _engine(url, {}, None, poolclass=NullPool)}
        snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._long_engine = _engine(url, {}, None, pool_size=1, max_overflow=0)
        self.statements = Statements()
        for engine in (self._engine, self._writers[True], self._long_engine):
            self.statements.of(engine.sync_engine)
        self._readers = {
            False: self._engine.execution_options(**snapshot, **{READS_A_PAGE: True}),
            True: self._long_engine.execution_options(**snapshot),
        }
        self._long_turn = asyncio.Lock()
        one_by_one = _engine(
            url, limits, ANSWER_WITHIN.total_seconds(), poolclass=NullPool, isolation_level="AUTOCOMMIT"
        )
        self.locks: Locks = ServerLocks(one_by_one, ERRORS, self._start_fault)

    async def open(self) -> None:
        """Check the server's version, and that each connection keeps its session. Raises DatabaseError."""
        session = None
        try:
            async with AsyncExitStack() as stack:
                first = await stack.enter_async_context(self._engine.connect())
                raw = (await first.get_raw_connection()).driver_connection
                assert raw is not None
                if (version := raw.get_server_version().major) < OLDEST:
                    raise DatabaseError(TOO_OLD.format(self._servers, version, OLDEST))
                session = await _session(first)
                for _ in range(2):
                    # A transaction that stays open. In transaction mode a pooler gives it the idle session of `first`,
                    # or gives `first` another one. With two, it doesn't matter in which order it does.
                    other = await stack.enter_async_context(self._engine.connect())
                    if await other.scalar(SESSION) == session or await _session(first) != session:
                        raise DatabaseError(POOLED)
        except ERRORS as error:
            # Without a connection left for `other`, this can't be checked. `ServerLocks` goes on checking its own.
            if session is None or getattr(_cause(error), "sqlstate", None) != _NO_CONNECTION_LEFT:
                raise self._start_fault(error, False) from error

    async def run(self, work: Callable[[Connection], T], *, writes: bool, at_length: bool = False) -> T:
        engine = (self._writers if writes else self._readers)[at_length]
        # The commit of a transaction that only reads is never uncertain.
        fault: Fault = self._fault if writes else lambda error, committing: self._fault(error, False)
        caller = Caller()
        caller.begin()
        # A cancelled transaction goes on to its end without storing anything: aborting a statement costs the
        # connection.
        trying = self._in_turn if at_length and not writes else self._retried
        return await wait_for(asyncio.create_task(trying(engine, work, caller, fault)), caller)

    async def close(self) -> None:
        await self.locks.close()
        for engine in (self._engine, self._long_engine):
            with suppress(*ERRORS):
                await engine.dispose()

    async def _in_turn(self, engine: AsyncEngine, work: Callable[[Connection], T], caller: Caller, fault: Fault) -> T:
        """Run a long read when no other one runs: they share one connection."""
        async with self._long_turn:
            caller.check()
            return await self._retried(engine, work, caller, fault)

    async def _retried(self, engine: AsyncEngine, work: Callable[[Connection], T], caller: Caller, fault: Fault) -> T:
        """Run the transaction, with one retry if the pool's connection had died unnoticed."""
        try:
            return await self._once(engine, work, caller, fault)
        except DatabaseError as error:
            if error.uncertain or not _is_disconnected(error.__cause__):
                raise
        return await self._once(engine, work, caller, fault)

    async def _once(self, engine: AsyncEngine, work: Callable[[Connection], T], caller: Caller, fault: Fault) -> T:
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(run_transaction, work, caller, ERRORS, fault)
        except ERRORS as error:
            raise fault(error, False) from error


async def _session(connection: AsyncConnection) -> object:
    """Return the number of the server's process that serves this connection, in a transaction of its own."""
    found = await connection.scalar(SESSION)
    await connection.commit()
    return found


async def _connect(limits: Mapping[str, str], *where: Any, **options: Any) -> asyncpg.Connection:
    """Return a new connection with these limits."""
    connection = await asyncpg.connect(*where, **options)
    settings = "; ".join(f"SET {name} = {value}" for name, value in limits.items())
    try:
        await connection.execute(settings, timeout=CONNECT_WITHIN.total_seconds())
    except BaseException:
        connection.terminate()
        raise
    return connection


def _engine(url: URL, limits: Mapping[str, str], answer_within: float | None, **pool: Any) -> AsyncEngine:
    return create_async_engine(
        url,
        # Parameters of statements can hold players' secrets. They must not get into errors, and from there into logs.
        hide_parameters=True,
        connect_args={
            "timeout": CONNECT_WITHIN.total_seconds(),
            "command_timeout": answer_within,
            "server_settings": {"application_name": "ambit"},
            "async_creator_fn": partial(_connect, {**limits, **_KEEPALIVES}),
        },
        **pool,
    )


def _is_disconnected(error: BaseException | None) -> bool:
    """Whether the connection was dead, as pooled ones are after a restart of the server."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _fault(servers: str, error: Exception, committing: bool, *, quotes: bool = False) -> DatabaseError:
    """Return an error of the driver as a sentence, which `quotes` the server if it's for the operator alone."""
    if isinstance(error, IntegrityError):
        return Conflict("Somebody else was faster.", transient=True)
    cause = _cause(error)
    state = getattr(cause, "sqlstate", None) or ""
    cut = not state or state.startswith(_UNANSWERED)
    transient = state.startswith(_PASSES) or _is_disconnected(error)
    passes = state.startswith(_PASSES_LATER) if state else not isinstance(cause, _OF_SETTINGS)
    sentence = _sentence(cause, state, servers)
    if quotes and isinstance(cause, asyncpg.PostgresError):
        words = str(cause).partition("\n")[0].rstrip(".")
        if state in _STATEMENT_LOST or _BY_STATEMENT in words:
            return DatabaseError(POOLED)
        sentence = f"{sentence[:-1]} (the server says: {words})."
        sentence = UNREACHED.format(servers, words) if state.startswith("08") else sentence
    uncertain, damaged = committing and cut, state.startswith(_DAMAGED)
    return DatabaseError(sentence, transient=transient, uncertain=uncertain, passes=passes, damaged=damaged)


def _cause(error: BaseException) -> BaseException:
    """Return the driver's own error, which SQLAlchemy has wrapped twice."""
    cause = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
        while cause.__cause__ is not None:
            cause = cause.__cause__
    return cause


def _sentence(cause: BaseException, state: str, servers: str) -> str:
    """Return what went wrong in plain words. The technical text stays in the exception's cause, for the log."""
    known = [begin for begin in _BY_STATE if state.startswith(begin)]
    if known:
        return _BY_STATE[max(known, key=len)]
    if isinstance(cause, NoConnection):
        return BUSY
    if isinstance(cause, TimeoutError):
        return SILENT.format(servers)
    if isinstance(cause, asyncpg.PostgresError):
        return f"The database reports a fault (SQLSTATE {state})."
    return UNREACHED.format(servers, _why(cause))


def _why(cause: BaseException) -> str:
    """Return why there is no connection, from the operating system: a driver's own words could contain the address."""
    if isinstance(cause, ssl.SSLError):
        return str(getattr(cause, "reason", None) or cause)
    if isinstance(cause, socket.gaierror):
        return str(cause.strerror)
    if isinstance(cause, OSError) and cause.errno:
        return os.strerror(cause.errno)
    return _REASONS.get(type(cause), type(cause).__name__)
