"""Backs up an SQLite file while the bot runs, and restores it while the bot is stopped.

Both use SQLite's backup API, which copies a snapshot of the whole store. Other databases have tools of their own. Only
the command line calls this, so nothing is asynchronous.

Every copy is made under a temporary name in its target folder, and renamed when it is complete. So an interrupted copy
leaves no partial file and doesn't block the next one. Only its owner can read a copy.
"""

from __future__ import annotations

import glob
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from db.failures import DatabaseError, may_pass
from db.matches import numbers
from db.migrations import check_not_newer
from db.store import meta
from db.store.addresses import address_of, file_at
from db.store.files import give_to_owner_of, make_private
from db.store.sqlite import fault_passes, file_transaction
from db.upkeep import totals

WAIT: Final = 5.0
"""Seconds to wait for a writer's lock."""

UNFINISHED: Final = ".unfinished-"
"""Part of the temporary folder's name. Only a killed process leaves such a folder."""


def back_up(url: str, copy: Path) -> None:
    """Copy the store to a new file, which appears when it is complete.

    Raises DatabaseError, also if the file exists.
    """
    store = _file(url, "copied by pg_dump, also while the bot runs (see docs/scaling.md)")
    with _written(copy):
        if not copy.exists() and not store.is_file():
            raise DatabaseError(f"There is no database at {store}.")
        with _made(copy) as unfinished:
            _copy(store, unfinished)


def note(url: str, now: datetime) -> None:
    """Store in the file that it was backed up now. Raises DatabaseError."""
    with file_transaction(_file(url, "backed up otherwise"), writes=True, patience=WAIT) as connection:
        meta.put(connection, totals.BACKED_UP, now.isoformat())


def writable_copy(url: str, folder: Path) -> str | None:
    """Copy the store's file into `folder`, and return the copy's address; ``None`` if there is no file yet.

    For a server this returns `url` itself. So it does if the file can't be copied and a retry wouldn't help, because
    opening the file reports what is wrong. Raises DatabaseError if a retry may help, or if no file can be made there.
    """
    address = address_of(url)
    store = file_at(address)
    if store is None:
        return url
    copy = folder / "copy.db"
    with _written(copy):
        if not store.exists():
            if not os.access(store.absolute().parent, os.W_OK):
                raise DatabaseError("The database can't be made: its folder must exist and be writable for the bot.")
            return None
        try:
            _copy(store, copy, check=False)
        except DatabaseError as error:
            if error.passes:
                raise
            # Opening the file itself reports what is wrong with it.
            return url
    return address.set(database=str(copy)).render_as_string(hide_password=False)


def restore(url: str, copy: Path) -> Path | None:
    """Replace the store by a copy. Return where the old store is kept, if there was one. Raises DatabaseError.

    The bot must not run: it would continue from its memory. The store is unchanged until the copy is complete and has
    its new numbers. Then SQLite replaces its content in one transaction. Its owner and permissions stay.
    """
    store = _file(url, "put back by pg_restore, and then by bot.py --restored (see docs/scaling.md)")
    with _written(store):
        return _restored(store, copy)


def _restored(store: Path, copy: Path) -> Path | None:
    if not copy.is_file():
        raise DatabaseError(f"There is no file {copy}.")
    _check(copy)
    with file_transaction(copy) as connection:
        check_not_newer(connection)
    kept = None
    if store.exists():
        _check_unused(store)
        kept = next(path for number in range(1, 10_000) if not (path := _aside(store, number)).exists())
    with _made(store, over=True) as unfinished:
        _copy(copy, unfinished)
        if kept is None:
            with file_transaction(unfinished, writes=True) as restored:
                numbers.skip_ahead(restored)
        else:
            with _made(kept) as aside:
                _copy(store, aside)
            with file_transaction(unfinished, writes=True) as restored, file_transaction(kept) as replaced:
                numbers.skip_ahead(restored, replaced)
            _copy(unfinished, store)
    return kept


@contextmanager
def _made(target: Path, *, over: bool = False) -> Iterator[Path]:
    """Yield a temporary path for a file. At the end the file is renamed to `target`, or deleted after an error.

    Folders left by a killed process are removed first. Raises DatabaseError if `target` exists; with `over` the caller
    replaces an existing `target` itself.
    """

    def check() -> None:
        if target.exists() and not over:
            raise DatabaseError(f"{target} exists already; a backup is always a new file.")

    check()
    for left_over in target.parent.glob(f"{glob.escape(target.name + UNFINISHED)}*"):
        shutil.rmtree(left_over)
    with TemporaryDirectory(prefix=target.name + UNFINISHED, dir=target.parent) as folder:
        unfinished = Path(folder, target.name)
        yield unfinished
        check()
        if not target.exists():
            # SQLite would take the journal of a deleted store for this one's.
            for kind in ("-journal", "-wal", "-shm"):
                target.with_name(target.name + kind).unlink(missing_ok=True)
            give_to_owner_of(target.parent, unfinished)
            unfinished.rename(target)


@contextmanager
def _written(target: Path) -> Iterator[None]:
    """Turn the operating system's errors in writing `target` into a DatabaseError."""
    try:
        yield
    except OSError as error:
        raise DatabaseError(f"{target} couldn't be written ({error}).", passes=may_pass(error)) from error


def _file(url: str, otherwise: str) -> Path:
    """Return the file at this address. Raises DatabaseError; for a server it says what to do `otherwise`."""
    file = file_at(address_of(url))
    if file is None:
        raise DatabaseError(f"This works for an SQLite file alone; a PostgreSQL database is {otherwise}.")
    return file


def _aside(store: Path, number: int) -> Path:
    return store.with_name(f"{store.name}.before-restore-{number}")


def _copy(source: Path, target: Path, *, check: bool = True) -> None:
    try:
        make_private(target)
        with _reading(source) as reader, closing(sqlite3.connect(target, timeout=WAIT)) as writer:
            reader.backup(writer, progress=_give_up_if_locked)
            writer.execute("PRAGMA journal_mode = DELETE")  # One portable file. The bot sets it back.
    except (OSError, sqlite3.Error) as error:
        passes = may_pass(error) if isinstance(error, OSError) else fault_passes(error)
        raise DatabaseError(f"{source} couldn't be copied to {target} ({error}).", passes=passes) from error
    if check:
        _check(target)


def _give_up_if_locked(status: int, *_: int) -> None:
    """Raise once SQLite has waited in vain for a lock. By itself, its backup would try again for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("database is locked")


def _reading(file: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=WAIT))


def _check(file: Path) -> None:
    """Raise DatabaseError unless the file is an intact store of Ambit's."""
    try:
        with _reading(file) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            connection.execute("SELECT version_num FROM alembic_version")
            connection.execute("SELECT count(*) FROM matches")
    except sqlite3.Error as error:
        raise DatabaseError(f"{file} isn't a database of Ambit's ({error}).") from error
    if verdict != "ok":
        raise DatabaseError(f"{file} is damaged ({verdict.splitlines()[-1]}).")


def _check_unused(store: Path) -> None:
    """Raise DatabaseError while anybody has the store open, or if it can't be kept aside."""
    try:
        with closing(sqlite3.connect(store, timeout=0.0)) as connection:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.rollback()
        _check(store)
    except (sqlite3.Error, DatabaseError) as error:
        why = str(error.__cause__ or error).rstrip(".")
        if "locked" in why:
            raise DatabaseError("The database is in use: stop the bot first.") from error
        way_on = "move it away, then restore again"
        raise DatabaseError(f"{store} can't be kept aside ({why}): {way_on}.", passes=fault_passes(error)) from error
