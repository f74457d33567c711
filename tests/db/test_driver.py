"""What may wait is waited for in a thread, so that the event loop goes on; everything else is done at once."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from db import Database, DatabaseError, driver, meta


async def opened(path: Path, patience: float = 5.0) -> Database:
    return await Database.open(f"sqlite+aiosqlite:///{path}", busy_timeout=timedelta(seconds=patience))


MANY = 2000
"""Turns of the event loop, too few for any patience, too many for a loop that stands still until it has run out."""


async def turns(count: int) -> None:
    """Let the event loop go round so often."""
    for _ in range(count):
        await asyncio.sleep(0)


async def read(database: Database) -> str | None:
    async with database.reading() as connection:
        return await meta.get(connection, "key")


async def write(database: Database, value: str) -> None:
    async with database.transaction() as connection:
        await meta.put(connection, "key", value)


async def test_a_read_is_done_at_once_even_while_another_program_writes(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db") as database:
        await write(database, "one")
        await read(database)
        with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            reading = asyncio.create_task(read(database))
            await turns(50)
            assert reading.done()
            assert await reading == "one"


async def test_who_writes_waits_for_another_program_and_the_loop_goes_on(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db") as database:
        with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(write(database, "one"))
            await turns(MANY)
            assert not writing.done()
            other.execute("COMMIT")
            await writing
        assert await read(database) == "one"


async def test_who_writes_gives_up_after_its_patience(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db", 0.1) as database:
        with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(DatabaseError, match="in use"):
                await write(database, "one")
        await write(database, "two")
        assert await read(database) == "two"


async def test_a_read_that_finds_the_file_locked_waits_and_the_loop_goes_on(tmp_path: Path) -> None:
    # Without the journal that the store has (some file systems cannot have it), who writes locks readers out.
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
        connection = await driver.connect(timedelta(seconds=5))(tmp_path / "a.db", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        reading = asyncio.create_task(connection.execute_fetchall("SELECT * FROM t"))
        await turns(MANY)
        assert not reading.done()
        other.execute("COMMIT")
        assert await reading == []
        await connection.close()


async def test_nothing_overtakes_what_was_cancelled_while_it_waited(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db") as database:
        with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(write(database, "cancelled"))
            await turns(MANY)
            writing.cancel()
            await turns(MANY)
            other.execute("COMMIT")
            with suppress(asyncio.CancelledError):
                await writing
        assert await read(database) is None
        await asyncio.wait_for(write(database, "after"), 5)
        assert await read(database) == "after"
