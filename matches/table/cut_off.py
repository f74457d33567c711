"""Decisions about a player to move who can't press anything where the match is played (P13, P17).

Moderators have timed them out, they can't see the place, or they aren't on the server. A look at Discord finds that out
(`cogs/process/looks.py`). The clock then stands still out of their away time, in short pauses that are equally long
whatever the reason; after each of them the bot looks again. Nobody else is told the reason. About somebody who still
isn't on the server after such a pause, the others are asked.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import ABSENCE, CutOff, Kind, Pace, Status
from db.model.ids import UserId
from matches.table import turn
from matches.table.events import Told
from matches.table.value import NO_PACE_PATIENCE, Table
from matches.table.votes import asked_about_mover

_WITHOUT_LIMIT: Final = timedelta(days=1)


def pause(pace: Pace) -> timedelta:
    """Return how long a clock stands still until the bot looks again: as long as between the reminder and the end."""
    return _WITHOUT_LIMIT if pace.turn is None else (1 - turn.REMINDER) * pace.turn


def looked(table: Table, user_id: UserId, why: CutOff | None) -> Table:
    """Note why a person can't press anything where the match is played; ``None``: they can.

    If it's their turn, their clock stands still while they have away time left, or for one pause if they aren't on the
    server. After that the table is asked.
    """
    match = table.match
    if match.status is not Status.RUNNING or not match.waits_for(user_id) or match.offered_until is not None:
        return table
    if match.lost is not None or (why is None and match.cut_off in (None, CutOff.REFUSED)):
        return table
    if why is None:
        return _back(table)
    known, is_gone = why is match.cut_off, why is CutOff.GONE
    if not known:
        table = table.set(cut_off=why).telling(Kind.CUT_OFF, match.to_move, user_id)
    stands = match.stands_until is not None and match.stands_until > table.now
    is_left = match.away_left(match.own_seat(user_id), table.now) > timedelta(0)
    if is_gone and not stands and (known or not is_left):
        return asked_about_mover(table) if match.voters and not table.details.asked else table
    if not is_left or (stands and (known or not is_gone)):
        return table
    if table.is_time_up():
        table = _unasked(table)
    table = table.resumed().stopped(table.now + pause(match.pace)).set(reminded=False)
    table = table.clocks(turn.clocks(table))
    return table if match.cut_off is not None else table.telling(Kind.AWAY, match.to_move, user_id)


def _back(table: Table) -> Table:
    """Let the clock run on. A question that was asked meanwhile is withdrawn if they have away time left."""
    match, mover = table.match, table.match.mover
    assert mover is not None
    used = pause(match.pace)
    row = News(Kind.AWAY, match.to_move, mover.user_id)
    table = table.resumed().set(cut_off=None)
    table = table.with_event(Told((row,), match.ply, (Kind.AWAY,), seat=match.to_move))
    if match.asking and match.away_left(mover, table.now) >= used:
        table = _unasked(table.set_seat(mover.position, away_used=mover.away_used + used))
    elif table.is_time_up():
        return table
    due = table.match.turn_due
    table = table.set(reminded=due is not None and due - table.now <= used)
    return table.clocks(turn.clocks(table))


def _unasked(table: Table) -> Table:
    """Withdraw the question about the player to move, who has the last part of the turn's time once more."""
    match, rest = table.match, pause(table.match.pace)
    limited = match.pace.turn is not None
    table = table.without_ballots(ABSENCE).set(
        asking=False,
        asked=table.details.asked - match.asking,
        turn_at=match.turn_at if limited else table.now - NO_PACE_PATIENCE + rest,
        turn_due=table.now + rest if limited else None,
        awaited=False,
    )
    return table.set(closes_at=turn.unasked_until(table))
