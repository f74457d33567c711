"""What a migration does to a used store with an older schema."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from db import Conflict, Connection, Database, migrations
from tests.pages import page
from tests.sources import ROOT
from tests.store import address, carry_out, of_sqlite, vacant

OUT_OF_ORDER = ["0036", "0038", "0037"]
"""The last three of the chain before names and order were compared. Stores know them by these numbers."""

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
    """A new store as the program of that revision would create it."""
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
    """A store of revision 3: a finished match, and a running one."""

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


async def test_the_22nd_keeps_every_row_of_the_outbox_and_gives_no_number_again(path: Path, url: str) -> None:
    row = text(
        "INSERT INTO outbox (match_id, ply, kind, seat, due, leased_by, guild_id, user_id, tries, put_at) "
        "VALUES (1, :ply, 'board', 1, 9, 'bot', 5, 2, 3, 4)"
    )

    def fill(connection: Connection) -> None:
        insert_match(connection, 1, "running", None)
        connection.execute(row, [{"ply": ply} for ply in range(3)])
        connection.execute(text("DELETE FROM outbox WHERE ply = 2"))

    def work(connection: Connection) -> list[tuple[object, ...]]:
        columns = "id, match_id, guild_id, ply, kind, seat, due, leased_by, user_id, tries, put_at"
        return [tuple(each) for each in connection.execute(text(f"SELECT {columns} FROM outbox ORDER BY id"))]

    at_revision(path, "0021")
    carry_out(path, fill)
    async with await Database.open(url) as database:
        kept = [(1 + ply, 1, 5, ply, "board", 1, 9, "bot", 2, 3, 4) for ply in range(2)]
        assert await database.read(work) == kept
        of_a_server = text("INSERT INTO outbox (ply, kind, due, guild_id) VALUES (0, 'end', 9, 5)")
        await database.write(lambda connection: connection.execute(of_a_server) and None)
        last = (4, None, 5, 0, "end", None, 9, None, None, 0, 0)
        assert await database.read(work) == [*kept, last]
        await database.write(lambda connection: connection.execute(text("DELETE FROM matches")) and None)
        assert await database.read(work) == [last], "the rows of a match go with it"


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
            rows = connection.execute(
                text("SELECT match_id, ply, player, action, at, interaction_id FROM log ORDER BY match_id, ply")
            )
            assert [tuple(row) for row in rows] == lines

        await database.read(work)
        again = text("INSERT INTO log VALUES (2, 1, 0, 'SB2', 8, :press, false)")
        with pytest.raises(Conflict):
            await database.write(lambda connection: connection.execute(again, {"press": 2**60}) and None)
        await database.write(lambda connection: connection.execute(again, {"press": None}) and None)
        await database.write(lambda connection: connection.execute(text("DELETE FROM matches WHERE id = 2")) and None)

        def left(connection: Connection) -> None:
            assert connection.execute(text("SELECT count(*) FROM log")).scalar_one() == 2

        await database.read(left)


def chain(folder: Path) -> list[tuple[str, str]]:
    """The name and revision of each migration in a folder of migrations, in the order in which they run."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    scripts = reversed(list(ScriptDirectory.from_config(config).walk_revisions()))
    return [(Path(script.path).name, script.revision) for script in scripts]


# FOUND B2
async def test_the_46th_and_48th_move_what_features_know_of_tables(path: Path, url: str) -> None:
    def fill(connection: Connection) -> None:
        for number in (1, 2):
            insert_match(connection, number, "lobby", None)
            due = "INSERT INTO deadlines (match_id, kind, ply, due, tries) VALUES (:number, 'begin', 0, 9, 0)"
            connection.execute(text(due), {"number": number})
        known = "appointed = 9, fill_with = 'easy', mirrored = true, event_id = 5"
        connection.execute(text(f"UPDATE matches SET {known} WHERE id = 2"))
        connection.execute(text("UPDATE matches SET starts_by = 7 WHERE id = 1"))

    def work(connection: Connection) -> None:
        rows = connection.execute(text("SELECT * FROM appointments"))
        assert [tuple(row) for row in rows] == [(2, 9, "easy", True, 5)]
        assert [tuple(row) for row in connection.execute(text("SELECT * FROM pledged_tables"))] == [(1, 7)]
        rows = connection.execute(text("SELECT match_id, kind FROM deadlines ORDER BY match_id"))
        assert [tuple(row) for row in rows] == [(1, "begin"), (2, "ready")]

    at_revision(path, "0045")
    carry_out(path, fill)
    async with await Database.open(url) as database:
        await database.read(work)


def test_files_numbers_and_order_of_the_migrations_agree() -> None:
    folder = Path(migrations.__file__).parent
    found = chain(folder)
    assert sorted(name for name, _ in found) == sorted(path.name for path in folder.glob("versions/*.py"))
    assert all(re.fullmatch(rf"v{revision}_[a-z0-9_]+\.py", name) for name, revision in found), found
    revisions = [revision for _, revision in found]
    behind = revisions.index(OUT_OF_ORDER[-1]) + 1
    assert revisions[behind - 3 : behind] == OUT_OF_ORDER
    assert revisions[: behind - 3] == sorted(set(revisions[: behind - 3]))
    assert revisions[behind:] == [f"{44 + i:04}" for i in range(len(revisions) - behind)]


# FOUND B2
@of_sqlite
def test_a_migration_made_as_the_page_says_gives_a_store_that_opens(tmp_path: Path) -> None:
    """A copy of the program, in which somebody does what CONTRIBUTING.md prints; and in which the store is opened."""
    (said,) = (code for code in page("CONTRIBUTING.md").code if code.startswith(".venv/bin/alembic revision "))
    shutil.copytree(ROOT / "db", tmp_path / "db", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    before = chain(tmp_path / "db" / "migrations")
    number = f"{max(int(revision) for _, revision in before) + 1:04}"
    _, *recipe = said.replace("NUMBER", number).replace("WHAT", "what").split()
    made = [sys.executable, "-m", "alembic", *recipe]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    assert chain(tmp_path / "db" / "migrations") == [*before, (f"v{number}_what.py", number)]
    program = (
        "import asyncio; from db import Database\n"
        f"async def use():\n    async with await Database.open({address(tmp_path / 'new.db')!r}): pass\n"
        "asyncio.run(use())"
    )
    opened = [sys.executable, "-c", program]
    done = subprocess.run(opened, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
