"""Statistics are stored, and equal a count: after every match, and when people are forgotten."""

from random import Random

import pytest
from sqlalchemy import text

from db import Connection, Database
from db.model.ids import MatchId, UserId
from db.people import people
from db.results import tallies
from tests.db import played

SEEDS = range(20)


def assert_right(connection: Connection) -> None:
    """Check that everything stored equals the count."""
    for user_id in played.USERS:
        counted = [tuple(row) for row in connection.execute(text(played.OF_PERSON), {"who": user_id})]
        kept = tallies.of_person(connection, UserId(user_id))
        assert [row[:5] for row in kept] == [(row[0], row[1], *row[4:]) for row in counted]
    for guild_id in played.GUILDS[1:]:
        rows = [tuple(row) for row in connection.execute(text(played.ON_GUILD), {"who": guild_id})]
        counts = connection.execute(text(played.OF_GUILD), {"who": guild_id})
        counted = played.of_guild(rows, {(game, players): count for game, players, count in counts})
        assert [tuple(row) for row in tallies.of_guild(connection, guild_id)] == counted


def forget(connection: Connection, user_id: UserId) -> None:
    connection.execute(text(played.FORGET), {"who": user_id})
    people.begin_forgetting(connection, user_id)
    while people.being_forgotten(connection, 1):
        people.erase(connection, user_id, 2)


@pytest.mark.parametrize("seed", SEEDS)
async def test_after_every_match_and_everybody_who_is_forgotten_statistics_are_what_one_would_count(
    database: Database, seed: int
) -> None:
    rng = Random(seed)

    def work(connection: Connection) -> None:
        connection.execute(text(played.COPY))
        for number in range(1, 31):
            match, seats = played.match(rng, number)
            connection.execute(text(played.MATCH), match)
            connection.execute(text(played.SEAT), seats)
            connection.execute(text(played.END), {"id": number})
            connection.execute(text(played.COPY_MATCH), {"id": number})
            if match["counts"]:
                tallies.add(connection, MatchId(number))
            if rng.random() < 0.1:
                forget(connection, UserId(rng.choice(played.USERS)))
            assert_right(connection)

    await database.write(work)


async def test_whoever_was_forgotten_is_in_no_tally(database: Database) -> None:
    rng = Random(1)

    def work(connection: Connection) -> None:
        for number in range(1, 31):
            match, seats = played.match(rng, number)
            connection.execute(text(played.MATCH), match)
            connection.execute(text(played.SEAT), seats)
            tallies.add(connection, MatchId(number))
        (user_id, *_) = played.USERS
        assert tallies.of_person(connection, UserId(user_id))
        connection.execute(text(played.COPY))
        forget(connection, UserId(user_id))
        assert not tallies.of_person(connection, UserId(user_id))
        for table in ("player_tallies", "guild_player_tallies"):
            found = connection.execute(text(f"SELECT * FROM {table} WHERE user_id = {user_id}"))
            assert not found.all()

    await database.write(work)
