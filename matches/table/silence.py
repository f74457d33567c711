"""Who hasn't pressed anything at a table that hasn't started: people are asked whether they're here (P1).

`matches/table/lobby.py` decides what follows from their answers.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import Kind, Status
from db.model.ids import UserId
from matches.records.seat import Seat
from matches.table.events import Told
from matches.table.value import Table

SILENT_AFTER: Final = timedelta(hours=1)
"""Whoever hasn't pressed anything at a table for this long is asked whether they're here before its match starts."""

HERE_WITHIN: Final = timedelta(minutes=5)
"""How long people are asked that."""


def silent(table: Table) -> list[Seat]:
    """Return the people who haven't pressed anything at this table for an hour, nor said that they're here."""
    match = table.match
    return [seat for seat in match.present if not seat.ready and is_silent(table, seat.pressed_at)]


def is_silent(table: Table, since: datetime | None) -> bool:
    return table.now - (since or table.details.created_at) >= SILENT_AFTER


def asked(table: Table) -> Table:
    """Ask those who aren't ready whether they're here, and give them time to answer."""
    table = table.set(turn_due=table.now + HERE_WITHIN).waits_to_start().telling(Kind.LOBBY)
    return table.with_event(Told((News(Kind.READY, rings=True),), table.match.ply, (Kind.READY,)))


def pressed(table: Table, user_id: UserId) -> Table:
    """Note that a person has pressed something at a table that hasn't started."""
    seat = table.match.at_table(user_id) if table.match.status is Status.LOBBY else None
    return table if seat is None else table.set_seat(seat.position, pressed_at=table.now)
