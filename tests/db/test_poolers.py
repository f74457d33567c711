"""PostgreSQL of Debian's, and PgBouncer before it: the store works in session mode, and refuses transaction mode."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url

from db import Database, DatabaseError
from db.store import meta, postgres
from db.store.locks import ALL_SHARDS, LockTaken
from db.store.server_locks import POOLED, SESSION
from tests.debian import Pooler, pgbouncer, postgresql

IN_SESSIONS: Final = {"pool_mode": "session", "default_pool_size": 20}
IN_TRANSACTIONS: Final = {"pool_mode": "transaction", "default_pool_size": 20}


@pytest.fixture(scope="module")
def server() -> Iterator[Path]:
    with postgresql() as folder:
        yield folder


@pytest.fixture
async def vacant(server: Path) -> AsyncIterator[str]:
    """A new, empty database of the server. Returns its name."""
    import asyncpg

    connection = await asyncpg.connect(host=str(server), user="postgres", database="postgres")
    await connection.execute("CREATE DATABASE ambit")
    try:
        yield "ambit"
    finally:
        await connection.execute("DROP DATABASE ambit WITH (FORCE)")
        await connection.close()


@pytest.fixture
def pooler(server: Path) -> Iterator[Pooler]:
    with pgbouncer(server, **IN_SESSIONS) as pooler:
        yield pooler


def limits(connection: Connection) -> dict[str, str]:
    names = ("lock_timeout", "idle_in_transaction_session_timeout", "application_name")
    return {name: connection.scalar(text(f"SHOW {name}")) for name in names}


# FOUND O3
async def test_behind_a_pooler_in_session_mode_the_store_locks_and_limits_as_ever(pooler: Pooler, vacant: str) -> None:
    for value in ("one", "two"):  # the second time over sessions that somebody had before
        async with await Database.open(pooler.address(vacant)) as database:
            await database.write(meta.put, "key", value)
            assert await database.read(meta.get, "key") == value
            assert await database.at_length(lambda connection: meta.get(connection, "key"), writes=False) == value
            assert await database.write(limits) == {
                "lock_timeout": "5s",
                "idle_in_transaction_session_timeout": "15s",
                "application_name": "ambit",
            }
            assert await database.locks.take([ALL_SHARDS]) is None
            async with await Database.open(pooler.address(vacant)) as other:
                assert await other.locks.take([ALL_SHARDS]) == ALL_SHARDS
                await database.locks.keep()
                await database.locks.pass_on([ALL_SHARDS])
                assert await other.locks.take([ALL_SHARDS]) is None


# FOUND O3
@pytest.mark.parametrize("order", [0, 1], ids=["last in first out", "round robin"])
@pytest.mark.parametrize("warm", [1, 2, 3, 6])
@pytest.mark.parametrize("size", [1, 20])
async def test_transaction_mode_is_refused_before_anything_is_stored(
    server: Path, vacant: str, order: int, warm: int, size: int
) -> None:
    import asyncpg

    with pgbouncer(server, pool_mode="transaction", default_pool_size=size, server_round_robin=order) as pooler:
        address = make_url(pooler.address(vacant)).set(drivername="postgresql").render_as_string(hide_password=False)
        # Others have left idle sessions in the pool.
        others = [await asyncpg.connect(address) for _ in range(min(warm, size))]
        transactions = [other.transaction() for other in others]
        for transaction in transactions:
            await transaction.start()
        for transaction in transactions:
            await transaction.rollback()
        with pytest.raises(DatabaseError) as refused:
            await Database.open(pooler.address(vacant))
        assert (str(refused.value), refused.value.passes) == (POOLED, False)
        assert await others[0].fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
        for other in others:
            await other.close()


# FOUND O3
async def test_statement_mode_is_refused_as_transaction_mode_is(server: Path, vacant: str) -> None:
    with pgbouncer(server, pool_mode="statement") as pooler, pytest.raises(DatabaseError) as refused:
        await Database.open(pooler.address(vacant))
    assert (str(refused.value), refused.value.passes) == (POOLED, False)


# FOUND O3
async def test_a_pooler_that_changes_to_transaction_mode_meanwhile_is_noticed(pooler: Pooler, vacant: str) -> None:
    async with await Database.open(pooler.address(vacant)) as database:
        assert await database.locks.take([ALL_SHARDS]) is None
        pooler.reload(IN_TRANSACTIONS)
        await database.locks.keep()
        # A new connection begins a transaction, and gets the session that became idle last.
        async with database._backend._writers[True].connect() as other:  # type: ignore[attr-defined]
            await other.scalar(text("SELECT 1"))
            with pytest.raises(LockTaken, match="pooler in transaction or statement mode"):
                await database.locks.keep()


# FOUND O3
async def test_somebody_who_has_the_session_of_a_connection_that_we_lost_keeps_it(pooler: Pooler, vacant: str) -> None:
    async with (
        await Database.open(pooler.address(vacant)) as database,
        await Database.open(pooler.address(vacant)) as other,
    ):
        assert await database.locks.take([ALL_SHARDS]) is None
        lost = database.locks._connection  # type: ignore[attr-defined]
        ours = await lost.scalar(SESSION)
        (await lost.get_raw_connection()).driver_connection.terminate()
        # The pooler gives the latest session that became idle to whoever comes first.
        async with other._backend._writers[True].connect() as heir:  # type: ignore[attr-defined]
            assert await heir.scalar(SESSION) == ours
            await database.locks.keep()
            assert await heir.scalar(SESSION) == ours
        assert await other.locks.take([ALL_SHARDS]) == ALL_SHARDS


# FOUND O3
async def test_whoever_is_refused_reads_what_the_server_says(server: Path, pooler: Pooler, vacant: str) -> None:
    where = f"postgresql+asyncpg://nobody@/{vacant}?host={server}"
    with pytest.raises(
        DatabaseError, match=r'^The database refuses .*\(the server says: role "nobody" does not exist\)\.$'
    ):
        await Database.open(where)
    pooler.reload({**IN_SESSIONS, "max_client_conn": 1})
    with pytest.raises(DatabaseError, match=r"can't be reached \(no more connections allowed \(max_client_conn\)\)\.$"):
        await Database.open(pooler.address(vacant))


# FOUND O10
async def test_a_server_older_than_what_is_tested_is_refused(
    server: Path, vacant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = f"postgresql+asyncpg://postgres@/{vacant}?host={server}"
    async with await Database.open(where) as database:
        version = (
            int(await database.read(lambda connection: connection.scalar(text("SHOW server_version_num")))) // 10_000
        )
    monkeypatch.setattr(postgres, "OLDEST", version + 1)
    with pytest.raises(
        DatabaseError, match=rf"is PostgreSQL {version}, and the bot needs version {version + 1} or newer\.$"
    ):
        await Database.open(where)
