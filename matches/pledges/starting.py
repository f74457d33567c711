"""Decisions about the lobby of people who had pledged to play: it starts by itself (P40)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db.model.enums import Due, Kind, Status
from db.pledges.rows import PledgedTable
from matches.records.match import Match
from matches.table.events import Shifted
from matches.table.feature import Unowned
from matches.table.lobby import start_unpressed
from matches.table.value import Table

KEY: Final = "pledges"

PEOPLE: Final = 2
"""A match that starts by itself needs at least this many people."""

POSTED_WITHIN: Final = timedelta(seconds=10)
"""How long a lobby that starts by itself waits for its message to be posted, at first. Then it waits ever longer."""


def starts_by(match: Match) -> datetime | None:
    """Return when a table that pledges have made starts by itself, or started; ``None`` for any other."""
    found: PledgedTable | None = match.shown.get(KEY)
    return None if found is None else found.starts_by


def unowned(match: Match) -> Unowned[Table] | None:
    """Return how a lobby that pledges have made starts."""
    at = starts_by(match)
    if at is None or match.status is not Status.LOBBY:
        return None
    return Unowned(at, "Everybody here had said they'd play.", _moved)


def _moved(table: Table, by: timedelta) -> Table:
    at = starts_by(table.match)
    assert at is not None
    table = table.showing(KEY, PledgedTable(at + by))
    return table.with_event(Shifted((Due.START,), by)).telling(Kind.LOBBY)


def started(table: Table) -> Table:
    """Start the match at its time.

    If the lobby isn't posted yet, try again later. If too few people are left, it becomes a lobby like any other.
    """
    match, found = table.match, unowned(table.match)
    if found is None:
        return table
    if match.lobby_message_id is None:
        again = table.now + max(POSTED_WITHIN, table.now - found.at)
        return table.clocks({Due.LOBBY: table.lobby_closes_at, Due.START: again})
    if len(match.seats) < match.info.min_players or len(match.present) < PEOPLE:
        return left_out(table)
    after = start_unpressed(table)
    return after if after.match.status is not Status.LOBBY else after.hiding(KEY)


def left_out(table: Table) -> Table:
    """Make the lobby one like any other."""
    if unowned(table.match) is None:
        return table
    return table.hiding(KEY).waits_to_start().telling(Kind.LOBBY)
