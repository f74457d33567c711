"""Decisions about who says that they're here, or ready, before a match starts (P1).

`matches/table/silence.py` decides who is asked at a table without an appointed time.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import Kind, Status
from db.model.ids import UserId
from matches.errors import NotSeated, WrongTime
from matches.records import fair
from matches.records.seat import Seat
from matches.table import lobby, silence, tidying
from matches.table.events import Told
from matches.table.lobby import stand_up, started, without_unwelcome
from matches.table.value import Table

REDRAWN_EVERY: Final = timedelta(seconds=3)
"""The shortest time between two redraws of a lobby in which one person after the other says that they're ready."""


def ready(table: Table, user_id: UserId) -> Table:
    """Note that a person is ready, or here at a table without a time. Raises WrongTime (also too early), NotSeated."""
    table.check_lobby()
    match = table.match
    seat = match.at_table(user_id)
    if seat is None:
        raise NotSeated("You aren't at this table. Press **Join** on its lobby message first.")
    if table.start is None:
        return _here(table, seat)
    if not match.asking:
        raise WrongTime("It's too early to say. I'll ask everybody shortly before the table starts.")
    return table if seat.ready else redrawn(table.set_seat(seat.position, ready=True))


def _here(table: Table, seat: Seat) -> Table:
    """Note that a person is here. Once all who were asked are, the match starts."""
    asks = table.match.asking
    table = table.set_seat(seat.position, pressed_at=table.now, ready=asks)
    if asks and not silence.silent(table):
        return _answered(table)
    return table.telling(Kind.LOBBY) if asks else table


def heard(table: Table) -> Table:
    """Start a match whose people had time to say that they're here. Those who haven't lose their seats.

    If too few are left, the lobby stays open. If the bot was away meanwhile, it asks again.
    """
    match = table.match
    if match.status is not Status.LOBBY or not match.asking or match.turn_due is None:
        return table
    late = silence.silent(table)
    if late and table.now - match.turn_due > silence.HERE_WITHIN:
        return silence.asked(table)
    for seat in late:
        if seat.user_id is not None and table.match.status is Status.LOBBY:
            table = stand_up(table, seat.user_id)
    return _answered(table)


def _answered(table: Table) -> Table:
    """Start the match with those who are here, or leave the lobby open if they're too few."""
    seats = tuple(replace(seat, ready=False) for seat in table.match.seats)
    left = without_unwelcome(table.set(asking=False, turn_due=None, seats=seats))
    match = left.match
    if match.status is Status.LOBBY and not match.missing and match.present:
        if table.press is not None:
            return started(left.counting("start"))
        if match.lobby_message_id is not None:
            return started(left.counting(fair.POST, match.lobby_message_id))
    if match.status is Status.LOBBY:
        left = tidying.without_calls(match, left).waits_to_start()
    return lobby.drawn_anew(left)


def redrawn(table: Table) -> Table:
    """Have the lobby redrawn; once for several changes that follow each other closely."""
    return table.with_event(Told((News(Kind.LOBBY),), table.match.ply, (Kind.LOBBY,), every=REDRAWN_EVERY))
