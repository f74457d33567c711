"""Taking the last move back, by consent (P33)."""

from __future__ import annotations

from db.model.enums import Kind, Vote
from db.model.ids import Ply, UserId
from games.hindsight import nothing_learnt
from games.log import TABLE, UNDO, Course, in_force
from matches.errors import NotAllowed, Stale
from matches.records import fair
from matches.records.match import Match
from matches.table.limits import Deed
from matches.table.questions import Asks, check_open, opened, question
from matches.table.rating import helped
from matches.table.value import Table


def undo(table: Table, by: UserId, number: int | None, *, ply: Ply | None = None, asked: int | None = None) -> Table:
    """Agree to take the last move back, which happens when everybody who plays has agreed.

    The first person to agree asks the others. With consent it costs nobody anything. If there is nobody to ask, the
    player whose move it was can't gain rating any more. `number` is the result of `retractable`, which takes too long
    to compute while the table is locked; `ply` is the match's ply at that time. `asked` is the number of the question
    whose button was pressed. Raises Stale if the match has gone on, NotSeated, NotAllowed (moves stand here, the move
    revealed something, chance has drawn since), WrongTime, TooSoon, Frozen.
    """
    table.running()
    table.check_present(by)
    check_open(table, Asks.UNDO, asked)
    if asked is not None:
        return table.with_ballot(by, Vote.UNDO).heard_of(by)
    if ply is not None and ply != table.match.ply:
        raise Stale("The match has moved on. Please look at the newest board.")
    if table.match.moves_stand:
        raise NotAllowed("At this table, moves can't be taken back.")
    if number is None:
        raise NotAllowed(
            "The last move can't be taken back: there is none, it revealed something, or something was drawn since."
        )
    if question(table.match, table.now, Asks.UNDO) is not None:
        return table.with_ballot(by, Vote.UNDO).heard_of(by)
    table = opened(table.using(Deed.UNDO, by), Asks.UNDO, by, number).with_ballot(by, Vote.UNDO).heard_of(by)
    return table.telling(Kind.UNDO) if missing(table.match) else table


def taken_back(table: Table, number: int) -> Table:
    """Take back the line with this number and everything after it."""
    alone = len(table.match.present) == 1
    return (_marked(table, number) if alone else table).noted(f"{UNDO} {number}")


def _marked(table: Table, number: int) -> Table:
    """Mark the player whose move it was as helped."""
    (line, _), *_ = table.running().since(number) or ()
    return helped(table, table.match.seats[line.player].user_id)


def missing(match: Match) -> tuple[UserId, ...]:
    """The people who play and haven't agreed yet to take the last move back."""
    agreed = {ballot.user_id for ballot in match.ballots if ballot.vote is Vote.UNDO}
    people = (seat.user_id for seat in match.present)
    return tuple(user_id for user_id in people if user_id is not None and user_id not in agreed)


def retractable(match: Match, course: Course) -> Ply | None:
    """Return the line number of a person's last move if it can be taken back, else ``None``.

    The computers' answers are taken back with it.
    """
    number = course.last_decision([seat.seat for seat in match.present if seat.seat is not None])
    before = None if number is None else course.before(number)
    if number is None or before is None:
        return None
    since = in_force(line for line, _ in course.since(number) or ())
    lines = [line for line in since if line.player != TABLE]
    # Without a seed: the result must not depend on a secret.
    numbers = fair.Stream(b"", match.id, f"{UNDO}-{number}")
    return Ply(number) if nothing_learnt(before, lines, numbers) else None
