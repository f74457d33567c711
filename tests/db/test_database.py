"""Opening the store, its transactions, and every way in which it fails: one plain sentence each."""

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import event, inspect, text
from sqlalchemy.pool import Pool

from db import Conflict, Connection, Database, DatabaseError
from db.matches import queries
from db.model.ids import MatchId
from db.store import meta
from db.store.addresses import address_of
from db.upkeep import totals
from tests.db import played
from tests.db.pausing import pause
from tests.matches.tables import raised
from tests.store import carry_out, copied, execute, fresh, of_server, of_sqlite, outsider, rows

SOON = timedelta(milliseconds=50)


async def put(database: Database, key: str, value: str) -> None:
    await database.write(meta.put, key, value)


async def get(database: Database, key: str) -> str | None:
    return await database.read(meta.get, key)


async def refusal(url: str, *, migrate: bool = True) -> str:
    """The sentence with which the store refuses to open."""
    with pytest.raises(DatabaseError) as refused:
        await Database.open(url, migrate=migrate, busy_timeout=SOON)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Error" not in sentence
    return sentence


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> bytes:
    """Change a file's content. Return the previous content."""
    content = change(path.read_bytes() if path.exists() else b"")
    path.write_bytes(content)
    return content


async def test_a_new_store_is_made_and_found_again(url: str) -> None:
    async with await Database.open(url) as database:
        await put(database, "name", "value")
    async with await Database.open(url) as database:
        assert await get(database, "name") == "value"


@of_sqlite
async def test_a_path_with_a_percent_sign_is_no_trouble(tmp_path: Path) -> None:
    async with await Database.open(f"sqlite+aiosqlite:///{tmp_path}/50%25 of it.db") as database:
        await put(database, "name", "value")
        assert await get(database, "name") == "value"


@of_sqlite
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 2), ("busy_timeout", 5000)]
)
async def test_every_connection_is_set_up(database: Database, pragma: str, value: object) -> None:
    def found(connection: Connection) -> object:
        both.wait()
        return connection.execute(text(f"PRAGMA {pragma}")).scalar_one()

    # Two at the same time, so that each has a connection.
    both = threading.Barrier(2, timeout=10)
    assert set(await asyncio.gather(database.read(found), database.read(found))) == {value}
    both = threading.Barrier(1)
    assert await database.write(found) == value


async def test_a_row_of_a_match_that_is_not_there_is_refused(database: Database) -> None:
    async def vote() -> None:
        def work(connection: Connection) -> None:
            connection.execute(text("INSERT INTO votes VALUES (77, 'absence', 1, 'wait')"))

        await database.write(work)

    await raised(Conflict, vote())


# Transactions.


async def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def fail(connection: Connection) -> None:
        meta.put(connection, "name", "value")
        raise ZeroDivisionError

    await raised(ZeroDivisionError, database.write(fail))
    assert await get(database, "name") is None


@pytest.mark.parametrize("times", [1, 2])
async def test_a_cancelled_transaction_leaves_nothing_and_blocks_nobody(
    database: Database, path: Path, times: int
) -> None:
    with pause(path) as stop:

        def slow(connection: Connection) -> None:
            meta.put(connection, "name", "value")
            stop.here(connection)

        task = asyncio.create_task(database.write(slow))
        await stop.reached.wait()
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        stop.end()
        await raised(asyncio.CancelledError, task)
    assert await get(database, "name") is None
    await put(database, "name", "another")
    assert await get(database, "name") == "another"


@of_sqlite
async def test_a_transaction_that_is_cancelled_before_its_turn_never_begins(database: Database, path: Path) -> None:
    with pause(path) as stop:
        writing = asyncio.create_task(database.write(stop.here))
        await stop.reached.wait()
        waiting = asyncio.create_task(put(database, "name", "value"))
        await asyncio.sleep(0)
        waiting.cancel()
        await raised(asyncio.CancelledError, waiting)
    await writing
    assert await get(database, "name") is None


@of_server
async def test_a_transaction_that_is_cancelled_before_it_has_a_connection_never_begins(
    database: Database, path: Path
) -> None:
    from db.store.postgres import CONNECTIONS

    with pause(path) as stop:
        busy = [asyncio.create_task(database.write(stop.here)) for _ in range(CONNECTIONS)]
        await stop.reached.wait()
        waiting = asyncio.create_task(put(database, "name", "value"))
        await asyncio.sleep(0)
        waiting.cancel()
        stop.end()
        await raised(asyncio.CancelledError, waiting)
    await asyncio.gather(*busy)
    assert await get(database, "name") is None


async def test_a_reader_sees_one_moment(database: Database, path: Path) -> None:
    await put(database, "name", "old")
    with pause(path) as stop:

        def look_twice(connection: Connection) -> list[str | None]:
            first = meta.get(connection, "name")
            stop.here(connection)
            return [first, meta.get(connection, "name")]

        looking = asyncio.create_task(database.read(look_twice))
        await stop.reached.wait()
        await put(database, "name", "new")
        stop.end()
        assert await looking == ["old", "old"]
    assert await get(database, "name") == "new"


async def test_a_second_row_with_the_same_key_is_a_conflict(database: Database) -> None:
    async def insert() -> None:
        def work(connection: Connection) -> None:
            connection.execute(text("INSERT INTO meta VALUES ('name', 'value')"))

        await database.write(work)

    await insert()
    await raised(Conflict, insert())


@pytest.mark.parametrize("lock", [pytest.param(False, marks=of_sqlite), True], ids=["anywhere", "at a match"])
async def test_many_writers_of_two_processes_take_turns(database: Database, url: str, lock: bool) -> None:
    """With SQLite, whatever they write; with a server, for each match."""

    async def add_one(store: Database) -> None:
        def work(connection: Connection) -> None:
            if lock:
                assert queries.table(connection, MatchId(1), lock=True)
            value = int(meta.get(connection, "count") or 0)
            meta.put(connection, "count", str(value + 1))

        await store.write(work)

    match, seats = played.match(Random(1), 1)
    await database.write(lambda connection: connection.execute(text(played.MATCH), match) and None)
    await database.write(lambda connection: connection.execute(text(played.SEAT), seats) and None)
    async with await Database.open(url) as other:
        await asyncio.gather(*(add_one(store) for store in (database, other) for _ in range(20)))
    assert await get(database, "count") == "40"


# Failures.


@of_sqlite
async def test_a_database_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    assert "can't be opened" in await refusal(f"sqlite+aiosqlite:///{tmp_path}/nowhere/ambit.db")


@of_sqlite
async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert "can't be opened" in await refusal(f"sqlite+aiosqlite:///{tmp_path}")


@of_sqlite
async def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, url: str) -> None:
    before = rewrite(path, lambda _: b"These are my holiday notes. " * 200)
    assert "isn't a database" in await refusal(url)
    assert rewrite(path, lambda content: content) == before


@of_sqlite
async def test_a_damaged_database_is_refused(path: Path, url: str) -> None:
    async with await Database.open(url) as database:
        await put(database, "name", "value")
    rewrite(path, lambda content: content[:100] + bytes(3996) + content[4096:])
    assert "damaged" in await refusal(url)


@of_sqlite
@pytest.mark.parametrize("name", ["new.db", "ambit.db"])
async def test_a_database_that_can_only_be_read_is_refused(tmp_path: Path, url: str, name: str) -> None:
    async with await Database.open(url):
        pass
    sentence = await refusal(f"sqlite+aiosqlite:///file:{tmp_path}/{name}?mode=ro&uri=true")
    assert "only be read" in sentence or "can't be opened" in sentence


NO_ADDRESSES = (
    *("", "ambit.db", "mysterysql:///ambit.db", "sqlite+nodriver:///ambit.db"),
    "postgresql://nobody@localhost:many/ambit",
)


@pytest.mark.parametrize("url", NO_ADDRESSES)
async def test_an_address_that_is_none_is_refused(url: str) -> None:
    assert "address" in await refusal(url)


SERVER = "postgresql://nobody@127.0.0.1:1/ambit"
OPTIONS = {
    "sslmode=require": "can't be reached",
    "ssl=disable&target_session_attrs=read-write": "can't be reached",
    "prepared_statement_cache_size=0": "can't be reached",
    "sslmode=require&channel_binding=require": "an option that can't be used here: channel_binding",
    "port=many": "port in the database address isn't a number",
}


@pytest.mark.parametrize(("options", "words"), OPTIONS.items())
async def test_options_of_an_address_are_the_drivers_or_refused(options: str, words: str) -> None:
    assert words in await refusal(f"{SERVER}?{options}")


# FOUND O13
async def test_a_store_is_told_from_its_copy_and_not_from_itself(
    path: Path, tmp_path: Path, database: Database
) -> None:
    async def identity(of: Database) -> str:
        found = await of.at_length(lambda connection: totals.totals(connection, datetime.now(UTC)), writes=False)
        return found.identity

    async with await Database.open(fresh(path)) as again:
        assert await identity(again) == await identity(database)
    ours = await identity(database)
    await database.close()
    async with await Database.open(copied(path, tmp_path / "copy.db")) as copy:
        assert await identity(copy) != ours


@of_sqlite
async def test_the_connection_that_wrote_closes_last_so_that_one_file_holds_everything(database: Database) -> None:
    closing: list[str] = []

    def note(*_: object) -> None:
        closing.append(threading.current_thread().name)

    await put(database, "key", "value")
    assert await get(database, "key") == "value"
    event.listen(Pool, "close", note)
    try:
        await database.close()
    finally:
        event.remove(Pool, "close", note)
    assert len(closing) > 1
    assert closing[-1] == "ambit-writes"


# FOUND O3
@pytest.mark.parametrize(
    "server",
    [
        "ep-cool-darkness-123456-pooler.us-east-2.aws.neon.tech",
        "ep-cool-darkness-123456-pooler.c-2.us-east-2.aws.neon.tech:5432",
        "EP-cool-darkness-123456-pooler.us-east-1.postgres.vercel-storage.com",
        "aws-0-eu-central-1.pooler.supabase.com:6543",
        "db.abcdefghijklm.supabase.co:6543",
        "pooled.db.prisma.io:5432",
    ],
)
async def test_the_address_of_a_providers_pooler_in_transaction_mode_is_refused(server: str) -> None:
    assert "pooler in transaction mode" in await refusal(f"postgres://me:secret@{server}/ambit?sslmode=require")


# FOUND O3
@pytest.mark.parametrize(
    "server",
    [
        "ep-cool-darkness-123456.us-east-2.aws.neon.tech",
        "aws-0-eu-central-1.pooler.supabase.com:5432",
        "db.abcdefghijklm.supabase.co",
        "db.prisma.io:5432",
        "ambit-pooler.example.org:6543",
    ],
)
def test_the_address_of_a_server_or_of_a_pooler_in_session_mode_is_taken(server: str) -> None:
    assert address_of(f"postgres://me:secret@{server}/ambit?sslmode=require").host == server.partition(":")[0]


async def test_a_database_of_another_program_is_refused_and_left_alone(path: Path, url: str) -> None:
    execute(path, "CREATE TABLE recipes (name TEXT)")
    assert "another program" in await refusal(url)

    def look(connection: Connection) -> None:
        assert inspect(connection).get_table_names() == ["recipes"]

    carry_out(path, look)


@pytest.mark.parametrize("migrate", [True, False])
async def test_a_database_of_a_newer_version_is_refused(path: Path, url: str, migrate: bool) -> None:
    async with await Database.open(fresh(path)):
        pass
    execute(path, "UPDATE alembic_version SET version_num = '9999'")
    sentence = await refusal(url, migrate=migrate)
    assert "newer version" in sentence
    assert "9999" in sentence


async def test_a_database_is_not_brought_up_to_date_where_nothing_may_change(path: Path, url: str) -> None:
    assert "nothing in this database" in await refusal(url, migrate=False)  # FOUND E6
    async with await Database.open(url) as database:
        await put(database, "name", "value")
        (newest,) = rows(path, "SELECT version_num FROM alembic_version")
        execute(path, "UPDATE alembic_version SET version_num = '0003'")
        assert "older version" in await refusal(url, migrate=False)
        execute(path, "UPDATE alembic_version SET version_num = ?", newest["version_num"])
    async with await Database.open(url, migrate=False) as database:
        assert await get(database, "name") == "value"


async def test_a_database_that_another_program_keeps_locked_is_refused_after_the_timeout(path: Path) -> None:
    url = fresh(path)
    async with await Database.open(url, busy_timeout=SOON) as database:
        with outsider(path) as other:
            other.lock()
            await raised(DatabaseError, put(database, "name", "value"), "locked")
            assert "locked" in await refusal(url)
            assert await get(database, "name") is None
            other.let_go()
        await put(database, "name", "value")
        assert await get(database, "name") == "value"


@of_server
async def test_a_database_of_a_standby_is_refused(path: Path) -> None:
    url = fresh(path)
    (name,) = (row["name"] for row in rows(path, "SELECT current_database() AS name"))
    execute(path, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    assert "only be read" in await refusal(url)


@of_server
async def test_a_full_disk_of_the_server_is_told_and_nothing_is_half_stored(database: Database) -> None:
    def fill(connection: Connection) -> None:
        meta.put(connection, "small", "value")
        connection.exec_driver_sql("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$")

    await raised(DatabaseError, database.write(fill), "disk of the database server is full")
    assert await get(database, "small") is None


@of_sqlite
async def test_a_full_disk_is_told_and_nothing_is_half_stored(database: Database) -> None:
    async def fill() -> None:
        def work(connection: Connection) -> None:
            pages = connection.execute(text("PRAGMA page_count")).scalar_one()
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))
            meta.put(connection, "small", "value")
            meta.put(connection, "large", "x" * 100_000)

        await database.write(work)

    await raised(DatabaseError, fill(), "disk is full")
    assert await get(database, "small") is None
