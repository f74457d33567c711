"""The whole store in another place: all of it or nothing, only into an empty one, and only while nobody plays."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import JSON, BigInteger, Boolean, Column, Double, Integer, LargeBinary, insert, select

from db import Connection, Database, DatabaseError
from db.matches import numbers
from db.model.columns import EnumText, Instant, JsonTuple, Span
from db.model.schema import dm_pause, metadata
from db.store import meta
from db.store.leases import Shards
from db.store.locks import acquire, locks_of
from db.upkeep.moving import move
from tests.matches.tables import raised
from tests.store import fresh

Contents = dict[str, list[tuple[Any, ...]]]
ROWS = range(1, 4)
FIRST = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def old(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path}/old.db"


@pytest.fixture
def new(tmp_path: Path) -> str:
    """An empty store, on the server if there is one."""
    return fresh(tmp_path / "new.db")


def value(column: Column[Any], row: int) -> Any:
    """A value for the column of this row, different in every row."""
    match column.type:
        case _ if column.nullable and row == ROWS[-1]:
            return None
        case EnumText(words=words):
            return list(words)[row % len(words)]
        case Instant():
            return FIRST + timedelta(microseconds=row)
        case Span():
            return timedelta(days=row, microseconds=1)
        case JsonTuple():
            return (row, f"“{row}”\n\\")
        case JSON():
            return {"ä": f'"{row}"'}
        case Boolean():
            return bool(row % 2)
        case Double():
            return row / 3
        case LargeBinary():
            return bytes([0, 255, row])
        case BigInteger() if not column.foreign_keys and not column.primary_key and column.name != "match_id":
            return 2**62 + row
        case Integer() | BigInteger():
            return row
        case _:
            return f"‘{row}’"[: getattr(column.type, "length", None)]


def fill(connection: Connection) -> None:
    connection.execute(dm_pause.delete())
    for table in metadata.sorted_tables:
        rows = [{column.key: value(column, row) for column in table.columns} for row in ROWS]
        connection.execute(insert(table), rows)


def contents(connection: Connection) -> Contents:
    return {
        table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
        for table in metadata.sorted_tables
    }


async def found(url: str) -> Contents:
    async with await Database.open(url, migrate=False) as database:
        return await database.read(contents)


async def noted(url: str) -> None:
    """A store with one row."""
    async with await Database.open(url) as database:
        await database.write(meta.put, "word", "old")


async def test_every_column_of_every_table_comes_back_as_it_went(old: str, new: str, tmp_path: Path) -> None:
    back = f"sqlite+aiosqlite:///{tmp_path}/back.db"
    async with await Database.open(old) as database:
        await database.write(fill)
        await database.write(numbers.continue_after, {"matches": 70, "outbox": 800, "gatherings": 9})
    before = await found(old)
    assert all(len(rows) == len(ROWS) for rows in before.values())
    for source, target in ((old, new), (new, back)):
        assert await move(source, target) == {name: len(ROWS) for name in before}
        assert await found(target) == before
        async with await Database.open(target) as database:
            assert await database.read(numbers.last_given) == {"matches": 70, "outbox": 800, "gatherings": 9}
            assert await database.read(meta.restores) == 0
    assert await found(old) == before


async def test_a_place_in_which_something_is_is_left_alone(old: str, new: str) -> None:
    await noted(old)
    async with await Database.open(new) as database:
        await database.write(meta.put, "word", "new")
    before = await found(new)
    await raised(DatabaseError, move(old, new), "has to be an empty one")
    assert await found(new) == before


async def test_what_does_not_fit_leaves_nothing_of_the_rest_behind(old: str, new: str, tmp_path: Path) -> None:
    await noted(old)
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.execute("INSERT INTO presses VALUES (1, 77)")
        connection.commit()
    empty = await found(new)
    await raised(DatabaseError, move(old, new), r"table presses .* nothing was moved")
    assert await found(new) == empty
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.execute("DELETE FROM presses")
        connection.commit()
    assert (await move(old, new))["meta"] == 1


@pytest.mark.parametrize("shards", [None, Shards(2, (1,))])
async def test_nothing_is_moved_while_a_bot_carries_a_shard(
    old: str, new: str, shards: Shards | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.store.server_locks.ServerLocks.lag", timedelta())
    await noted(old)
    for busy in (old, new):
        async with await Database.open(busy) as database:
            await acquire(database.locks, locks_of(shards))
            await raised(DatabaseError, move(old, new), "stop the bot first")
    assert (await move(old, new))["meta"] == 1


async def test_a_store_of_an_older_version_is_not_moved_and_neither_is_an_empty_one(
    old: str, new: str, tmp_path: Path
) -> None:
    (tmp_path / "old.db").touch()
    await raised(DatabaseError, move(old, new), "nothing in this database")
    await noted(old)
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0003'")
        connection.commit()
    await raised(DatabaseError, move(old, new), "older version")


SERVER: Mapping[str, str] = {
    "there": "postgresql+asyncpg://nobody@127.0.0.1:1/here",
    "elsewhere": "postgres://nobody@127.0.0.1:1/there",
}


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("sqlite+aiosqlite:///{folder}/../{name}/old.db", "where the database is already"),
        ("sqlite+aiosqlite://", "names no file"),
        ("mysql://localhost/ambit", "address can't be used"),
        ("sqlite+aiosqlite:///{folder}/none/new.db", "No such file or directory"),
        (SERVER["there"], "can't be reached"),
    ],
)
async def test_where_nothing_can_be_moved_to_is_said(old: str, tmp_path: Path, target: str, words: str) -> None:
    await noted(old)
    await raised(DatabaseError, move(old, target.format(folder=tmp_path, name=tmp_path.name)), words)


async def test_what_is_not_there_is_not_moved_and_not_made(old: str, new: str, tmp_path: Path) -> None:
    await raised(DatabaseError, move(old, new), "no database at")
    assert not (tmp_path / "old.db").exists()
    await raised(DatabaseError, move(*SERVER.values()), "pg_dump")
