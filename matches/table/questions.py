"""The questions that a table is asked. A question has a kind, an asker, a ply, an expiry, ballots and voters.

A question passes or fails as soon as the ballots of its present voters decide it. The voters change when somebody
leaves, comes back, is away or is replaced, so every decision ends with a check (`matches.table.follow`). The question
about a player whose time is up is different: the clock asks it, and it expires by the turn's time
(`matches.table.votes`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from db.model.columns import EPOCH, MICROSECOND
from db.model.enums import Kind, Pace, Status, Vote
from db.model.ids import Ply, SeatNumber, UserId
from db.model.rows import Application
from matches.errors import WrongTime
from matches.records.match import Match
from matches.table.limits import ASKED_AGAIN
from matches.table.value import NO_PACE_PATIENCE, Table

OPEN_FOR: Final = {
    Pace.LIVE: timedelta(minutes=10),
    Pace.DAY: timedelta(days=1),
    Pace.SLOW: timedelta(days=3),
    Pace.NONE: NO_PACE_PATIENCE,
}
"""How long a question waits for an answer."""

CLOSED: Final = "That question is closed, or the match has moved on."


class Asks(StrEnum):
    """The kinds: end the match (`CANCEL`), take the last move back (`UNDO`), let a person have a seat (`SEAT`)."""

    CANCEL = "cancel"
    UNDO = "undo"
    SEAT = "seat"


VOTES: Final = {Asks.CANCEL: (Vote.CANCEL, Vote.KEEP), Asks.UNDO: (Vote.UNDO, Vote.STAND)}
_CLOSED: Final = {Asks.CANCEL: Kind.NOT_ENDED, Asks.UNDO: Kind.NOT_UNDONE, Asks.SEAT: Kind.NOT_SEATED}


class Question(NamedTuple):
    """An open question, asked by the person at the seat `by`, or by the `application` of a person without a seat.

    `ply` is the match's ply when it was asked. `line` is the line that would be taken back, if that is the question.
    `voters` are those who may vote now. `given`: by so much it expires later, because nobody could answer meanwhile.
    """

    asks: Asks
    by: SeatNumber | None
    ply: Ply
    expires: datetime
    line: int | None
    yes: frozenset[UserId]
    no: frozenset[UserId]
    voters: frozenset[UserId]
    given: timedelta
    application: Application | None = None

    @property
    def number(self) -> int:
        """The id on its buttons: the second in which it was to expire when it was asked."""
        return int((self.expires - self.given).timestamp())

    @property
    def passes(self) -> bool:
        """Whether everybody agrees to an undo, or more than half to anything else."""
        if self.asks is Asks.UNDO:
            return bool(self.voters) and self.voters <= self.yes
        return 2 * len(self.voters & self.yes) > len(self.voters)

    @property
    def fails(self) -> bool:
        """Whether it can't pass any more, whatever the remaining votes are."""
        if self.asks is Asks.UNDO:
            return bool(self.voters & self.no)
        return 2 * len(self.voters - self.no) <= len(self.voters)


def questions(match: Match, now: datetime) -> tuple[Question, ...]:
    """The open questions: first about the match, then about seats."""
    if match.status is not Status.RUNNING:
        return ()
    people = frozenset(seat.user_id for seat in match.present if seat.user_id is not None)
    of_match = (_read(text, match, people, now) for text in match.questions)
    of_seats = (
        Question(
            Asks.SEAT,
            None,
            match.turn_ply,
            each.asked_at + ASKED_AGAIN + each.given,
            None,
            frozenset(each.agreed),
            frozenset(each.declined),
            people,
            each.given,
            each,
        )
        for each in match.applications
    )
    return (*of_match, *of_seats)


def question(match: Match, now: datetime, asks: Asks, applicant: UserId | None = None) -> Question | None:
    """The open question of this kind, ``None`` if there is none. For `SEAT`: the one of this `applicant`."""
    found = (each for each in questions(match, now) if each.asks is asks)
    return next((each for each in found if each.application is None or each.application.user_id == applicant), None)


def check_open(table: Table, asks: Asks, number: int | None, applicant: UserId | None = None) -> None:
    """Raise WrongTime unless the question with this number is open."""
    found = question(table.match, table.now, asks, applicant)
    if number is not None and (found is None or found.number != number):
        raise WrongTime(CLOSED)


def opened(table: Table, asks: Asks, by: UserId, line: int | None = None) -> Table:
    """Ask the table a question about the match, from this person."""
    seat = table.match.own_seat(by).seat
    expires = table.now + OPEN_FOR[table.match.pace]
    text = _written(asks, table.match.ply, seat, expires, line)
    return table.set(questions=(*table.match.questions, text))


def without(table: Table, asks: Asks) -> Table:
    """Remove the question about the match, and its votes."""
    kept = tuple(text for text in table.match.questions if not text.startswith(f"{asks} "))
    table = table if kept == table.match.questions else table.set(questions=kept)
    return table.without_ballots(asks)


def closed(table: Table, found: Question) -> Table:
    """Close a question that has failed, and announce that."""
    if found.application is None:
        return without(table, found.asks).telling(_CLOSED[found.asks])
    about = found.application
    kept = tuple(each for each in table.match.applications if each.user_id != about.user_id)
    return table.set(applications=kept).telling(Kind.NOT_SEATED, about.seat, about.user_id)


def expired(table: Table) -> Table:
    """Close the questions whose time is up."""
    for each in questions(table.match, table.now):
        if each.expires <= table.now:
            table = closed(table, each)
    return table


def put_off(table: Table, since: datetime, until: datetime, *kinds: Asks) -> Table:
    """Give the questions of these kinds the time between these moments back, in which nobody could answer them."""

    def missed(found: Question) -> timedelta:
        open_for = ASKED_AGAIN if found.application is not None else OPEN_FOR[table.match.pace]
        return max(timedelta(0), until - max(since, found.expires - open_for))

    texts, applications = [], []
    for found in questions(table.match, table.now):
        given = found.given + (missed(found) if found.asks in kinds else timedelta(0))
        if found.application is not None:
            applications.append(found.application._replace(given=given))
        else:
            texts.append(_written(found.asks, found.ply, found.by, found.expires - found.given, found.line, given))
    return table.set(questions=tuple(texts), applications=tuple(applications))


def next_expiry(match: Match, now: datetime) -> datetime | None:
    """Return when the next question expires; ``None`` if none does, or while the match's clocks are paused."""
    if match.lost is not None:
        return None
    return min((each.expires for each in questions(match, now)), default=None)


def _written(
    asks: Asks, ply: Ply, seat: int | None, expires: datetime, line: int | None, given: timedelta = timedelta(0)
) -> str:
    fields = (asks, ply, seat, (expires - EPOCH) // MICROSECOND, -1 if line is None else line)
    return " ".join(map(str, (*fields, given // MICROSECOND) if given else fields))


def _read(text: str, match: Match, people: frozenset[UserId], now: datetime) -> Question:
    kind, ply, seat, expires, line, *more = text.split(" ")
    asks, given = Asks(kind), sum(map(int, more)) * MICROSECOND
    yes, no = (_voted(match, vote) for vote in VOTES[asks])
    voters = match.electorate(Vote.CANCEL, now) if asks is Asks.CANCEL else people
    at = EPOCH + int(expires) * MICROSECOND + given
    return Question(
        asks, SeatNumber(int(seat)), Ply(int(ply)), at, None if line == "-1" else int(line), yes, no, voters, given
    )


def _voted(match: Match, vote: Vote) -> frozenset[UserId]:
    return frozenset(ballot.user_id for ballot in match.ballots if ballot.vote is vote)
