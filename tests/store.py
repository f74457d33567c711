"""The store of a test: an empty one, at the address for which a path stands.

An SQLite file is a copy of one that the program has made once. With ``AMBIT_TEST_SERVER``, the address of a PostgreSQL
server, it is a database of that server instead, made from a template; its name follows from the path.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import tempfile
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from db import Database

SERVER: Final = os.environ.get("AMBIT_TEST_SERVER")
"""Where the server is (``postgresql+asyncpg:///postgres?host=…``); ``None``: the tests are of SQLite."""

of_sqlite = pytest.mark.skipif(SERVER is not None, reason="its subject is SQLite's file")
"""Marks a test whose subject is the file, its locks or its pragmas."""

_TEMPLATE: Final = "ambit_empty"


def address(path: Path) -> str:
    """Where the store for this path is; nothing is made."""
    if SERVER is None:
        return f"sqlite+aiosqlite:///{path}"
    return _of_database(f"ambit_{hashlib.sha256(str(path).encode()).hexdigest()[:24]}")


def fresh(path: Path) -> str:
    """The address of the store for this path: an empty one, whose schema is that of today, unless there is one."""
    where = address(path)
    if SERVER is not None:
        _elsewhere(_copied(where.partition("?")[0].rpartition("/")[2]))
    elif not path.exists():
        path.write_bytes(_empty())
        path.chmod(0o600)
    return where


@cache
def _empty() -> bytes:
    async def make(path: Path) -> None:
        await (await Database.open(f"sqlite+aiosqlite:///{path}")).close()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        _elsewhere(make(path))
        return path.read_bytes()


def _of_database(name: str) -> str:
    assert SERVER is not None
    server, question, options = SERVER.partition("?")
    return f"{server.rpartition('/')[0]}/{name}{question}{options}"


async def _copied(name: str) -> None:
    """Make a database of the server from the template, which is made by the program where there is none."""
    import asyncpg

    assert SERVER is not None
    connection = await asyncpg.connect(SERVER.replace("+asyncpg", ""))
    try:
        # Workers of one run make it one after the other.
        await connection.execute("SELECT pg_advisory_lock(1)")
        known = {row["datname"] for row in await connection.fetch("SELECT datname FROM pg_database")}
        if _TEMPLATE not in known:
            await connection.execute(f"CREATE DATABASE {_TEMPLATE}_new")
            await (await Database.open(_of_database(f"{_TEMPLATE}_new"))).close()
            await connection.execute(f"ALTER DATABASE {_TEMPLATE}_new RENAME TO {_TEMPLATE}")
        if name not in known:
            await connection.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY file_copy")
    finally:
        await connection.close()


def _elsewhere(work: Coroutine[Any, Any, None]) -> None:
    """Carry it out on a loop of its own: tests have one already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(work)).result()
