"""Ids that the store gives: a used id never comes again, in either store."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db import Connection, Database, DatabaseError
from db.matches import numbers, queries
from db.matches.numbers import AHEAD
from db.model.schema import metadata, outbox
from db.people import dms
from db.store import meta
from db.store.locks import acquire, locks_of
from db.upkeep.recovery import recover
from tests.matches.tables import raised
from tests.store import copied, fresh, of_server

NOW = datetime(2030, 1, 1, tzinfo=UTC)
MATCH = {
    "game": "ambush",
    "options": {},
    "rules_version": 1,
    "status": "lobby",
    "host_id": 1,
    "channel_id": 1,
    "commitment": "",
    "pace": "day",
    "where": "channel",
    "invited": (),
    "created_at": NOW,
    "seed": b"",
}


def new_match(connection: Connection) -> int:
    return queries.insert_match(connection, **MATCH)


def new_telling(connection: Connection) -> int:
    values = {"match_id": new_match(connection), "ply": 0, "kind": "board", "due": NOW}
    return int(connection.execute(outbox.insert().values(values).returning(outbox.c.id)).scalar_one())


async def test_the_numbers_that_last_are_those_of_matches_tellings_and_gatherings(database: Database) -> None:
    assert {table.name for table in numbers.NEVER_REUSED} == {"matches", "outbox", "gatherings"}
    assert await database.read(numbers.last_given) == {"matches": 0, "outbox": 0, "gatherings": 0}


async def test_what_was_given_is_known_when_its_row_is_gone(database: Database) -> None:
    telling = await database.write(new_telling)
    await database.write(lambda connection: connection.execute(outbox.delete()) and None)
    await database.write(lambda connection: connection.execute(metadata.tables["matches"].delete()) and None)
    assert await database.read(numbers.last_given) == {"matches": 1, "outbox": telling, "gatherings": 0}


async def test_the_next_number_is_behind_the_last_that_was_given_elsewhere(database: Database) -> None:
    await database.write(numbers.continue_after, {"matches": 41, "outbox": 6})
    assert await database.write(new_match) == 42
    assert await database.write(new_telling) == 7


@pytest.mark.parametrize("last", [0, 3])
async def test_rows_that_came_with_their_numbers_are_not_met_again(database: Database, last: int) -> None:
    def copied(connection: Connection) -> None:
        queries.insert_match(connection, id=9, **MATCH)
        connection.execute(metadata.tables["dm_openings"].insert().values(id=5, at=NOW, asked=False))
        numbers.continue_after(connection, {"matches": max(last, 9), "outbox": last})

    await database.write(copied)
    await database.write(dms.note_opening, NOW, asked=True)
    assert await database.write(new_match) == 10
    assert await database.read(numbers.last_given) == {"matches": 10, "outbox": last, "gatherings": 0}


async def test_a_restored_store_gives_higher_numbers_and_counts_it(database: Database) -> None:
    first = await database.write(new_match)
    for times in (1, 2):
        last = await database.write(numbers.skip_ahead)
        ahead = {"outbox": times * AHEAD, "gatherings": times * AHEAD}
        assert last == {"matches": first + times * AHEAD, **ahead}
        assert await database.read(meta.restores) == times
    assert await database.write(new_match) == first + 2 * AHEAD + 1


# After a restore by a server's own tools.


@pytest.fixture
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that finds a bot with the store says so at once, without waiting."""
    monkeypatch.setattr("db.store.server_locks.ServerLocks.lag", timedelta())


@of_server
@pytest.mark.usefixtures("_nobody_waits")
async def test_a_restored_database_gives_no_number_that_was_given_after_that_moment(tmp_path: Path) -> None:
    lived, back = tmp_path / "lived.db", tmp_path / "back.db"
    async with await Database.open(fresh(lived)) as database:
        await database.write(new_telling)
    url = copied(lived, back)
    later = []
    async with await Database.open(fresh(lived)) as database:
        later += [await database.write(new_match) for _ in range(3)]
    for times in (1, 2):
        last = await recover(url)
        matches = later[-1] + AHEAD if times > 1 else 1 + AHEAD
        assert last == {"matches": matches, "outbox": 1 + times * AHEAD, "gatherings": times * AHEAD}
        async with await Database.open(url) as database:
            assert database.restores == times
            later.append(await database.write(new_match))
    assert later == [2, 3, 4, AHEAD + 2, 2 * AHEAD + 3]


@of_server
@pytest.mark.usefixtures("_nobody_waits")
async def test_numbers_are_not_moved_on_while_a_bot_runs_or_where_never_a_match_was(
    database: Database, url: str
) -> None:
    await raised(DatabaseError, recover(url), "never a match in this database")
    await database.write(new_match)
    await acquire(database.locks, locks_of(None))
    await raised(DatabaseError, recover(url), "stop the bot first")
    assert await database.read(numbers.last_given) == {"matches": 1, "outbox": 0, "gatherings": 0}


async def test_a_file_has_another_way_back() -> None:
    await raised(DatabaseError, recover("sqlite+aiosqlite:///ambit.db"), "--restore FILE")
