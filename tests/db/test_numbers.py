"""Numbers that the store gives: what was given once never comes again, in either store."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from db import Connection, Database, dms, matches, meta, numbers
from db.numbers import AHEAD
from db.schema import metadata, outbox

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
    return matches.insert_match(connection, **MATCH)


def new_telling(connection: Connection) -> int:
    values = {"match_id": new_match(connection), "ply": 0, "kind": "board", "due": NOW}
    return int(connection.execute(outbox.insert().values(values).returning(outbox.c.id)).scalar_one())


async def test_the_numbers_that_last_are_those_of_matches_and_tellings(database: Database) -> None:
    assert {table.name for table in numbers.LASTING} == {"matches", "outbox"}
    assert await database.read(numbers.given) == {"matches": 0, "outbox": 0}


async def test_what_was_given_is_known_when_its_row_is_gone(database: Database) -> None:
    telling = await database.write(new_telling)
    await database.write(lambda connection: connection.execute(outbox.delete()) and None)
    await database.write(lambda connection: connection.execute(metadata.tables["matches"].delete()) and None)
    assert await database.read(numbers.given) == {"matches": 1, "outbox": telling}


async def test_the_next_number_is_behind_the_last_that_was_given_elsewhere(database: Database) -> None:
    await database.write(numbers.go_on, {"matches": 41, "outbox": 6})
    assert await database.write(new_match) == 42
    assert await database.write(new_telling) == 7


@pytest.mark.parametrize("last", [0, 3])
async def test_rows_that_came_with_their_numbers_are_not_met_again(database: Database, last: int) -> None:
    def copied(connection: Connection) -> None:
        matches.insert_match(connection, id=9, **MATCH)
        connection.execute(metadata.tables["dm_openings"].insert().values(id=5, at=NOW, asked=False))
        numbers.go_on(connection, {"matches": max(last, 9), "outbox": last})

    await database.write(copied)
    await database.write(dms.note_opening, NOW, asked=True)
    assert await database.write(new_match) == 10
    assert await database.read(numbers.given) == {"matches": 10, "outbox": last}


async def test_a_store_that_was_put_back_gives_higher_numbers_and_counts_it(database: Database) -> None:
    first = await database.write(new_match)
    for times in (1, 2):
        last = await database.write(numbers.put_back)
        assert last == {"matches": first + times * AHEAD, "outbox": times * AHEAD}
        assert await database.read(meta.restores) == times
    assert await database.write(new_match) == first + 2 * AHEAD + 1
