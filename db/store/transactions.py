"""A transaction as the store carries it out, whatever the store is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection

from db.store.failures import DatabaseError
from db.store.locks import Locks

T = TypeVar("T")

READS_A_PAGE: Final = "ambit_reads_a_page"
"""Execution option of the connections that serve people who play; `at_length_only` refuses them."""

Fault = Callable[[Exception, bool], DatabaseError]
"""What the sentence for an error of the driver is; whether it came while the transaction was being kept."""


class GivenUp(Exception):
    """Nobody waits for the transaction any more, so it is rolled back."""


def at_length_only(connection: Connection) -> None:
    """Refuse a question that reads more than a page on a connection for which people who play wait.

    Ask it by `Database.at_length` instead. Raises RuntimeError.
    """
    if connection.get_execution_options().get(READS_A_PAGE):
        raise RuntimeError("This reads more than a page: ask it by Database.at_length.")


class Wish:
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
        """It begins. Raises GivenUp."""
        with self._lock:
            self._begun = True
            self.check()

    def check(self) -> None:
        """Raises GivenUp where nobody waits for it."""
        if self._given_up:
            raise GivenUp


class Carrier(Protocol):
    """Where transactions run."""

    locks: Locks
    """What this process holds of the store, until it is closed."""

    async def carry(self, work: Callable[[Connection], T], *, writes: bool, at_length: bool = False) -> T:
        """One transaction: all of it is stored when `work` returns, nothing when it raises or this is cancelled.

        `at_length`: its statements may take as long as they need. What only reads then has a connection of its own,
        one for the whole process, so that nobody else waits for it. Raises DatabaseError.
        """

    async def close(self) -> None:
        """Give all connections back, and the locks."""


def carried_out(
    connection: Connection,
    work: Callable[[Connection], T],
    wish: Wish,
    errors: tuple[type[Exception], ...],
    fault: Fault,
) -> T:
    """What `work` returns, once it is stored. Whoever leaves the connection rolls back what was not committed.

    `errors` are those that the driver may raise at the commit; any other goes through as it is.
    """
    connection.begin()
    result = work(connection)
    wish.check()
    try:
        connection.commit()
    except errors as error:
        # Its transaction may still be open, and SQLAlchemy takes it for closed: whoever came next would find it so.
        connection.invalidate()
        raise fault(error, True) from error
    return result


async def waited_for(transaction: asyncio.Future[T], wish: Wish) -> T:
    """What the transaction returns. Whoever is cancelled meanwhile leaves once it has stored nothing, and is over."""
    try:
        await asyncio.wait([transaction])
    except asyncio.CancelledError:
        transaction.add_done_callback(_without_complaint)
        # Nobody is to find the transaction still under way, who comes after it was given up.
        while wish.give_up() and not transaction.done():
            # Cancelled once more: there is no more to it than the first time.
            with suppress(asyncio.CancelledError):
                await asyncio.wait([transaction])
        raise
    return transaction.result()


def _without_complaint(transaction: asyncio.Future[Any]) -> None:
    """That something went wrong is of no interest to anybody who has given up."""
    if not transaction.cancelled():
        transaction.exception()
