"""Who carries which shard: locks of the store that one process holds and another waits for."""

import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from db import Connection, Database, DatabaseError, alone
from db.store.leases import Shards
from db.store.locks import ALL_SHARDS, Lock, LockKind, LockTaken, acquire, locks_of
from tests.matches.tables import raised
from tests.store import of_server, of_sqlite

AT_ONCE = timedelta()
ALL = None
FIRST, SECOND, BOTH = Shards(2, (0,)), Shards(2, (1,)), Shards(2, (0, 1))


@pytest.fixture
async def other(database: Database, url: str) -> AsyncIterator[Database]:
    """The same store, opened by another process."""
    async with await Database.open(url) as other:
        yield other


async def carry(database: Database, shards: Shards | None) -> None:
    await acquire(database.locks, locks_of(shards), AT_ONCE)


async def refusal(database: Database, shards: Shards | None) -> str:
    with pytest.raises(LockTaken) as refused:
        await carry(database, shards)
    return str(refused.value)


async def test_a_shard_has_one_process(database: Database, other: Database) -> None:
    await carry(database, FIRST)
    assert await refusal(other, BOTH) == (
        "Another process carries shard 0 on this database already: stop that one first, or give this one other "
        "AMBIT_SHARD_IDS, or let it --take-over."
    )
    await carry(other, SECOND)


@pytest.mark.parametrize(("here", "there"), [(ALL, ALL), (ALL, FIRST), (FIRST, ALL)])
async def test_whoever_carries_all_shards_is_alone(
    database: Database, other: Database, here: Shards | None, there: Shards | None
) -> None:
    await carry(database, here)
    assert "Another process of the bot runs on this database already" in await refusal(other, there)
    await database.close()
    await carry(other, there)


async def test_a_process_takes_all_of_its_shards_or_none(database: Database, other: Database, url: str) -> None:
    await carry(database, FIRST)
    await refusal(other, Shards(2, (1, 0)))
    async with await Database.open(url) as third:
        await carry(third, SECOND)


async def test_a_successor_waits_and_has_the_shard_when_it_is_passed_on(database: Database, other: Database) -> None:
    mine = locks_of(FIRST)
    await carry(database, FIRST)
    looks: list[float] = []

    async def look(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            await database.locks.pass_on(mine)

    await acquire(other.locks, mine, timedelta(seconds=60), sleep=look)
    assert len(looks) == 3
    assert await database.locks.take(mine) == Lock(LockKind.SHARD, 0)


async def test_whoever_waits_in_vain_is_refused_in_the_end(database: Database, other: Database) -> None:
    await carry(database, ALL)
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    await raised(LockTaken, acquire(other.locks, locks_of(ALL), timedelta(seconds=2), sleep=wait))
    assert sum(waited) == pytest.approx(2)


async def test_nothing_is_held_twice_by_one_process(database: Database) -> None:
    bucket = Lock(LockKind.IDENTIFY, 3)
    assert await database.locks.take([bucket]) is None
    assert await database.locks.take([bucket]) == bucket
    await database.locks.pass_on([bucket])
    assert await database.locks.take([bucket]) is None


async def test_what_is_held_stays_held_while_it_is_looked_after(database: Database, other: Database) -> None:
    await carry(database, FIRST)
    await database.locks.keep()
    await refusal(other, FIRST)


# For commands that change the store as a whole.


async def test_nobody_is_alone_with_a_store_while_a_bot_carries_a_shard_of_it(
    monkeypatch: pytest.MonkeyPatch, database: Database, url: str
) -> None:
    monkeypatch.setattr("db.store.server_locks.ServerLocks.lag", AT_ONCE)
    for shards in (ALL, FIRST):
        await carry(database, shards)
        with pytest.raises(DatabaseError, match=r"^The database is in use: stop the bot first\.$"):
            async with alone(url):
                pass
        await database.locks.pass_on(locks_of(shards))


async def test_no_bot_starts_while_somebody_is_alone_with_the_store(database: Database, url: str) -> None:
    async with alone(url):
        await refusal(database, FIRST)
    await carry(database, FIRST)


@of_sqlite
async def test_whoever_is_alone_with_a_missing_store_makes_none(tmp_path: Path) -> None:
    async with alone(f"sqlite+aiosqlite:///{tmp_path}/ambit.db"):
        assert "ambit.db" not in os.listdir(tmp_path)


# The files beside an SQLite file.


@of_sqlite
async def test_the_files_of_locks_are_their_owners_alone(database: Database, path: Path) -> None:
    await carry(database, BOTH)
    made = {file.name: file.stat().st_mode & 0o777 for file in path.parent.glob(f"{path.name}.shard*")}
    assert made == {"ambit.db.shards": 0o600, "ambit.db.shard-0": 0o600, "ambit.db.shard-1": 0o600}


@of_sqlite
async def test_a_file_that_cannot_be_made_is_one_sentence(database: Database, path: Path) -> None:
    path.with_name("ambit.db.shards").mkdir()
    await raised(DatabaseError, carry(database, ALL), r"ambit\.db\.shards can't be opened")


# The connection to a server.


def cut(connection: Connection) -> None:
    """Let the server end the connection that holds a lock of ours, as it does when it restarts."""
    connection.execute(
        text(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 2"
        )
    )


@of_server
async def test_a_connection_that_was_lost_is_made_again_with_all_that_it_held(
    database: Database, other: Database
) -> None:
    await carry(database, BOTH)
    await other.write(cut)
    await database.locks.keep()
    await refusal(other, SECOND)


@of_server
async def test_a_process_hears_that_another_has_taken_its_shard_meanwhile(database: Database, other: Database) -> None:
    await carry(database, FIRST)
    await other.write(cut)
    await carry(other, FIRST)
    await raised(LockTaken, database.locks.keep(), r"^Another process carries shard 0")


@of_server
async def test_what_the_server_holds_for_a_connection_that_is_lost_to_us_is_ended(
    database: Database, other: Database
) -> None:
    await carry(database, ALL)
    left = database.locks._connection  # type: ignore[attr-defined]
    database.locks._connection = None  # type: ignore[attr-defined]  # The server does not hear that it is gone.
    await database.locks.keep()
    assert await other.locks.take([ALL_SHARDS]) == ALL_SHARDS
    await left.invalidate()
    await left.close()
