"""Carries out questions that are decided."""

from __future__ import annotations

from db.model.enums import ABSENCE, Ended, Status
from matches.records.requests import Person
from matches.table import absence, undo, votes
from matches.table.play import ended_without_winner
from matches.table.questions import Asks, Question, closed, questions, without
from matches.table.value import Table


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
    seat = next((each for each in table.match.seats if each.seat == asking.seat and each.computer is not None), None)
    if seat is None or found.fails or table.match.seat_of(asking.user_id) is not None:
        return closed(table, found)
    if not found.passes or seat.seat in table.match.returned:
        return None
    if not table.is_welcome(asking.user_id):
        return closed(table, found)
    return absence.admitted(table, seat, Person(asking.user_id, asking.name))
