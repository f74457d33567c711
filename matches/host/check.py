"""Checks before an upgrade whether this program can replay every open match of a store (``bot.py --check``)."""

from __future__ import annotations

from db import Connection, Database
from db.matches import queries
from db.model.enums import Status
from db.model.ids import MatchId
from games.log import Course, Line, LogError
from matches.host import stored


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
        rows = queries.lines(connection, match_id)
        Course.begin(match.header).through(Line(*row) for row in rows)
    except LogError as error:
        return f"Match {match_id} ({match.game}): {error}"
    return None
