"""How both kinds of store run a transaction."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, func, select

from db.failures import DatabaseError
from db.model.upserts import SQLITE
from db.store.counting import Statements
from db.store.locks import Locks

T = TypeVar("T")

READS_A_PAGE: Final = "ambit_reads_a_page"
"""Execution option of the connections that serve players. `at_length_only` refuses them."""

Fault = Callable[[Exception, bool], DatabaseError]
"""Makes a DatabaseError of a driver's error. The flag says whether the commit failed."""


class TransactionCancelled(Exception):
    """The caller was cancelled, so the transaction is rolled back."""


def at_length_only(connection: Connection) -> None:
    """Raise RuntimeError on a connection that players wait for: this query needs `Database.at_length`."""
    if connection.get_execution_options().get(READS_A_PAGE):
        raise RuntimeError("This reads more than a page: ask it by Database.at_length.")


def wait_for_turn(transaction: Connection, *what: object) -> None:
    """Take the lock of this name until the transaction ends, for transactions that share no row to lock.

    SQLite runs one writing transaction at a time. PostgreSQL runs several, so a transaction that decides by what it has
    read needs a lock, even if there is no row yet.
    """
    if transaction.dialect.name != SQLITE:
        name = " ".join(map(str, what))
        transaction.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


class Caller:
    """The caller of a transaction, who may be cancelled. Then the transaction stores nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._has_begun = self._cancelled = False
        self.came = time.monotonic()
        """When the transaction was asked for."""

    def cancel(self) -> bool:
        """Note the cancellation. Return whether the transaction has begun, and must be waited for."""
        with self._lock:
            self._cancelled = True
            return self._has_begun

    def begin(self) -> None:
        """Note that the transaction begins. Raises TransactionCancelled."""
        with self._lock:
            self._has_begun = True
            self.check()

    def check(self) -> None:
        """Raise TransactionCancelled if the caller was cancelled."""
        if self._cancelled:
            raise TransactionCancelled


class Backend(Protocol):
    """Runs the transactions of one store."""

    locks: Locks
    """The locks that this process holds until the store is closed."""
    file: Path | None
    """The file of an SQLite store."""
    statements: Statements
    """Counts what is executed."""

    async def open(self) -> None:
        """Start what runs transactions. Call it before `run`."""

    async def run(self, work: Callable[[Connection], T], *, writes: bool, at_length: bool = False) -> T:
        """Run a transaction. It is committed when `work` returns, and rolled back after an exception or a cancellation.

        `at_length`: statements have no time limit. Long reads share one connection of their own, so that nobody else
        waits for them. Raises DatabaseError.
        """

    async def close(self) -> None:
        """Close all connections and release the locks."""


def run_transaction(
    connection: Connection,
    work: Callable[[Connection], T],
    caller: Caller,
    errors: tuple[type[Exception], ...],
    fault: Fault,
) -> T:
    """Run `work`, commit, and return its result. To roll back, the caller closes the connection.

    `errors` are the driver's errors at a commit, which become DatabaseErrors. Any other error propagates.
    """
    connection.begin()
    result = work(connection)
    caller.check()
    try:
        connection.commit()
    except errors as error:
        # The transaction may still be open, though SQLAlchemy takes it for closed. Don't reuse the connection.
        connection.invalidate()
        raise fault(error, True) from error
    return result


async def wait_for(transaction: asyncio.Future[T], caller: Caller) -> T:
    """Wait for the transaction, and return its result. It has always ended before a cancellation propagates."""
    try:
        await asyncio.wait([transaction])
    except asyncio.CancelledError:
        transaction.add_done_callback(_ignore_result)
        while caller.cancel() and not transaction.done():
            # Ignore further cancellations.
            with suppress(asyncio.CancelledError):
                await asyncio.wait([transaction])
        raise
    return transaction.result()


def _ignore_result(transaction: asyncio.Future[Any]) -> None:
    """Retrieve the exception, so that asyncio doesn't log it: the caller was cancelled."""
    if not transaction.cancelled():
        transaction.exception()
