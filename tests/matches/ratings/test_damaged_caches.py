"""A damaged page of the ratings cache, in the file itself: no match and no query may fail because of it."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from db import Database, DatabaseError
from db.ratings import kept as ladders
from db.results import keyed
from db.upkeep import caches
from matches.api import Host, ManualClock, Rated
from matches.errors import Unavailable
from matches.ratings import Ratings, storing
from matches.ratings.ladder import computed
from tests.matches.ratings.test_ratings import ANN, BOB, CACHE, GUILD, resigned
from tests.matches.tables import PEOPLE, Seeds, at_length, dump, moved, raised, running
from tests.store import fresh, of_sqlite

pytestmark = of_sqlite

BAD = b"\xa5"
PLACES = (*CACHE, "ix_ratings_guild_id_game_season_practice_mu", "sqlite_autoindex_ratings_1")


def damage(file: Path, name: str) -> None:
    """Overwrite the first page of a table or an index."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(BAD * size)


async def rated_before(file: Path) -> str:
    url = fresh(file)
    async with await Database.open(url) as database:
        host = Host(database, ManualClock(), Seeds())
        for loser in (BOB, ANN, BOB):
            await resigned(host, loser)
    return url


async def is_right(database: Database) -> bool:
    (of,) = await at_length(database, keyed.ladders_of, GUILD)
    rows = await at_length(database, keyed.results_of, of)
    whole = computed(of.game, [storing.of_row(*row) for row in rows])
    kept = await at_length(database, ladders.all_ratings, of)
    return await database.read(storing.is_complete, of) and kept == whole.ratings


# FOUND E9
@pytest.mark.parametrize("name", PLACES)
async def test_a_rated_match_ends_although_a_page_of_the_cache_is_damaged(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = await rated_before(tmp_path / "ambit.db")
    damage(tmp_path / "ambit.db", name)
    async with await Database.open(url) as database:
        host = Host(database, ManualClock(), Seeds())
        with caplog.at_level(logging.ERROR):
            match = await resigned(host)
        assert match.rating is Rated.COUNTED
        (of,) = await at_length(database, keyed.ladders_of, GUILD)
        assert len(await at_length(database, keyed.results_of, of)) == 4
        assert len(await host.part(Ratings).changes(match.id)) == 2
        assert await is_right(database)
        assert await caches.damaged(database) == []
        # From here on it works as usual.
        await resigned(host)
        assert await is_right(database)
    (line,) = [record.getMessage() for record in caplog.records]
    assert "nothing is lost" in line


# FOUND E9
async def test_whoever_only_looks_has_the_cache_made_again_too(tmp_path: Path) -> None:
    url = await rated_before(tmp_path / "ambit.db")
    damage(tmp_path / "ambit.db", "ratings")
    async with await Database.open(url) as database:
        host = Host(database, ManualClock(), Seeds())
        profile = await host.part(Ratings).profile(GUILD, ANN.user_id, ANN.user_id)
        assert profile.skills == () or profile.skills[0].rating is not None
        assert len(await host.part(Ratings).of_people(GUILD, "ambush", [each.user_id for each in PEOPLE[:2]])) == 2
        assert await is_right(database)


# FOUND E9
async def test_damage_to_what_cannot_be_computed_is_said_and_touches_no_cache(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = await rated_before(tmp_path / "ambit.db")
    async with await Database.open(url) as database:
        kept = await dump(database)
        host = Host(database, ManualClock(), Seeds())
        match = await moved(host, await running(host, "ambush", 2, guild_id=GUILD))
    damage(tmp_path / "ambit.db", "rated_results")
    async with await Database.open(url) as database:
        host = Host(database, ManualClock(), Seeds())
        with caplog.at_level(logging.ERROR), pytest.raises(Unavailable):
            await host.play.resign(match.id, BOB.user_id)
        assert any("restore a backup" in record.getMessage() for record in caplog.records)
        assert await caches.damaged(database) == []
        await raised(DatabaseError, dump(database))
        with closing(sqlite3.connect(tmp_path / "ambit.db")) as connection:
            for table in CACHE:
                (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
                assert count == len(kept[table]) > 0


async def test_after_that_the_file_is_sound_once_its_unused_pages_are_cleared_away(tmp_path: Path) -> None:
    file = tmp_path / "ambit.db"
    url = await rated_before(file)
    damage(file, "ratings")
    async with await Database.open(url) as database:
        await resigned(Host(database, ManualClock(), Seeds()))
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
