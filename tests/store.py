"""The store of a test: an empty one, at the address that belongs to a path, and access to it from outside.

An SQLite file is a copy of one that the program has created once. With ``AMBIT_TEST_SERVER``, the address of a
PostgreSQL server, it is a database of that server, made from a template. Its name follows from the path, and it is
dropped after its test. `python -m tests.server` starts such a server.
"""

import asyncio
import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import pytest
from sqlalchemy import Connection, NullPool, create_engine
from sqlalchemy.ext.asyncio import create_async_engine

from db import Database, migrations
from db.model import schema

SERVER: Final = os.environ.get("AMBIT_TEST_SERVER")
"""The server's address (``postgresql+asyncpg:///postgres?host=…``). ``None``: the tests use SQLite."""

of_sqlite = pytest.mark.skipif(SERVER is not None, reason="its subject is SQLite's file")
"""Marks a test about SQLite's file, its locks or its pragmas."""

of_server = pytest.mark.server
"""Marks a test about a server alone. Without one it is left out (`tests.conftest`)."""

PATIENCE: Final = 30.0
"""Seconds that an outsider waits for the program's locks."""

_MIGRATIONS: Final = sorted(Path(migrations.__file__).with_name("versions").glob("v*.py"))
_TEMPLATE: Final = f"ambit_empty_{hashlib.sha256(b''.join(each.read_bytes() for each in _MIGRATIONS)).hexdigest()[:16]}"
"""The template's name depends on the migrations, because a long-lived server may still have an older template."""

_asked_for: set[str] = set()

T = TypeVar("T")


def address(path: Path) -> str:
    """The address of the store for this path. Creates nothing."""
    return f"sqlite+aiosqlite:///{path}" if SERVER is None else _of_database(_name(path))


def vacant(path: Path) -> str:
    """The address of an empty place for this path, without a schema. Keeps an existing store."""
    if SERVER is not None:
        _wait_for(_made(_name(path), "template1"))
    return address(path)


def fresh(path: Path) -> str:
    """The address of the store for this path: empty, with the current schema. Keeps an existing store."""
    if SERVER is not None:
        _wait_for(_made(_name(path), _TEMPLATE))
        return address(path)
    return fresh_file(path)


def fresh_file(path: Path) -> str:
    """The address of an SQLite file at this path, also in tests of a server: empty, with the current schema.

    Keeps an existing file.
    """
    if not path.exists():
        path.write_bytes(_empty())
        path.chmod(0o600)
    return f"sqlite+aiosqlite:///{path}"


def copied(path: Path, to: Path) -> str:
    """The address of the store for `to`, a copy of the store for `path`, which nobody has open."""
    if SERVER is None:
        shutil.copy(path, to)
    else:
        _wait_for(_made(_name(to), _name(path)))
    return address(to)


class Outsider(Protocol):
    """Another program with the store open. Its changes are stored at once, except while it holds a lock."""

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """The rows of a query, with ``?`` for the values."""

    def execute(self, statement: str, *values: object) -> None:
        """Execute a statement, with ``?`` for the values."""

    def lock(self) -> None:
        """Block all other writers; everybody may read."""

    def let_go(self) -> None:
        """Release the lock, and commit what was done meanwhile."""


@contextmanager
def outsider(path: Path) -> Iterator[Outsider]:
    """Another program with the store for this path open. At the end it holds no lock."""
    if SERVER is not None:
        connection = _wait_for(_connected(_of_database(_name(path))))
        try:
            yield _AtServer(connection)
        finally:
            _wait_for(connection.close())
        return
    with closing(_file(path, "rwc")) as file:
        yield _AtFile(file)


def rows(path: Path, query: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query on the store for this path, from outside, with ``?`` for the values."""
    if SERVER is None:
        with closing(_file(path, "ro")) as file:
            return _AtFile(file).rows(query, *values)
    with outsider(path) as other:
        return other.rows(query, *values)


def execute(path: Path, statement: str, *values: object) -> None:
    """Change the store for this path from outside, with ``?`` for the values."""
    with outsider(path) as other:
        other.execute(statement, *values)


def carry_out(path: Path, work: Callable[[Connection], None]) -> None:
    """Run one transaction on the store for this path, from outside and without the program's timeouts."""

    async def at_server() -> None:
        engine = create_async_engine(address(path), poolclass=NullPool)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(work)
        finally:
            await engine.dispose()

    if SERVER is not None:
        _wait_for(at_server())
        return
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        work(connection)
    engine.dispose()


class _AtFile:
    def __init__(self, connection: sqlite3.Connection) -> None:
        connection.row_factory = sqlite3.Row
        self._connection = connection

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        return [dict(row) for row in self._connection.execute(query, values)]

    def execute(self, statement: str, *values: object) -> None:
        self._connection.execute(statement, values)

    def lock(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def let_go(self) -> None:
        self._connection.execute("COMMIT")


class _AtServer:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        return [dict(row) for row in _wait_for(self._connection.fetch(_numbered(query), *values))]

    def execute(self, statement: str, *values: object) -> None:
        _wait_for(self._connection.execute(_numbered(statement), *values))

    def lock(self) -> None:
        # Everybody who writes, or locks a row, waits for this; readers don't.
        tables = ", ".join(schema.metadata.tables)
        _wait_for(self._connection.execute(f"BEGIN; LOCK TABLE {tables} IN EXCLUSIVE MODE"))

    def let_go(self) -> None:
        _wait_for(self._connection.execute("COMMIT"))


@contextmanager
def swept_up() -> Iterator[None]:
    """Drop the databases created meanwhile: a server has no folder that is thrown away."""
    before = set(_asked_for)
    yield
    mine = _asked_for - before
    _asked_for.intersection_update(before)
    if mine:
        _wait_for(_dropped(mine))


def _file(path: Path, mode: str) -> sqlite3.Connection:
    # Any thread may release locks.
    where = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(where, PATIENCE, isolation_level=None, check_same_thread=False, uri=True)


@cache
def _empty() -> bytes:
    async def make(path: Path) -> None:
        await (await Database.open(f"sqlite+aiosqlite:///{path}")).close()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        _wait_for(make(path))
        return path.read_bytes()


def _name(path: Path) -> str:
    """The name of the database for a path."""
    return f"ambit_{hashlib.sha256(str(path).encode()).hexdigest()[:24]}"


def _of_database(name: str) -> str:
    server, question, options = SERVER.partition("?")
    return f"{server.rpartition('/')[0]}/{name}{question}{options}"


def _numbered(statement: str) -> str:
    """The statement with ``$1`` instead of ``?``, as the server wants it."""
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", statement)


async def _connected(where: str) -> Any:
    import asyncpg

    return await asyncpg.connect(where.replace("+asyncpg", ""), command_timeout=PATIENCE)


async def _made(name: str, template: str) -> None:
    """Create a database of the server from another one. The program creates the empty template if there is none."""
    assert SERVER is not None
    _asked_for.add(name)
    connection = await _connected(SERVER)
    try:
        # Workers of one run create it one after the other.
        await connection.execute("SELECT pg_advisory_lock(1)")
        known = {row["datname"] for row in await connection.fetch("SELECT datname FROM pg_database")}
        if _TEMPLATE not in known:
            await connection.execute(f"CREATE DATABASE {_TEMPLATE}_new")
            await (await Database.open(_of_database(f"{_TEMPLATE}_new"))).close()
            await connection.execute(f"ALTER DATABASE {_TEMPLATE}_new RENAME TO {_TEMPLATE}")
        if name not in known:
            await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    finally:
        await connection.close()


async def _dropped(names: set[str]) -> None:
    assert SERVER is not None
    connection = await _connected(SERVER)
    try:
        for name in names:
            await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await connection.close()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """An event loop in a thread, because tests have one already."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="tests-store", daemon=True).start()
    return loop


def _wait_for(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()
