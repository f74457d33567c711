"""A copy of the store is made while it is in use, and restored when it isn't."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from db import Connection, Database, DatabaseError
from db.matches import numbers
from db.matches.numbers import AHEAD
from db.store import meta
from db.upkeep.backup import back_up, restore, writable_copy
from tests.store import fresh, of_sqlite

pytestmark = of_sqlite

ENDS: Final = {"disk full": "SIG_IGN", "interrupted": "default_int_handler", "killed": "SIG_DFL"}
"""How a copy can be interrupted, by how the process handles the signal for a file that grows too large."""

BREAKS_OFF: Final = """
import resource, signal, sys
from pathlib import Path
from {module} import {work}
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (40960, 40960))
signal.signal(signal.SIGXFSZ, signal.{action})
"""
EXITS: Final = {"disk full": 75, "interrupted": 130, "killed": -signal.SIGXFSZ}
"""The exit codes of the command line."""
WHY: Final = {"disk full": "DatabaseError", "interrupted": "KeyboardInterrupt"}


def breaks_off(end: str, module: str, work: str, call: str, store: Path) -> subprocess.CompletedProcess[str]:
    """Make this call in a process that ends like this after writing a part of a copy."""
    return subprocess.run(
        [sys.executable, "-c", BREAKS_OFF.format(module=module, work=work, action=ENDS[end]) + call],
        env={**os.environ, "AMBIT_DATABASE": url(store), "AMBIT_TOKEN": "x.y.z"},
        capture_output=True,
        text=True,
        check=False,
    )


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def noted(path: Path, value: str) -> None:
    """A store in which one word is stored."""
    async with await Database.open(fresh(path)) as database:
        await database.write(meta.put, "word", value)


def word(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'word'").fetchone()[0])


async def test_a_copy_made_during_a_transaction_holds_what_was_stored_before(tmp_path: Path) -> None:
    store = tmp_path / "ambit.db"
    await noted(store, "before")
    async with await Database.open(url(store)) as database:

        def work(connection: Connection) -> None:
            meta.put(connection, "word", "unfinished")
            back_up(url(store), tmp_path / "copy.db")

        await database.write(work)
    assert (word(tmp_path / "copy.db"), word(store)) == ("before", "unfinished")
    assert [name for name in os.listdir(tmp_path) if name.startswith("copy")] == ["copy.db"]


async def test_what_is_restored_is_the_copy_and_the_store_is_kept_aside(tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    await noted(store, "old")
    back_up(url(store), copy)
    await noted(store, "new")
    kept = restore(url(store), copy)
    assert kept is not None
    assert (word(store), word(kept)) == ("old", "new")


async def test_a_restored_store_gives_no_number_that_was_given_after_the_backup(tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    await noted(store, "")
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("INSERT INTO sqlite_sequence VALUES ('matches', 7)")
        connection.commit()
    back_up(url(store), copy)
    restore(url(store), copy)
    with closing(sqlite3.connect(store)) as connection:
        numbers = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    assert numbers == {"matches": 7 + AHEAD, "outbox": AHEAD, "gatherings": AHEAD}


async def test_a_copy_that_is_restored_twice_gives_other_numbers_the_second_time(tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    await noted(store, "")
    back_up(url(store), copy)
    for times in (1, 2):
        restore(url(store), copy)
        async with await Database.open(url(store)) as database:
            ahead = times * AHEAD
            last = {"matches": ahead, "outbox": ahead, "gatherings": ahead}
            assert await database.read(numbers.last_given) == last
            assert await database.read(meta.restores) == times


async def test_a_store_in_use_is_not_replaced(tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    await noted(store, "old")
    back_up(url(store), copy)
    async with await Database.open(url(store)):  # nobody plays, but the bot holds the shards
        with pytest.raises(DatabaseError, match="stop the bot"):
            restore(url(store), copy)
    assert restore(url(store), copy) is not None


@pytest.mark.parametrize("end", ENDS)
async def test_a_backup_that_broke_off_is_no_file_and_does_not_hinder_the_next(end: str, tmp_path: Path) -> None:
    store, folder = tmp_path / "ambit.db", tmp_path / "copies"
    folder.mkdir()
    await noted(store, "kept")
    assert store.stat().st_size > 40960
    ran = breaks_off(end, "bot", "main", f"sys.exit(main(['--backup', '{folder / 'copy.db'}']))", store)
    assert ran.returncode == EXITS[end], ran.stderr
    assert "Traceback" not in ran.stderr
    assert not (folder / "copy.db").exists()
    if end != "killed":
        assert os.listdir(folder) == []
    back_up(url(store), folder / "copy.db")
    assert word(folder / "copy.db") == "kept"
    assert os.listdir(folder) == ["copy.db"]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("stands", [True, False], ids=["over a store", "where there is none"])
async def test_a_restore_that_broke_off_changes_nothing_and_does_not_hinder_the_next(
    stands: bool, end: str, tmp_path: Path
) -> None:
    store, copy = tmp_path / "data" / "ambit.db", tmp_path / "copy.db"
    store.parent.mkdir()
    await noted(store, "old")
    back_up(url(store), copy)
    if stands:
        await noted(store, "new")
    else:
        store.unlink()
    ran = breaks_off(end, "db.upkeep.backup", "restore", f"restore('{url(store)}', Path('{copy}'))", store)
    assert ran.returncode == EXITS[end] if end == "killed" else WHY[end] in ran.stderr, ran.stderr
    assert store.exists() is stands
    if stands:
        assert word(store) == "new"
    kept = restore(url(store), copy)
    assert word(store) == "old"
    assert (kept is None) is not stands
    assert kept is None or word(kept) == "new"
    assert set(os.listdir(store.parent)) == {path.name for path in (store, kept) if path is not None}


async def test_a_backup_never_writes_over_a_file(tmp_path: Path) -> None:
    store = tmp_path / "ambit.db"
    await noted(store, "old")
    with pytest.raises(DatabaseError, match="exists already"):
        back_up(url(store), store)


async def test_the_journal_of_a_store_that_was_deleted_does_not_get_into_the_restored_one(tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    await noted(store, "old")
    back_up(url(store), copy)
    async with await Database.open(url(store)) as database:

        def work(connection: Connection) -> None:
            meta.put(connection, "word", "new")

        await database.write(work)
        lost = {name: (tmp_path / name).read_bytes() for name in os.listdir(tmp_path) if name.startswith("ambit.db-")}
    store.unlink()
    for name, content in lost.items():
        (tmp_path / name).write_bytes(content)
    assert lost["ambit.db-wal"]
    assert restore(url(store), copy) is None
    assert word(store) == "old"


@pytest.mark.parametrize("content", [b"", b"something else", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_store_is_not_restored(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(DatabaseError, match="isn't a database of Ambit"):
        restore(url(tmp_path / "ambit.db"), tmp_path / "copy.db")
    assert not (tmp_path / "ambit.db").exists()


# FOUND B5
@pytest.mark.parametrize("content", [b"", b"something else", b"SQLite format 3\0" + b"\xff" * 5000, "damaged", None])
def test_what_no_restore_can_keep_aside_is_named_with_what_to_do(content: bytes | str | None, tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    fresh(copy)
    if content is None:
        store.mkdir()
    elif isinstance(content, bytes):
        store.write_bytes(content)
    else:
        whole = copy.read_bytes()
        store.write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])
    with pytest.raises(DatabaseError, match=r"db can't be kept aside \(.+\): move it away, then restore again\.$"):
        restore(url(store), copy)
    store.rename(tmp_path / "away")
    assert restore(url(store), copy) is None
    assert [each.name for each in tmp_path.glob("ambit.db*")] == ["ambit.db"]


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no database at"):
        back_up(url(tmp_path / "ambit.db"), tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="no file"):
        restore(url(tmp_path / "ambit.db"), tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="SQLite"):
        back_up("postgresql+asyncpg://localhost/ambit", tmp_path / "copy.db")


def test_a_new_file_needs_a_folder_that_exists(tmp_path: Path) -> None:
    assert writable_copy(f"sqlite+aiosqlite:///{tmp_path}/ambit.db", tmp_path) is None
    with pytest.raises(DatabaseError, match=r"^The database can't be made: its folder must exist"):
        writable_copy(f"sqlite+aiosqlite:///{tmp_path}/missing/ambit.db", tmp_path)
