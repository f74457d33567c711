"""Each connection to a file is aiosqlite's, with a thread that nothing but the store ends. FOUND B5."""

import asyncio
import logging
import threading
import warnings
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from db import Database, DatabaseError
from db.store import meta, sqlite
from tests.db.pausing import pause
from tests.matches.tables import raised
from tests.store import fresh, of_sqlite

pytestmark = of_sqlite

NAMES = {"ambit-writes", "ambit-long-reads", *(f"ambit-reads-{number}" for number in range(sqlite.READERS))}


def running() -> set[threading.Thread]:
    """The threads of stores that haven't ended."""
    return {thread for thread in threading.enumerate() if thread.name in NAMES or "worker_thread" in thread.name}


async def test_threads_of_aiosqlite_run_from_the_opening_to_the_closing(path: Path) -> None:
    before = running()
    async with await Database.open(fresh(path)):
        assert {thread.name for thread in running() - before} == NAMES
        assert {thread._target.__module__ for thread in running() - before} == {"aiosqlite.core"}  # type: ignore[attr-defined]
    await ended(before)


async def ended(before: set[threading.Thread]) -> None:
    """Wait for the threads of a closed store: they have said that they end."""
    for thread in running() - before:
        await asyncio.to_thread(thread.join, 60)
    assert running() <= before


async def test_a_whole_transaction_is_one_hand_over(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    """aiosqlite logs what it hands to a thread: statement by statement there would be twenty of these."""

    def work(connection: Connection) -> None:
        for number in range(20):
            meta.put(connection, "key", str(number))

    with caplog.at_level(logging.DEBUG, "aiosqlite"):
        await database.write(work)
        await database.read(meta.get, "key")
    assert [record.msg for record in caplog.records if record.name == "aiosqlite"].count("executing %s") == 2


async def test_what_was_asked_before_the_store_closes_is_stored_and_read(path: Path) -> None:
    database = await Database.open(fresh(path))
    writes = [asyncio.create_task(database.write(meta.put, f"key {number}", "value")) for number in range(20)]
    reads = [asyncio.create_task(database.read(meta.get, "key")) for _ in range(20)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*writes, *reads)
    async with await Database.open(fresh(path)) as again:
        assert [await again.read(meta.get, f"key {number}") for number in range(20)] == ["value"] * 20


async def test_a_store_can_be_closed_twice_and_is_not_used_afterwards(path: Path) -> None:
    database = await Database.open(fresh(path))
    await database.close()
    await database.close()
    await raised(ValueError, database.read(meta.get, "key"), "closed")


async def test_a_closing_that_is_cancelled_waits_for_the_transactions_and_leaves_no_thread(path: Path) -> None:
    before = running()
    database = await Database.open(fresh(path))
    with pause(path) as stop:
        writing = asyncio.create_task(database.write(stop.here))
        await stop.reached.wait()
        closing = asyncio.create_task(database.close())
        for _ in range(3):
            await asyncio.sleep(0)
            closing.cancel()
        assert not closing.done()
        stop.end()
        await raised(asyncio.CancelledError, closing)
    await writing
    await ended(before)


@pytest.mark.parametrize("turns", range(8))
async def test_an_opening_that_is_cancelled_leaves_no_thread(path: Path, turns: int) -> None:
    before = running()
    opening = asyncio.create_task(Database.open(fresh(path)))
    for _ in range(turns):
        await asyncio.sleep(0)
    opening.cancel()
    await raised(asyncio.CancelledError, opening)
    await ended(before)


async def test_an_opening_that_fails_leaves_no_thread(path: Path) -> None:
    before = running()
    await raised(DatabaseError, Database.open(f"sqlite+aiosqlite:///{path}/nowhere.db"), "can't be opened")
    await ended(before)


async def test_a_connection_whose_transaction_cannot_be_rolled_back_is_opened_again(database: Database) -> None:
    def spoil(connection: Connection) -> None:
        connection.execute(text("DELETE FROM meta"))
        connection.connection.dbapi_connection.close()

    await raised(DatabaseError, database.write(spoil))
    await database.write(meta.put, "key", "value")
    assert await database.read(meta.get, "key") == "value"


async def test_nothing_of_aiosqlite_is_used_that_it_is_giving_up(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        async with await Database.open(fresh(path)) as database:
            await database.write(meta.put, "key", "value")
