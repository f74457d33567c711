"""The clock of a turn: it starts, pauses while the player is away, is handed to a computer, and resumes (P13-P16)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db.model.enums import ABSENCE, Due, Lost, Pace
from db.model.ids import NO_LINES
from games.log import offered
from matches.records.match import Match
from matches.table.events import Clocks, Shifted
from matches.table.questions import Asks, without
from matches.table.value import Table

REMINDER: Final = 0.8

STAYS: Final = timedelta(days=7)
"""A match ends this long after the last question, or after the overdue turn if nobody is left to ask."""

STAYS_UNASKED: Final = timedelta(days=30)
"""A match ends this long after the start of a turn without a time limit, if nobody asks about it."""

LEAST_GIVEN: Final = 0.1
AT_LEAST_IF_LONGER: Final = timedelta(minutes=1)
"""Who couldn't press for more than a minute gets at least this part of the turn's time back, once a turn."""

OFFERED_LIVE: Final = timedelta(minutes=1)
OFFERED: Final = timedelta(hours=1)
"""How long the only legal action, if it ends a round or the match, is left to its person (P8)."""


def is_present(match: Match) -> bool:
    """Whether it's a person's turn."""
    return match.mover is not None and match.mover.present


def begun(table: Table) -> Table:
    """Start a turn with its full time."""
    match, turn = table.match, table.match.pace.turn
    table = table.set(
        turn_ply=match.ply,
        turn_at=table.now,
        turn_due=table.now + turn if turn is not None and is_present(match) else None,
        turn_left=None,
        reminded=False,
        asked=0,
        asking=False,
        closes_at=unasked_until(table),
        offered_until=offered_until(table),
        awaited=False,
        cut_off=None,
    )
    return without(_running(table), Asks.UNDO).without_ballots(ABSENCE)


def left(table: Table) -> Table:
    """Keep the rest of the turn's time for a player who leaves it to a computer, in case they come back to it."""
    table = table.resumed()
    due = table.match.turn_due
    return table.set(turn_left=timedelta(0) if due is None else max(timedelta(0), due - table.now))


def handed_over(table: Table) -> Table:
    """Let somebody else take the turn: a computer, or a person again.

    A person who comes back to the turn that they had left gets the rest of its time. Anybody else gets its full time.
    """
    match = table.match
    rest = table.hidden.turn_left
    if rest is None:
        return begun(table)
    closes_at, offer = unasked_until(table), offered_until(table)
    table = table.set(turn_ply=match.ply, turn_due=None, asking=False, closes_at=closes_at, offered_until=offer)
    table = table.set(cut_off=None)
    if is_present(match):
        due = None if match.pace.turn is None else table.now + rest
        # As if the turn had begun so long ago that just this time is left.
        began = match.turn_at if due is None or match.pace.turn is None else due - match.pace.turn
        table = table.set(turn_at=began, turn_due=due, turn_left=None)
    return without(_running(table), Asks.UNDO).without_ballots(ABSENCE)


def offered_until(table: Table) -> datetime | None:
    """Return when the program makes the only legal action that it offers to the player, ``None`` if it offers none."""
    if table.course is None or not is_present(table.match) or offered(table.course.state) is None:
        return None
    return table.now + (OFFERED_LIVE if table.match.pace is Pace.LIVE else OFFERED)


def unasked_until(table: Table) -> datetime | None:
    """Return when a match without a time limit ends if nobody asks about the turn that starts now, else ``None``.

    A match that can't be reached keeps its own time.
    """
    match = table.match
    if match.lost is not None:
        return table.details.closes_at
    return table.now + STAYS_UNASKED if match.pace.turn is None and is_present(match) else None


def clocks(table: Table) -> dict[Due, datetime]:
    """Return the deadlines of a person's turn."""
    match, details = table.match, table.details
    if match.offered_until is not None:
        return {Due.OFFER: match.offered_until}
    due = {} if details.closes_at is None else {Due.ABANDON: details.closes_at}
    if match.cut_off is not None and match.stands_until is not None:
        # The bot looks again whether they can press.
        due[Due.REMIND] = match.stands_until
    if match.turn_due is None or match.pace.turn is None:
        return due
    due[Due.OVERDUE] = match.turn_due
    if not details.reminded and not details.asked and Due.REMIND not in due:
        due[Due.REMIND] = match.turn_due - (1 - REMINDER) * match.pace.turn
    return due


def ran(match: Match, since: datetime, until: datetime) -> timedelta:
    """Return for how long the clock of a person's turn has run between these moments.

    It runs from `turn_at` on, which moves on by all time that the clock has stood still. While the person is away it
    doesn't run.
    """
    began = max(each for each in (since, match.turn_at, match.stands_until) if each is not None)
    return max(timedelta(0), until - began)


def given_back(table: Table, since: datetime, until: datetime, *, least: bool) -> Table:
    """Give the player back what the clock has run, or stood still, between these moments, in which they couldn't press.

    With `least` they get at least `LEAST_GIVEN` of the turn's time, once a turn. That time is in `turn_due` alone, so
    `turn_due` then lies further behind `turn_at` than the turn's time.
    """
    match, turn, mover = table.match, table.match.pace.turn, table.match.mover
    if match.turn_at is None or mover is None or not mover.present:
        return table
    by, stood = ran(match, since, until), timedelta(0)
    if match.stands_until is not None:
        stood = max(stood, min(match.stands_until, until) - since)
        table = table.set_seat(mover.position, away_used=max(timedelta(0), mover.away_used - stood))
    # What a feature does for somebody waits as long as before, or its moment would show that nobody pressed.
    if by + stood:
        table = table.shifting_features(by + stood)
    if not by:
        return table
    more, due = by, match.turn_due
    is_long = least and until - since > AT_LEAST_IF_LONGER
    if is_long and turn is not None and due is not None and due - match.turn_at <= turn:
        more = max(by, turn * LEAST_GIVEN)
    # Once the table has been asked for the last time, only the end of the match is due.
    closes_at = table.details.closes_at
    if closes_at is None and due is not None:
        table = table.set(turn_due=due + more).with_event(Shifted((Due.REMIND, Due.OVERDUE), more))
    if match.offered_until is not None:
        table = table.set(offered_until=match.offered_until + more).with_event(Shifted((Due.OFFER,), more))
    if closes_at is not None:
        table = table.set(closes_at=closes_at + by).with_event(Shifted((Due.ABANDON,), by))
    # Nobody has waited in vain for a player whose time wasn't up.
    in_vain = match.awaited and (table.details.asked > 0 or turn is None)
    return table.set(turn_at=match.turn_at + by, awaited=in_vain)


def with_time_to_answer(table: Table) -> Table:
    """Leave the player the rest of the turn after a reminder, and the table a turn's time after a question, from now.

    After the last question they have until the match ends.
    """
    match, turn = table.match, table.match.pace.turn
    if match.asking and table.details.closes_at is not None:
        return closing(table)
    if turn is None or match.turn_due is None or not is_present(match):
        return table
    by = table.now + (turn if table.details.asked else turn * (1 - REMINDER)) - match.turn_due
    if by <= timedelta(0):
        return table
    return table.set(turn_due=match.turn_due + by).with_event(Shifted((Due.REMIND, Due.OVERDUE), by))


def is_asked(match: Match) -> bool:
    """Whether a question about a turn without a time limit is open."""
    voting = any(ballot.vote.question == ABSENCE for ballot in match.ballots)
    return match.pace.turn is None and (match.asking or voting)


def closing(table: Table) -> Table:
    """Let the match end by itself unless somebody acts. The last question was asked, or nobody is left to ask."""
    if table.match.lost is not None:
        return table
    return table.set(closes_at=table.now + STAYS).clocks({Due.ABANDON: table.now + STAYS})


def computers(table: Table) -> dict[Due, datetime]:
    """Return the deadline of a computer's turn, which is now."""
    return {Due.WATCHED if table.match.of_computers else Due.COMPUTER: table.now}


def out_of_reach(table: Table) -> Table:
    """Pause the clock of a match that can't be reached.

    If it's only the place, the clock of a person runs on once they have no away time left.
    """
    match, mover = table.match, table.match.mover
    due = {} if table.details.closes_at is None else {Due.ABANDON: table.details.closes_at}
    if match.lost is Lost.PLACE and mover is not None and mover.present:
        due[Due.OVERDUE] = table.now + match.away_left(mover, table.now)
    return table.with_event(Clocks(due, NO_LINES))


def _running(table: Table) -> Table:
    """Start the clock, or pause it if the player is away or the match can't be reached."""
    if table.match.lost is not None:
        return out_of_reach(table)
    if not is_present(table.match):
        return table.clocks(computers(table))
    return standing(table.clocks(clocks(table)))


def standing(table: Table) -> Table:
    """Pause the running clock for as long as the player is away (P16)."""
    mover = table.match.mover
    return table if mover is None or mover.away_until is None else table.stopped(mover.away_until)
