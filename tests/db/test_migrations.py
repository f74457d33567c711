"""What a migration makes of a store that was in use, whose schema is an older one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from db import Conflict, Connection, Database, migrations
from tests.store import of_sqlite

pytestmark = of_sqlite


def at_revision(path: Path, revision: str) -> None:
    """A new store as the program of that revision made it."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def insert_match(connection: sqlite3.Connection, number: int, status: str, ended_at: int | None) -> None:
    connection.execute(
        "INSERT INTO matches (id, game, options, rules_version, status, host_id, guild_id, channel_id, seed, "
        "commitment, pace, setting, invited, created_at, ended_at) "
        "VALUES (?, 'ambush', '{}', 1, ?, 1, 5, 7, x'00', '', 'day', 'channel', '[]', 1, ?)",
        (number, status, ended_at),
    )


@pytest.fixture
def old(path: Path) -> Path:
    """A store of revision 3: a match that is over, and one that runs."""
    at_revision(path, "0003")
    with closing(sqlite3.connect(path)) as connection:
        for number, status, ended_at in ((1, "over", 99), (2, "running", None)):
            insert_match(connection, number, status, ended_at)
            for position, user_id in enumerate((1, 2)):
                connection.execute(
                    "INSERT INTO seats (match_id, position, seat, user_id, name) VALUES (?, ?, ?, ?, ?)",
                    (number, position, position, user_id, f"P{user_id}"),
                )
        connection.commit()
    return path


async def test_the_fourth_says_at_every_seat_when_its_match_ended(old: Path, url: str) -> None:
    async with await Database.open(url) as database:

        def work(connection: Connection) -> None:
            rows = connection.execute(text("SELECT match_id, ended_at FROM seats ORDER BY match_id"))
            assert [tuple(row) for row in rows] == [(1, 99), (1, 99), (2, None), (2, None)]

        await database.read(work)


async def test_the_fifteenth_keeps_every_line_and_no_interaction_causes_two(path: Path, url: str) -> None:
    at_revision(path, "0014")
    lines = [(1, 0, -1, "deal", 5, None), (1, 1, 0, "SB2", 6, 2**60), (2, 0, -1, "deal", 7, None)]
    with closing(sqlite3.connect(path)) as connection:
        insert_match(connection, 1, "over", 99)
        insert_match(connection, 2, "running", None)
        connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", lines)
        connection.commit()
    async with await Database.open(url) as database:

        def work(connection: Connection) -> None:
            rows = connection.execute(text("SELECT * FROM log ORDER BY match_id, ply"))
            assert [tuple(row) for row in rows] == lines

        await database.read(work)
        again = text("INSERT INTO log VALUES (2, 1, 0, 'SB2', 8, :press)")
        with pytest.raises(Conflict):
            await database.write(lambda connection: connection.execute(again, {"press": 2**60}) and None)
        await database.write(lambda connection: connection.execute(again, {"press": None}) and None)
        await database.write(lambda connection: connection.execute(text("DELETE FROM matches WHERE id = 2")) and None)

        def left(connection: Connection) -> None:
            assert connection.execute(text("SELECT count(*) FROM log")).scalar_one() == 2

        await database.read(left)
