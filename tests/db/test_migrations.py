"""What a migration makes of a store that was in use, whose schema is an older one."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from db import Conflict, Connection, Database, migrations
from tests.store import carry_out, vacant

MATCH = text(
    "INSERT INTO matches (id, game, options, rules_version, status, host_id, guild_id, channel_id, seed, "
    "commitment, pace, setting, invited, created_at, ended_at) "
    "VALUES (:id, 'ambush', '{}', 1, :status, 1, 5, 7, :seed, '', 'day', 'channel', '[]', 1, :ended_at)"
)
SEAT = text(
    "INSERT INTO seats (match_id, position, seat, user_id, name) VALUES (:match, :position, :position, :who, '')"
)
LINE = text("INSERT INTO log VALUES (:match, :ply, :player, :action, :at, :press)")


def at_revision(path: Path, revision: str) -> None:
    """A new store as the program of that revision made it."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))

    def work(connection: Connection) -> None:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)

    vacant(path)
    carry_out(path, work)


def insert_match(connection: Connection, number: int, status: str, ended_at: int | None) -> None:
    connection.execute(MATCH, {"id": number, "status": status, "ended_at": ended_at, "seed": b"\0"})


@pytest.fixture
def old(path: Path) -> Path:
    """A store of revision 3: a match that is over, and one that runs."""

    def fill(connection: Connection) -> None:
        for number, status, ended_at in ((1, "over", 99), (2, "running", None)):
            insert_match(connection, number, status, ended_at)
            for position, user_id in enumerate((1, 2)):
                connection.execute(SEAT, {"match": number, "position": position, "who": user_id})

    at_revision(path, "0003")
    carry_out(path, fill)
    return path


async def test_the_fourth_says_at_every_seat_when_its_match_ended(old: Path, url: str) -> None:
    async with await Database.open(url) as database:

        def work(connection: Connection) -> None:
            rows = connection.execute(text("SELECT match_id, ended_at FROM seats ORDER BY match_id"))
            assert [tuple(row) for row in rows] == [(1, 99), (1, 99), (2, None), (2, None)]

        await database.read(work)


async def test_the_fifteenth_keeps_every_line_and_no_interaction_causes_two(path: Path, url: str) -> None:
    lines = [(1, 0, -1, "deal", 5, None), (1, 1, 0, "SB2", 6, 2**60), (2, 0, -1, "deal", 7, None)]

    def fill(connection: Connection) -> None:
        insert_match(connection, 1, "over", 99)
        insert_match(connection, 2, "running", None)
        names = ("match", "ply", "player", "action", "at", "press")
        connection.execute(LINE, [dict(zip(names, line, strict=True)) for line in lines])

    at_revision(path, "0014")
    carry_out(path, fill)
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
