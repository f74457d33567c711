"""Checks before an upgrade whether this program can replay every open match of a store (``bot.py --check``)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from db import Connection, Database, DatabaseError, alone
from db.matches import log_lines, queries
from db.migrations import Empty, Outdated
from db.model.enums import Status
from db.model.ids import MatchId
from db.upkeep import backup
from games.log import Course, Line, LogError
from matches.work import stored


async def check_store(url: str, folder: Path, migrate: bool) -> tuple[list[str], list[str]]:
    """Return what to say of the store at `url`, and its problems, in sentences.

    Every running or frozen match is replayed. An SQLite file is copied to `folder`, and the copy is migrated. With
    `migrate` the store itself is also migrated before the replay. No bot may run on it then. Raises DatabaseError if
    the store can't be looked at now but perhaps later.
    """
    said = list[str]()
    try:
        copied = await asyncio.to_thread(backup.writable_copy, url, folder)
        if copied is None:
            return ["There is no database yet; the first start makes one."], []
        if migrate:
            async with alone(url), await Database.open(url):
                said.append("The database has been brought up to date.")
        if copied != url and await _is_outdated(copied):
            said.append("This version changes the database's schema: restart the bot for it, since it can't take over.")
        async with await Database.open(copied, migrate=copied != url) as database:
            faults = await check(database)
    except Empty as error:
        return [*said, str(error)], []
    except DatabaseError as error:
        if error.passes:
            raise
        return said, [str(error)]
    said.append("The database can be read." if faults else "The database can be read, and every open match can go on.")
    return said, [f"This version of the bot can't continue a match. {fault}" for fault in faults]


async def _is_outdated(url: str) -> bool:
    """Whether this program would migrate the store. Raises DatabaseError."""
    try:
        await (await Database.open(url, migrate=False)).close()
    except Empty:
        return False
    except Outdated:
        return True
    return False


async def check(database: Database) -> tuple[str, ...]:
    """Return one sentence for each running or frozen match whose log doesn't replay. Changes nothing."""
    return await database.at_length(_faults, writes=False)


def _faults(connection: Connection) -> tuple[str, ...]:
    numbers = queries.match_ids(connection, (Status.RUNNING, Status.FROZEN))
    faults = (_fault(connection, number) for number in numbers)
    return tuple(fault for fault in faults if fault is not None)


def _fault(connection: Connection, match_id: MatchId) -> str | None:
    match = stored.read(connection, match_id)
    try:
        rows = log_lines.lines(connection, match_id)
        Course.begin(match.header).through(Line(*row) for row in rows)
    except LogError as error:
        return f"Match {match_id} ({match.game}): {error}"
    return None
