"""The consequences of a decision: the end of the match, or the next turn with its deadline, and the news."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from db.model.enums import ABSENCE, Due, Ended, Status
from db.model.ids import NO_LINES
from games.core import Stage, State
from games.log import taken_back
from matches.records.requests import Person
from matches.table import absence, rating, tidying, turn, undo, votes
from matches.table.events import Clocks, Expires, MatchEnded, Told, Written
from matches.table.news import News, last_news, news
from matches.table.play import ended_without_winner
from matches.table.questions import Asks, Question, closed, next_expiry, questions, without
from matches.table.value import Decision, Table


def settled(table: Table) -> Table | None:
    """Carry out the first question that is decided; ``None`` if none is.

    A table without its position decides nothing. A caller that changes its voters must call this again later, with the
    position.
    """
    match = table.match
    if match.status is not Status.RUNNING or table.course is None:
        return None
    for found in questions(match, table.now):
        if (after := _of_question(table, found)) is not None:
            return after
    if any(ballot.vote.question == ABSENCE for ballot in match.ballots):
        return votes.by_majority(table)
    return None


def _of_question(table: Table, found: Question) -> Table | None:
    if found.application is not None:
        return _of_seat(table, found)
    if found.passes:
        if found.asks is Asks.CANCEL:
            return ended_without_winner(table, Ended.VOTE)
        assert found.line is not None
        return undo.taken_back(without(table, found.asks), found.line)
    return closed(table, found) if found.fails else None


def _of_seat(table: Table, found: Question) -> Table | None:
    asking = found.application
    assert asking is not None
    seat = absence.of_computer(table.match, asking.seat)
    if seat is None or found.fails or table.match.seat_of(asking.user_id) is not None:
        return closed(table, found)
    if not found.passes or seat.seat in table.hidden.returned:
        return None
    if not table.is_welcome(asking.user_id):
        return closed(table, found)
    return absence.admitted(table, seat, Person(asking.user_id, asking.name))


CLOSED_LOBBY_STAYS: Final = timedelta(days=1)
"""A closed lobby is deleted after this time."""


def decided(table: Table, decide: Decision) -> Table:
    """Return the table after a decision, with all consequences. Raises the refusal.

    A frozen match whose log replays again is thawed first. Questions that are decided now, by a vote or because the
    voters have changed, are settled at once.
    """
    before = replace(table, events=())
    thaws = table.match.status is Status.FROZEN and table.course is not None
    after = followed(before, decide(before.thawed() if thaws else before))
    while (then := settled(start := replace(after, events=()))) is not None:
        then = followed(start, then)
        after = replace(then, events=(*after.events, *then.events))
    return after


def followed(before: Table, table: Table) -> Table:
    """Add the consequences of going from `before` to `table`."""
    table = _followed(before, rating.deserted(before.match, table))
    for feature in table.features:
        table = feature.announced(table, before)
    expiry = next_expiry(table.match, table.now)
    return table if expiry == next_expiry(before.match, table.now) else table.with_event(Expires(expiry))


def _followed(before: Table, table: Table) -> Table:
    thaws = before.match.status is Status.FROZEN and table.match.status is Status.RUNNING
    if table.match.status is Status.RUNNING and table.course is not None and (thaws or table.lines):
        for feature in table.features:
            table = feature.at_once(table)
        assert table.course is not None
        if not table.course.state.is_terminal:
            return _gone_on(before, table, thaws=thaws)
        table = table.ended(Ended.RULES)
    table = _heard_by_features(before, table)
    if table.match.status is before.match.status or table.match.status is Status.RUNNING:
        return table
    return _closed(before, table)


def _heard_by_features(before: Table, table: Table) -> Table:
    for feature in table.features:
        table = feature.followed(table, before)
    return table


def _closed(before: Table, table: Table) -> Table:
    """Announce the end, the freezing or the closing, if the server can be reached, and set the last deadlines."""
    status = table.match.status
    lasting = frozenset(kind for feature in table.features for kind in feature.lasting)
    table = _announced(table, last_news(before.match, status, lasting, table.undropped))
    table = tidying.match_over(before.match, table)
    due = {Due.FORGET: table.now + CLOSED_LOBBY_STAYS} if status is Status.CANCELLED else {}
    if table.details.closes_at is not None:
        due[Due.ABANDON] = table.details.closes_at
    table = table.with_event(Clocks(due, NO_LINES))
    if status is Status.FROZEN:
        return table
    table = table.set(applications=())
    if status is Status.CANCELLED or table.course is None:
        return table.with_event(MatchEnded())
    return rating.settled(table)


def _announced(table: Table, told: News) -> Table:
    told_now = Told(told.rows, table.match.ply, told.outdated, every=told.every)
    return table.set(board_owed=told.board_owed).with_event(told_now)


def _gone_on(before: Table, table: Table, *, thaws: bool) -> Table:
    """Continue the match after new lines, or after it was thawed."""
    assert table.course is not None
    state = table.course.state
    started = before.match.status is Status.LOBBY
    earlier = None if started or before.course is None else before.course.state
    another = thaws or earlier is None or table.moved
    if another:
        table = table.resumed().set(returned=())
    table = table.set(to_move=state.current_player)
    if thaws or earlier is None or (table.moved and not _is_same_turn(earlier, state)):
        table = table.set(rung=())
    new_turn = another or turn.is_present(before.match) != turn.is_present(table.match)
    if new_turn:
        table = turn.begun(table) if another else turn.handed_over(table.resumed())
        table = tidying.turn_over(before.match, table)
    table = _heard_by_features(before, table)
    mover = table.match.mover
    told = news(
        table.match,
        earlier,
        state,
        moved=table.moved,
        called=mover is not None and mover.user_id in table.hidden.rung,
        secrets=any(isinstance(event, Written) and event.secret for event in table.events),
        # Steps within a turn aren't announced, but taking one back is.
        board_owed=before.hidden.board_owed or any(taken_back(line) is not None for line in table.lines),
        new_turn=new_turn,
        answered=any(feature.answers(table) for feature in table.features),
    )
    table = _announced(table, told)
    if mover is None or not mover.present or mover.user_id is None or mover.user_id in table.hidden.rung:
        return table
    return table.set(rung=(*table.hidden.rung, mover.user_id))


def _is_same_turn(before: State[Any], state: State[Any]) -> bool:
    """Whether a move led to a further step of the same turn."""
    return before.current_player == state.current_player and state.stage is Stage.STEPS
