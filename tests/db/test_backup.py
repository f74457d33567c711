"""A copy of the store is made while it is in use, and put back when it is not."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from db import Database, DatabaseError, meta
from db.backup import AHEAD, back_up, restore


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def noted(path: Path, value: str) -> None:
    """A store in which one word is noted."""
    async with await Database.open(url(path)) as database, database.transaction() as connection:
        await meta.put(connection, "word", value)


def word(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'word'").fetchone()[0])


async def test_a_copy_made_during_a_transaction_holds_what_was_stored_before(tmp_path: Path) -> None:
    store = tmp_path / "ambit.db"
    await noted(store, "before")
    async with await Database.open(url(store)) as database, database.transaction() as connection:
        await meta.put(connection, "word", "unfinished")
        back_up(url(store), tmp_path / "copy.db")
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
    assert numbers == {"matches": 7 + AHEAD, "outbox": AHEAD}


async def test_a_store_in_use_is_not_replaced(tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    await noted(store, "old")
    back_up(url(store), copy)
    async with await Database.open(url(store)):  # nothing is going on, but somebody is there
        with pytest.raises(DatabaseError, match="stop the bot"):
            restore(url(store), copy)
    assert restore(url(store), copy) is not None


async def test_a_backup_never_writes_over_a_file(tmp_path: Path) -> None:
    store = tmp_path / "ambit.db"
    await noted(store, "old")
    with pytest.raises(DatabaseError, match="exists already"):
        back_up(url(store), store)


@pytest.mark.parametrize("content", [b"", b"something else", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_store_is_not_restored(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(content)
    with pytest.raises(DatabaseError, match="not a database of Ambit"):
        restore(url(tmp_path / "ambit.db"), tmp_path / "copy.db")
    assert not (tmp_path / "ambit.db").exists()


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="no database at"):
        back_up(url(tmp_path / "ambit.db"), tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="no file"):
        restore(url(tmp_path / "ambit.db"), tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="SQLite"):
        back_up("postgresql+asyncpg://localhost/ambit", tmp_path / "copy.db")
