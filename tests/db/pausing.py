"""A transaction that pauses at a chosen point until the test lets it continue."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from db import Connection
from tests.store import SERVER, Outsider, outsider

LOCK = 7
"""The id of a lock that somebody else holds. On a server the transaction waits for it."""


class Pause:
    """The pause: with SQLite in the store's thread, with a server in a statement, never on the event loop."""

    def __init__(self, other: Outsider) -> None:
        self._other = other
        self._loop = asyncio.get_running_loop()
        self._over = threading.Event()
        self.reached = asyncio.Event()
        """Set when a transaction has reached the pause."""
        if SERVER is not None:
            other.execute(f"SELECT pg_advisory_lock({LOCK})")

    def here(self, connection: Connection) -> None:
        """Wait in the middle of a transaction."""
        self._loop.call_soon_threadsafe(self.reached.set)
        if SERVER is None:
            self._over.wait()
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")

    def end(self) -> None:
        """Let it continue."""
        if SERVER is not None and not self._over.is_set():
            self._other.execute(f"SELECT pg_advisory_unlock({LOCK})")
        self._over.set()


@contextmanager
def pause(path: Path) -> Iterator[Pause]:
    """A pause for transactions on the store of this path. At the end it is over."""
    with outsider(path) as other:
        made = Pause(other)
        try:
            yield made
        finally:
            made.end()
