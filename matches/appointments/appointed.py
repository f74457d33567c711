"""Decisions about tables that start at an appointed time: when people are asked, the start, another time (P40).

`matches/appointments/__init__.py` and the clock ask for them. A person sits down, waits in line, and says that
they're ready as at any table (`matches/table/lobby.py`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from db.appointments.kept import KEPT, Appointment
from db.matches.outbox import News
from db.model.enums import Due, Ended, Kind, Lost, Status
from db.model.ids import UserId
from matches.errors import HostError, NotAllowed, WrongTime
from matches.records import fair
from matches.records.match import Match
from matches.records.seen import Offer
from matches.table import tidying
from matches.table.events import Told
from matches.table.feature import Start
from matches.table.limits import Deed, Limit, Per
from matches.table.lobby import (
    check_host,
    check_level,
    redrawn,
    stand_up,
    started,
    unready,
    with_computers,
    without_unwelcome,
)
from matches.table.opening import SHOWN_WITHIN
from matches.table.value import LOBBY_STAYS, Table

KEY: Final = KEPT.key

APPOINT: Final = Limit("appoint", 5, timedelta(hours=1), "You've appointed a lot of times here in a short time.")
"""A table is opened that starts at a certain time."""

_RESCHEDULED: Final = "You've given this table another time more than once already."
RESCHEDULE: Final = Limit("reschedule", 2, timedelta(hours=12), _RESCHEDULED, Per.MATCH)
"""A table gets another time to start."""

READY_BEFORE: Final = timedelta(minutes=10)
"""This long before an appointed table starts, everybody there is asked whether they're ready."""

ANSWER_WITHIN: Final = timedelta(minutes=5)
"""If there would be less time than this to answer, the table starts later, `READY_BEFORE` after the question."""

CALLED_OFF_AFTER: Final = timedelta(hours=1)
"""If the bot can't ask, or start the table, within this time after the appointed one, the table is called off."""

AGAIN: Final = timedelta(minutes=1)
"""The start is tried again after this time if the lobby has no message."""

LATEST: Final = timedelta(days=60)
"""How far ahead an event may move its table. `cogs/text/times.py` reads nothing later either."""

PUT_BACK_EVERY: Final = timedelta(minutes=10)
"""The shortest time between two corrections of an event that its table doesn't follow."""

TOLD_EVERY: Final = timedelta(hours=1)
"""The shortest time between two posts that a table has another time."""

NO_TIME: Final = "This table has no appointed time."


def of(match: Match) -> Appointment | None:
    """Return when a match starts, or started, and what is known of its event; ``None`` if that wasn't appointed."""
    found: Appointment | None = match.shown.get(KEY)
    return found


def waiting(match: Match) -> Appointment | None:
    """Return when a lobby starts, ``None`` if that isn't appointed, or the match is no lobby any more."""
    return of(match) if match.status is Status.LOBBY else None


def start(match: Match) -> Start[Table] | None:
    """Return how an appointed table starts, ``None`` for any other match."""
    found = waiting(match)
    if found is None:
        return None
    missing = "If too few are ready then, the table is called off."
    if found.fill_with is not None:
        missing = f"Computers ({found.fill_with}) take the seats of those who aren't ready then."
    return Start(
        found.appointed,
        {Due.READY: found.appointed if match.asking else found.appointed - READY_BEFORE},
        given_back,
        _refusal(match),
        missing,
        (Offer("reschedule", "Another time …"), Offer("missing", "If too few come …")),
    )


def _refusal(match: Match) -> HostError | None:
    """Return why the host can't start an appointed table yet."""
    if not match.asking:
        minutes = READY_BEFORE // timedelta(minutes=1)
        return WrongTime(
            f"This table starts at its appointed time. {minutes} minutes before, I ask who's ready. Once everybody is, "
            "you can start it yourself."
        )
    if not all(seat.ready for seat in match.present):
        return NotAllowed("Not everybody has pressed **I'm ready** yet. The table starts by itself at its time.")
    return None


def opens(table: Table) -> Table:
    """Let a table open that starts at an appointed time. Raises NotAllowed if there's no such level."""
    match, found = table.match, waiting(table.match)
    if found is None:
        return table
    _check_level(match, found.fill_with)
    table = table.set(host_starts=False, asking=found.appointed - table.now <= READY_BEFORE)
    return table.using(APPOINT, match.host_id)


def followed(table: Table, before: Table) -> Table:
    """Look at a table anew if its time has come and somebody has sat down or got ready: perhaps they are enough now."""
    match, found = table.match, waiting(table.match)
    if found is None or not match.asking or table.now < found.appointed:
        return table
    known = {seat.user_id for seat in before.match.everybody if seat.ready}
    more = any(seat.ready and seat.user_id not in known for seat in match.everybody)
    return table.waits_to_start() if more else table


def announced(table: Table, before: Table | None) -> Table:
    """Have the event brought up to date when the table opens, moves, starts or ends, or its server is found again.

    On a server that the bot has left, it waits for that. Once the table has started, nobody is told of another time.
    """
    match = table.match
    if before is None:
        return _event(table, due=table.now + SHOWN_WITHIN)
    unreachable = before.match.lost is Lost.SERVER
    if match.status is before.match.status:
        found = unreachable and match.lost is None
        return _event(table) if found or match.channel_id != before.match.channel_id else table
    if of(match) is not None and before.match.status is Status.LOBBY:
        table = table.with_event(Told((), match.ply, (Kind.RESCHEDULED,)))
    return table if unreachable else _event(table)


def left_out(table: Table) -> Table:
    """Make an appointed table one like any other. Its people are told."""
    match = table.match
    if waiting(match) is None:
        return table
    table = unready(table.hiding(KEY).set(asking=False))
    table = table if match.lost is not None else table.set(closes_at=table.now + LOBBY_STAYS).waits_to_start()
    outdated = (Kind.READY, Kind.RESCHEDULED, Kind.EVENT)
    return table.with_event(Told((News(Kind.RESCHEDULED, rings=True), News(Kind.LOBBY)), match.ply, outdated))


def due(table: Table) -> Table:
    """Do what is due at an appointed table: ask everybody, or start it."""
    match, found = table.match, waiting(table.match)
    if found is None:
        return table
    return _begun(table, found) if match.asking else _asked(table, found)


def _asked(table: Table, found: Appointment) -> Table:
    """Ask everybody, also those in line, whether they're ready."""
    now = table.now
    if now - found.appointed >= CALLED_OFF_AFTER:
        return _called_off(table)
    if found.appointed - now < ANSWER_WITHIN:
        table = _event(_with(table, appointed=now + READY_BEFORE))
    table = table.set(asking=True).waits_to_start()
    return redrawn(table.with_event(Told((News(Kind.READY, rings=True),), table.match.ply, (Kind.READY,))))


def _begun(table: Table, found: Appointment) -> Table:
    """Start the table at its appointed time with those who are ready, or call it off."""
    match, now = table.match, table.now
    if now < found.appointed:
        return table
    if now - found.appointed >= CALLED_OFF_AFTER:
        return _called_off(table)
    if match.lobby_message_id is None:
        # Its id counts in the draws. The porter posts the lobby again.
        return table.telling(Kind.LOBBY).clocks({Due.READY: now + AGAIN})
    return _started_if_enough(table, found, match.lobby_message_id) or _called_off(table)


def given_back(table: Table, since: datetime, until: datetime) -> Table:
    """Start a table later, because people couldn't say between these moments that they're ready.

    Before they are asked, its time stays. If it's long over, the table is called off.
    """
    match, found = table.match, waiting(table.match)
    if found is None or not match.asking or until - found.appointed >= CALLED_OFF_AFTER:
        return table
    by = until - max(since, found.appointed - READY_BEFORE)
    if by <= timedelta(0):
        return table
    return redrawn(_event(_with(table, appointed=found.appointed + by)).waits_to_start())


def _called_off(table: Table) -> Table:
    """Close the table as soon as the clock can be trusted. It starts if enough people get ready before that."""
    return redrawn(table.clocks({Due.LOBBY: table.now}))


def _started_if_enough(table: Table, found: Appointment, posted: int) -> Table | None:
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
    if left.match.missing and found.fill_with is not None:
        left = with_computers(left, found.fill_with, left.match.missing)
    if left.match.missing:
        return None
    try:
        return started(left.counting(fair.POST, posted))
    except NotAllowed:  # Too many matches that only computers play are running.
        return None


def reschedule(table: Table, by: UserId, when: datetime) -> Table:
    """Give the table another time, at the host's request. The others are told.

    Raises WrongTime, or NotAllowed (not the host, no appointed time, too soon to ask everybody), TooSoon.
    """
    found = _own(table, by)
    if when - table.now < READY_BEFORE:
        minutes = READY_BEFORE // timedelta(minutes=1)
        raise NotAllowed(f"The others need time to hear of it: choose a time at least {minutes} minutes from now.")
    if when == found.appointed:
        return table
    return moved_to(table.using(RESCHEDULE, by), when)


def moved_to(table: Table, when: datetime) -> Table:
    """Give an appointed table another time. Nobody is ready for it yet."""
    match, found = table.match, waiting(table.match)
    if found is None or found.appointed == when:
        return table
    table = _with(tidying.without_calls(match, table), appointed=when)
    table = redrawn(_event(unready(table.set(asking=False)).waits_to_start()))
    others = any(seat.user_id not in (None, match.host_id) for seat in match.everybody)
    rows = (News(Kind.RESCHEDULED, rings=True),) if others else ()
    outdated = (Kind.READY, Kind.RESCHEDULED)
    return table.with_event(Told(rows, match.ply, outdated, every=TOLD_EVERY, at_once=True))


def told(table: Table) -> Table:
    """Note that people were told of another time, by a row that rings nobody, due when they may be told again.

    What changes until then takes its place. If the table starts soon, that is sooner.
    """
    found = waiting(table.match)
    if found is None:
        return table
    due = table.now + min(TOLD_EVERY, (found.appointed - table.now) / 2)
    return table.with_event(Told((News(Kind.RESCHEDULED),), table.match.ply, due=due))


def follow(table: Table, when: datetime) -> Table:
    """Give the table the time that its event got on Discord. Discord doesn't say by whom.

    So that uses the host's allowance, as if they had done it themselves; storing it may raise TooSoon.
    """
    found = waiting(table.match)
    if found is None or found.appointed == when:
        return table
    if when - table.now > LATEST:
        return put_back(table)
    return moved_to(table.using(RESCHEDULE, table.match.host_id), when)


def put_back(table: Table) -> Table:
    """Have the event changed back to the table's time; once for several changes that follow each other closely."""
    return table.with_event(Told((News(Kind.EVENT),), table.match.ply, (Kind.EVENT,), every=PUT_BACK_EVERY))


def fill_with(table: Table, by: UserId, level: str | None) -> Table:
    """Choose who takes missing seats at the appointed time, at the host's request: computers of a level, or nobody.

    Raises WrongTime, or NotAllowed (not the host, no appointed time, no such level).
    """
    _own(table, by)
    _check_level(table.match, level)
    return redrawn(_with(table.using(Deed.ARRANGE, by), fill_with=level))


def event_over(table: Table) -> Table:
    """Close the table, because its scheduled event on Discord was cancelled or deleted."""
    return table if waiting(table.match) is None else table.ended(Ended.EVENT)


def _own(table: Table, by: UserId) -> Appointment:
    """Return when this person's table starts. Raises WrongTime, or NotAllowed (not the host, no appointed time)."""
    check_host(table, by)
    found = of(table.match)
    if found is None:
        raise NotAllowed(NO_TIME)
    return found


def _check_level(match: Match, level: str | None) -> None:
    if level is not None:
        check_level(match.game, match.options, match.players_with(0), level)


def _with(table: Table, **changes: Any) -> Table:
    """Return an appointed table about which something has changed."""
    return table.showing(KEY, replace(table.match.shown[KEY], **changes))


def _event(table: Table, due: datetime | None = None) -> Table:
    """Have the scheduled event on Discord brought up to date, if the table has one."""
    found = of(table.match)
    if found is None or not found.mirrored:
        return table
    return table.with_event(Told((News(Kind.EVENT),), table.match.ply, (Kind.EVENT,), due=due))
