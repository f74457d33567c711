"""Decides which messages of a match are tidied up: those that ask somebody for a turn that is over.

Old boards are tidied up when the next one is posted (`matches/delivery/outbox.py`). `cogs/delivery/tidying.py` does it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import Kind, Lost, Status
from db.model.ids import Ply
from matches.records.match import Match
from matches.records.seat import Seat
from matches.table.events import Told
from matches.table.value import Table

DM_STAYS: Final = timedelta(seconds=30)
"""How long after a turn the direct message about it is edited. If their next turn begins sooner, it isn't edited."""


def turn_over(before: Match, table: Table) -> Table:
    """Tidy up the messages that called the player of the previous turn."""
    table = without_calls(before, table)
    seat, mover = before.mover, table.match.mover
    if seat is None or (mover is not None and mover.present and mover.user_id == seat.user_id):
        return table
    return _told(table, seat, stays=DM_STAYS)


def match_over(before: Match, table: Table) -> Table:
    """Tidy up the messages that called players of a match that has ended or frozen, also their direct messages."""
    if before.lost is Lost.SERVER or before.status not in (Status.LOBBY, Status.RUNNING):
        return table
    table = without_calls(before, table)
    if table.match.status is Status.FROZEN and before.board_message_id is not None:
        table = _old_board(before, table)  # No post of the end replaces it.
    for seat in before.seats:
        table = _told(table, seat, stays=timedelta(0))
    return table


def moved(before: Match, table: Table) -> Table:
    """Tidy up the messages of a match in the place that it leaves."""
    table = without_calls(before, table)
    return table if before.board_message_id is None else _old_board(before, table)


def _old_board(before: Match, table: Table) -> Table:
    row = News(Kind.OLD_BOARD, message_id=before.board_message_id, channel_id=before.place_id)
    return table.with_event(Told((row,), Ply(before.board_ply)))


def without_calls(before: Match, table: Table) -> Table:
    """Tidy up the messages that called somebody."""
    calls = table.hidden.calls
    if not calls:
        return table
    old = (News(Kind.OLD_POST, message_id=each, channel_id=before.place_id) for each in calls)
    return table.set(calls=()).with_event(Told(tuple(old), table.match.ply))


def _told(table: Table, seat: Seat, *, stays: timedelta) -> Table:
    """Tell a person in their direct message that it isn't their turn any more. Only the latest such row is needed."""
    if seat.hand_message_id is None or seat.user_id is None:
        return table
    row = News(Kind.OLD_DM, seat.seat, seat.user_id)
    due = table.now + stays if stays else None
    return table.with_event(Told((row,), table.match.ply, (Kind.OLD_DM,), seat=seat.seat, due=due))
