"""SQLite for an event loop: what may wait runs in a thread, as aiosqlite does it, everything else at once.

aiosqlite hands every single step (make a cursor, execute, fetch, close) to a thread, and most of these take less time
than handing them over. Only a few can wait: beginning to write (for whoever writes now), committing (for the disk),
and any statement that finds the file locked. Those still go to the thread; a statement that finds the file locked has
done nothing, and is begun again there.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, cast

import aiosqlite

_AT_ONCE: Final = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "BEGIN")
_TO_WRITE: Final = "BEGIN IMMEDIATE"
_ITERATED: Final = 64


class Connection(aiosqlite.Connection):
    """A connection of aiosqlite's that waits in its thread, for `patience` at most, and does the rest at once."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], patience: timedelta) -> None:
        super().__init__(connector, _ITERATED)
        self._thread.daemon = True
        self._patience = round(patience.total_seconds() * 1000)
        self._writing = False
        # What the thread has not finished yet, perhaps for somebody who waits no longer: nothing may overtake that.
        self._unfinished: deque[None] = deque()

    async def _execute(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        name, statement = fn.__name__, args[0] if args and isinstance(args[0], str) else None
        ending = name in ("commit", "rollback")
        if statement == _TO_WRITE:
            self._writing = True
        closing = name == "close" and fn.__self__ is self._connection
        if self._unfinished or closing or (ending and self._writing):
            result = await self._in_thread(fn, args, kwargs, patient=not closing)
        elif statement is not None and (statement == _TO_WRITE or not statement.lstrip().startswith(_AT_ONCE)):
            result = await self._in_thread(fn, args, kwargs, patient=True)
        else:
            try:
                result = fn(*args, **kwargs)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                result = await self._in_thread(fn, args, kwargs, patient=True)
        if ending:
            self._writing = False
        return result

    async def _in_thread(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, patient: bool) -> Any:
        """Done by the thread; `patient`: a lock is waited for."""

        def work() -> Any:
            try:
                if not patient:
                    return fn(*args, **kwargs)
                connection = self._conn
                connection.execute(f"PRAGMA busy_timeout = {self._patience}")
                try:
                    return fn(*args, **kwargs)
                finally:
                    connection.execute("PRAGMA busy_timeout = 0")
            finally:
                self._unfinished.pop()

        self._unfinished.append(None)
        return await cast(Any, super())._execute(work)


def connect(patience: timedelta) -> Callable[..., Connection]:
    """What SQLAlchemy calls to get a connection, with the arguments of `sqlite3.connect`."""

    def made(*place: Any, **options: Any) -> Connection:
        # Loop and thread use it by turns, never both at once.
        options |= {"timeout": 0, "check_same_thread": False}
        return Connection(lambda: sqlite3.connect(*place, **options), patience)

    return made
