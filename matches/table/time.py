"""Decisions at a deadline (P1, P13)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import Due, Ended, Kind, Lost, Pace, Status
from db.model.ids import NO_LINES
from db.model.rows import GapRow, Telling
from games.core import Stage
from games.log import offered
from matches.table import lobby, reach, turn
from matches.table.events import Clocks, Shifted, Told
from matches.table.play import end_when_deserted, ended_in_absence, ended_without_winner, hand_over
from matches.table.questions import Asks, expired, put_off
from matches.table.silence import HERE_WITHIN
from matches.table.value import LOBBY_STAYS, STAYS_OUT_OF_REACH, Table
from matches.table.votes import asked_about_mover, reminded


def happen(table: Table, what: Due) -> Table:
    """Carry out a deadline of the match."""
    match = table.match
    if what is Due.LOBBY:
        return table.ended(Ended.EXPIRED if table.start is None else Ended.CALLED_OFF)
    if what is Due.BEGIN:
        return lobby.heard(table)
    if what is Due.ABANDON:
        return _abandoned(table)
    if what is Due.QUESTION:
        return expired(table)
    if what is Due.OVERDUE and match.lost is Lost.PLACE:
        return reach.run_on(table)
    if match.lost is not None:
        return table
    for feature in table.features:
        if what in feature.due:
            return feature.due[what](table)
    if match.status is not Status.RUNNING or match.mover is None:
        return table
    if what is Due.OFFER:
        return _offered(table)
    if what is Due.REMIND:
        return reminded(table)
    return _overdue(table) if what is Due.OVERDUE else table


def _offered(table: Table) -> Table:
    """Make the only legal action, after its person had time to make it (P8)."""
    state, mover = table.running().state, table.match.mover
    action = offered(state)
    if action is None or mover is None or table.match.offered_until is None or table.now < table.match.offered_until:
        return table
    return table.noted(f"forced {mover.seat}").played(state.current_player, action)


def _overdue(table: Table) -> Table:
    """Make the default pick in a series. In any other turn ask the others what to do, at most twice."""
    state = table.running().state
    default = state.default_action() if state.stage is Stage.SERIES else None
    if default is not None:
        return table.played(state.current_player, default)
    return asked_about_mover(table) if table.match.voters else turn.closing(table)


def _abandoned(table: Table) -> Table:
    """End a match or lobby in which nobody has acted for too long. The player to move counts as absent.

    If they took their seat after the start, a computer plays on instead.
    """
    match, closes_at = table.match, table.details.closes_at
    if closes_at is None or table.now < closes_at:
        return table
    if match.status is Status.LOBBY:
        return table.ended(Ended.EXPIRED)
    if match.status is not Status.RUNNING or match.lost is not None:
        return ended_without_winner(table, Ended.ABANDONED)
    if match.mover is not None and match.mover.replaced:
        return end_when_deserted(hand_over(table, match.mover))
    return ended_in_absence(table, Ended.ABANDONED)


def given_back(table: Table, gap: GapRow) -> Table:
    """Give everybody at the table back the time of a gap, in which they couldn't press (P13)."""
    match, since, until = table.match, gap.since, gap.until
    assert until is not None
    if match.status is Status.LOBBY and match.lost is None:
        after = _lobby_given_back(table, since, until)
        return after if after.match.turn_due == match.turn_due else after.telling(Kind.LOBBY)
    if match.status is Status.RUNNING and match.lost is None:
        table = turn.given_back(put_off(table, since, until, *Asks), since, until, least=not gap.replayed)
        if match.turn_due is None or match.turn_due > until or table.details.asked or not turn.is_present(match):
            return table
        return _called_again(table)
    if table.details.closes_at is None:
        return table
    by = until - since
    table = table.set(closes_at=table.details.closes_at + by).with_event(Shifted((Due.ABANDON, Due.OVERDUE), by))
    lost_at = table.hidden.lost_at
    if match.status is not Status.RUNNING or lost_at is None or match.turn_at is None:
        return table
    # As if it had been lost later: `reach.found` takes the time since then off their away time.
    by = max(timedelta(0), until - max(since, lost_at, match.turn_at))
    due, offer = (None if at is None else at + by for at in (match.turn_due, match.offered_until))
    table = table.set(lost_at=lost_at + by, turn_at=match.turn_at + by, turn_due=due, offered_until=offer)
    return table.shifting_features(by)


def _called_again(table: Table) -> Table:
    """Post a board whose time was over before it was given back again. It says how much time there is.

    It rings a player with minutes to move, who can't know that the match goes on, and one who hasn't been called yet.
    """
    match, mover = table.match, table.match.mover
    assert mover is not None
    rings = match.pace is Pace.LIVE or match.board_ply < match.turn_ply
    rows = [News(Kind.ANEW, mover.seat, mover.user_id, rings and mover.rings_in_place)]
    if rings and mover.rings_by_dm:
        rows.append(News(Kind.HAND, mover.seat, mover.user_id, rings=True))
    return table.with_event(Told(tuple(rows), match.ply, tuple(row.kind for row in rows)))


def _lobby_given_back(table: Table, since: datetime, until: datetime) -> Table:
    match = table.match
    if table.start is not None:
        return table.start.given_back(table, since, until)
    by = max(timedelta(0), until - max(since, table.details.created_at))
    table = table.set(closes_at=table.lobby_closes_at + by)
    if match.asking and match.turn_due is not None:
        # Everybody was asked whether they're here.
        by = max(timedelta(0), until - max(since, match.turn_due - HERE_WITHIN))
        return table.set(turn_due=match.turn_due + by).with_event(Shifted((Due.BEGIN,), by))
    table = table.with_event(Shifted((Due.LOBBY,), by))
    return table.unowned.moved(table, by) if by and table.unowned is not None else table


_QUESTIONS: Final = {Kind.VOTE: Asks.CANCEL, Kind.UNDO: Asks.UNDO, Kind.SEAT: Asks.SEAT}


def heard(table: Table, row: Telling, *, begins: bool) -> Table:
    """Begin the time for an answer now that its people hear late what this row asks. `begins`: that it's their turn."""
    match, now = table.match, table.now
    if row.kind is Kind.READY and match.status is Status.LOBBY:
        return _lobby_given_back(table, row.put_at, now) if match.asking else table
    if match.status is not Status.RUNNING or match.lost is not None:
        return table
    if row.kind in (Kind.BOARD, Kind.ANEW, Kind.HAND, Kind.SECRETS):
        calls = begins and row.ply >= match.turn_ply and (row.rings or row.kind in (Kind.BOARD, Kind.ANEW))
        if not calls or table.details.asked or match.turn_at is None:
            return table
        return turn.given_back(table, match.turn_at, now, least=False)
    if row.kind is Kind.REMIND or (row.kind is Kind.VOTE and row.seat is not None):
        return turn.with_time_to_answer(table) if row.ply >= match.turn_ply else table
    return put_off(table, row.put_at, now, _QUESTIONS[row.kind])


def attended(table: Table) -> Table:
    """Set the next deadline of a table that has none, as older versions left some."""
    match = table.match
    if table.details.closes_at is not None:
        return table
    if match.status is Status.FROZEN or match.lost is not None:
        closes_at = table.now + STAYS_OUT_OF_REACH
        return table.set(closes_at=closes_at).with_event(Clocks({Due.ABANDON: closes_at}, NO_LINES))
    if match.status is Status.LOBBY:
        return table.set(closes_at=table.now + LOBBY_STAYS).waits_to_start()
    if match.status is not Status.RUNNING:
        return table
    if not turn.is_present(match):
        return table.clocks(turn.computers(table))
    if match.pace.turn is None and not turn.is_asked(match):
        table = table.set(closes_at=turn.unasked_until(table))
        return table.clocks(turn.clocks(table))
    return turn.closing(table)
