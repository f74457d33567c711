"""Decisions about tables that start at an appointed time: who is ready, the start, another time (P40).

`matches/appointments/scheduling.py` and the clock ask for them. A person sits down or waits in line as at any table
(`matches/table/lobby.py`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import Due, Ended, Kind, Status
from db.model.ids import UserId
from matches.errors import NotAllowed, NotSeated, WrongTime
from matches.records import fair
from matches.records.seat import Seat
from matches.table import lobby, silence, tidying
from matches.table.events import Told
from matches.table.limits import Deed
from matches.table.lobby import check_host, check_level, looked_at, stand_up, started, with_computers, without_unwelcome
from matches.table.value import READY_BEFORE, Table, lobby_clocks

ANSWER_WITHIN: Final = timedelta(minutes=5)
"""If there would be less time than this to answer, the table starts later, `READY_BEFORE` after the question."""

CALLED_OFF_AFTER: Final = timedelta(hours=1)
"""If the bot can't ask, or start the table, within this time after the appointed one, the table is called off."""

AGAIN: Final = timedelta(minutes=1)
"""The start is tried again after this time if the lobby has no message."""

REDRAWN_EVERY: Final = timedelta(seconds=3)
"""The shortest time between two redraws of a lobby in which one person after the other says that they're ready."""

LATEST: Final = timedelta(days=60)
"""How far ahead an event may move its table. `cogs/text/times.py` reads nothing later either."""

PUT_BACK_EVERY: Final = timedelta(minutes=10)
"""The shortest time between two corrections of an event that its table doesn't follow."""

TOLD_EVERY: Final = timedelta(hours=1)
"""The shortest time between two posts that a table has another time."""

NO_TIME: Final = "This table has no appointed time."


def asked(table: Table) -> Table:
    """Ask everybody, also those in line, whether they're ready."""
    match, now = table.match, table.now
    if match.status is not Status.LOBBY or match.appointed is None or match.asking:
        return table
    if now - match.appointed >= CALLED_OFF_AFTER:
        return _called_off(table)
    if match.appointed - now < ANSWER_WITHIN:
        table = table.set(appointed=now + READY_BEFORE).telling_event()
    table = table.set(asking=True)
    table = table.clocks(lobby_clocks(table.match))
    return _redrawn(table.with_event(Told((News(Kind.READY, rings=True),), match.ply, (Kind.READY,))))


def ready(table: Table, user_id: UserId) -> Table:
    """Note that a person is ready, or here at a table without a time. Raises WrongTime (also too early), NotSeated."""
    table.check_lobby()
    match = table.match
    seat = match.at_table(user_id)
    if seat is None:
        raise NotSeated("You aren't at this table. Press **Join** on its lobby message first.")
    if match.appointed is None:
        return _here(table, seat)
    if not match.asking:
        raise WrongTime("It's too early to say. I'll ask everybody shortly before the table starts.")
    return table if seat.ready else _redrawn(looked_at(table.set_seat(seat.position, ready=True)))


def begun(table: Table) -> Table:
    """Start the table at its appointed time with those who are ready, or call it off."""
    match, now = table.match, table.now
    if match.appointed is None:
        return heard(table)
    if match.status is not Status.LOBBY or now < match.appointed:
        return table
    if not match.asking:
        return asked(table)
    if now - match.appointed >= CALLED_OFF_AFTER:
        return _called_off(table)
    if match.lobby_message_id is None:
        # Its id counts in the draws. The porter posts the lobby again.
        return table.telling(Kind.LOBBY).clocks({Due.BEGIN: now + AGAIN})
    return _started_if_enough(table, match.lobby_message_id) or _called_off(table)


def given_back(table: Table, since: datetime, until: datetime) -> Table:
    """Start a table later, because people couldn't say between these moments that they're ready.

    Before they are asked, its time stays. If it's long over, the table is called off.
    """
    match = table.match
    if match.appointed is None or not match.asking or until - match.appointed >= CALLED_OFF_AFTER:
        return table
    by = until - max(since, match.appointed - READY_BEFORE)
    if by <= timedelta(0):
        return table
    table = table.set(appointed=match.appointed + by).telling_event()
    return _redrawn(table.clocks(lobby_clocks(table.match)))


def _called_off(table: Table) -> Table:
    """Close the table as soon as the clock can be trusted. It starts if enough people get ready before that."""
    return _redrawn(table.clocks({Due.LOBBY: table.now}))


def _started_if_enough(table: Table, posted: int) -> Table | None:
    """Start the table with those who are ready, and perhaps computers; ``None`` if they are too few."""
    match, left = table.match, without_unwelcome(table)
    came = [seat.user_id for seat in left.match.everybody if seat.ready and seat.user_id is not None]
    if left.match.status is not Status.LOBBY or (match.present and not came):
        return None
    if left.match.at_table(left.match.host_id) is not None and left.match.host_id not in came:
        left = left.set(host_id=came[0])
    for seat in (*left.match.line, *left.match.seats):
        if seat.user_id is not None and seat.user_id not in came:
            left = stand_up(left, seat.user_id)
    if left.match.missing and left.match.fill_with is not None:
        left = with_computers(left, left.match.fill_with, left.match.missing)
    if left.match.missing:
        return None
    try:
        return started(left.counting(fair.POST, posted))
    except NotAllowed:  # Too many matches that only computers play are running.
        return None


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
        left = tidying.without_calls(match, left).clocks(lobby_clocks(match))
    return lobby.drawn_anew(left)


def reschedule(table: Table, by: UserId, when: datetime) -> Table:
    """Give the table another time, at the host's request. The others are told.

    Raises WrongTime, or NotAllowed (not the host, no appointed time, too soon to ask everybody), TooSoon.
    """
    check_host(table, by)
    if table.match.appointed is None:
        raise NotAllowed(NO_TIME)
    if when - table.now < READY_BEFORE:
        minutes = READY_BEFORE // timedelta(minutes=1)
        raise NotAllowed(f"The others need time to hear of it: choose a time at least {minutes} minutes from now.")
    if when == table.match.appointed:
        return table
    return moved_to(table.using(Deed.RESCHEDULE, by), when)


def moved_to(table: Table, when: datetime) -> Table:
    """Give an appointed table another time. Nobody is ready for it yet."""
    match = table.match
    if match.status is not Status.LOBBY or match.appointed in (None, when):
        return table
    table = tidying.without_calls(match, table)
    table = table.set(appointed=when, asking=False, seats=_unready(match.seats), line=_unready(match.line))
    table = _redrawn(table.clocks(lobby_clocks(table.match)).telling_event())
    others = any(seat.user_id not in (None, match.host_id) for seat in match.everybody)
    rows = (News(Kind.RESCHEDULED, rings=True),) if others else ()
    outdated = (Kind.READY, Kind.RESCHEDULED)
    return table.with_event(Told(rows, match.ply, outdated, every=TOLD_EVERY, at_once=True))


def told(table: Table) -> Table:
    """Note that people were told of another time, by a row that rings nobody, due when they may be told again.

    What changes until then takes its place. If the table starts soon, that is sooner.
    """
    match = table.match
    if match.status is not Status.LOBBY or match.appointed is None:
        return table
    due = table.now + min(TOLD_EVERY, (match.appointed - table.now) / 2)
    return table.with_event(Told((News(Kind.RESCHEDULED),), match.ply, due=due))


def follow(table: Table, when: datetime) -> Table:
    """Give the table the time that its event got on Discord. Discord doesn't say by whom.

    So that uses the host's allowance, as if they had done it themselves; storing it may raise TooSoon.
    """
    match = table.match
    if match.status is not Status.LOBBY or match.appointed in (None, when):
        return table
    if when - table.now > LATEST:
        return put_back(table)
    return moved_to(table.using(Deed.RESCHEDULE, match.host_id), when)


def put_back(table: Table) -> Table:
    """Have the event changed back to the table's time; once for several changes that follow each other closely."""
    return table.with_event(Told((News(Kind.EVENT),), table.match.ply, (Kind.EVENT,), every=PUT_BACK_EVERY))


def fill_with(table: Table, by: UserId, level: str | None) -> Table:
    """Choose who takes missing seats at the appointed time, at the host's request: computers of a level, or nobody.

    Raises WrongTime, or NotAllowed (not the host, no appointed time, no such level).
    """
    check_host(table, by)
    match = table.match
    if match.appointed is None:
        raise NotAllowed(NO_TIME)
    if level is not None:
        check_level(match.game, match.options, match.players_with(0), level)
    return _redrawn(table.using(Deed.ARRANGE, by).set(fill_with=level))


def event_over(table: Table) -> Table:
    """Close the table, because its scheduled event on Discord was cancelled or deleted."""
    if table.match.status is not Status.LOBBY or table.match.appointed is None:
        return table
    return table.ended(Ended.EVENT)


def _unready(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(replace(seat, ready=False) for seat in seats)


def _redrawn(table: Table) -> Table:
    """Have the lobby redrawn; once for several changes that follow each other closely."""
    return table.with_event(Told((News(Kind.LOBBY),), table.match.ply, (Kind.LOBBY,), every=REDRAWN_EVERY))
