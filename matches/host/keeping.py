"""What the command line does with a whole database: back it up, restore it, move it.

Everything here raises DatabaseError.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from db import DatabaseError
from db.store.addresses import address_of, file_at
from db.store.addresses import place_of as place_of
from db.upkeep import backup
from db.upkeep.moving import move
from db.upkeep.recovery import recover


def back_up(url: str, copy: Path) -> str:
    """Copy the database at `url` to a new file. Returns a sentence that says so."""
    backup.back_up(url, copy)
    try:
        backup.note(url, datetime.now(UTC))
    except DatabaseError as error:
        return f"The database has been copied to {copy}. (It couldn't note that: {error})"
    return f"The database has been copied to {copy}."


def restore(url: str, copy: Path) -> str:
    """Replace the file at `url` by a copy. Returns a sentence that says so."""
    kept = backup.restore(url, copy)
    return f"{copy} is the database now." + (f" What was there is kept as {kept}." if kept else "")


def note_restored(url: str) -> str:
    """Prepare a database that a server's own tools have restored. Returns a sentence about its next match."""
    last = asyncio.run(recover(url))
    return (
        f"The next match is number {last['matches'] + 1}: no old button belongs to a new match. If this was put back "
        "before, to the same moment or a later one, do it once more for each time."
    )


def move_to(url: str, target: str) -> str:
    """Copy everything at `url` to `target`. Returns a sentence that says so."""
    rows = asyncio.run(move(url, target))
    return (
        f"Copied to the new database: matches {rows['matches']}, lines of their logs {rows['log']}. Set AMBIT_DATABASE "
        "to its address before the next start; the old database is as it was."
    )


def file_of(url: str) -> Path | None:
    """Return the file at an address; ``None`` for a server. Raises DatabaseError."""
    return file_at(address_of(url))


def has_password(url: str) -> bool:
    """Whether an address contains a password."""
    address = address_of(url)
    return address.password is not None or "password" in address.query
