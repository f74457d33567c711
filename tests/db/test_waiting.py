"""The store waits off the event loop, so that the loop and everybody else go on."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection

from db import Database, DatabaseError
from db.store import meta
from tests.db.pausing import pause
from tests.matches.tables import raised
from tests.store import fresh, of_sqlite, outsider


async def opened(path: Path, patience: float = 60) -> Database:
    return await Database.open(fresh(path), busy_timeout=timedelta(seconds=patience))


MANY = 2000
"""Turns of the event loop: too few for any timeout, too many for a blocked loop."""


async def turns(count: int) -> None:
    """Let the event loop run this often."""
    for _ in range(count):
        await asyncio.sleep(0)


async def read(database: Database) -> str | None:
    return await database.read(meta.get, "key")


async def write(database: Database, value: str) -> None:
    await database.write(meta.put, "key", value)


async def test_a_read_does_not_wait_for_another_program_that_writes(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db") as database:
        await write(database, "one")
        with outsider(tmp_path / "a.db") as other:
            other.lock()
            assert await asyncio.wait_for(read(database), 10) == "one"


# FOUND O12
@of_sqlite
async def test_after_the_first_that_a_lock_keeps_out_all_that_wait_behind_it_fail_at_once(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db", 0.3) as database:
        with outsider(tmp_path / "a.db") as other:
            other.lock()
            first, *others = await asyncio.gather(
                *(write(database, str(number)) for number in range(20)), return_exceptions=True
            )
            assert isinstance(first, DatabaseError)
            assert first.transient
            for each in others:
                assert isinstance(each, DatabaseError)
                assert (str(each), each.passes) == (str(first), True)
                assert not each.transient, "it has waited already, and isn't tried again"
                assert each.__cause__ is None, "SQLite wasn't asked, so it didn't wait again"
            other.let_go()
        await write(database, "later")
        assert await read(database) == "later"


@of_sqlite
async def test_nothing_is_written_to_a_file_that_is_gone_or_was_replaced(tmp_path: Path) -> None:
    file, away = tmp_path / "a.db", tmp_path / "away.db"
    async with await opened(file) as database:
        await write(database, "one")
        file.rename(away)
        for _ in range(2):
            await raised(DatabaseError, write(database, "lost"), "is gone")
            fresh(file)
        away.replace(file)
        assert await read(database) == "one"
        await write(database, "two")


async def test_whoever_writes_waits_for_another_program_and_the_loop_goes_on(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db") as database:
        with outsider(tmp_path / "a.db") as other:
            other.lock()
            writing = asyncio.create_task(write(database, "one"))
            await turns(MANY)
            assert not writing.done()
            other.let_go()
            await writing
        assert await read(database) == "one"


async def test_whoever_writes_gives_up_after_its_patience(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db", 0.1) as database:
        with outsider(tmp_path / "a.db") as other:
            other.lock()
            await raised(DatabaseError, write(database, "one"), "in use")
            other.let_go()
        await write(database, "two")
        assert await read(database) == "two"


@pytest.mark.parametrize("writes", [False, True], ids=["read", "write"])
async def test_whoever_asks_much_delays_neither_the_loop_nor_other_readers(tmp_path: Path, writes: bool) -> None:
    async with await opened(tmp_path / "a.db") as database:
        await write(database, "one")
        with pause(tmp_path / "a.db") as stop:

            def ask_much(connection: Connection) -> str | None:
                stop.here(connection)
                return meta.get(connection, "key")

            asking = asyncio.create_task(database.write(ask_much) if writes else database.read(ask_much))
            await turns(MANY)
            for _ in range(20):
                assert await asyncio.wait_for(read(database), 10) == "one"
            assert not asking.done()
            stop.end()
            assert await asking == "one"


async def test_nothing_overtakes_what_was_cancelled_while_it_waited(tmp_path: Path) -> None:
    async with await opened(tmp_path / "a.db") as database:
        with outsider(tmp_path / "a.db") as other:
            other.lock()
            writing = asyncio.create_task(write(database, "cancelled"))
            await turns(MANY)
            writing.cancel()
            await turns(MANY)
            other.let_go()
            with suppress(asyncio.CancelledError):
                await writing
        assert await read(database) is None
        await asyncio.wait_for(write(database, "after"), 20)
        assert await read(database) == "after"
