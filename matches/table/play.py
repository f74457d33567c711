"""Decisions during a match: act, resign, leave, come back (P14, P15).

`matches/host/play.py` stores them.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from db.model.enums import Ended
from db.model.ids import Ply, UserId
from games.core import Refusal
from matches.computers.levels import Level
from matches.errors import Refused, Stale, WrongTime, by_the_rules
from matches.records.match import Match
from matches.records.seat import NotYourTurn, Seat
from matches.table import turn
from matches.table.limits import Deed
from matches.table.rating import is_rated
from matches.table.value import Table

A = TypeVar("A")


def act(table: Table, user_id: UserId, text: str, *, ply: Ply | None = None) -> Table:
    """Take an action, given as canonical text (what people type is read by `View.parse`).

    `ply` is the one of the board that was pressed: any other than the match's raises Stale. Raises NotSeated,
    NotYourTurn, WrongTime, NotAllowed, Frozen, and Refused with the rule that forbids it.
    """
    state = table.running().state
    table.match.own_seat(user_id)
    if ply is not None and ply != table.match.ply:
        raise Stale("The match has moved on. Please look at the newest board.")
    seat = table.check_present(user_id)
    player = _check_turn(table.match, seat)
    for feature in table.features:
        table = feature.by_hand(table, seat)
    table = table.played(player, understood(text, state.string_to_action, state.why_illegal, player))
    return table if seat.acted or seat.replaced else table.set_seat(seat.position, acted=True)


def resign(table: Table, user_id: UserId) -> Table:
    """Give up: with two players the other wins at once, with more a computer plays on (P15).

    If they took their seat after the start, a computer plays on with two players, too: they can't lose a match that
    others began. If no other person is left, the match ends without a winner (``h end left``), also with two players
    of whom one was forgotten (P20). Raises as `act` does.
    """
    table.running()
    seat = table.match.own_seat(user_id)
    table = table.noted(f"resign {seat.seat}").set_seat(seat.position, resigned=True, excused=False)
    plays = any(not each.resigned or each.level is not None for each in table.match.seats)
    if len(table.match.seats) == 2 and not seat.replaced and plays:
        return table.ended(Ended.RESIGNED)
    table = end_when_deserted(table)
    if table.match.ended_by is None and seat.computer is None:
        return hand_over(table, seat)
    return table


class Leaving(StrEnum):
    """What `depart` does for somebody as the table stands.

    `ABORT`: the match is called off. `RESIGN`: they give up. `COMPUTER`: a computer plays on for them. `EXCUSED`: it
    does, and they are out of a rated result, by their one abort of the day.
    """

    ABORT = "abort"
    RESIGN = "resign"
    COMPUTER = "computer"
    EXCUSED = "excused"


def leaving(table: Table, user_id: UserId) -> Leaving:
    """Return what `depart` would do now, or raise what it would raise.

    One of two may call the match off before their own first move, once a day on a server. Blocks don't matter.
    """
    seat = table.match.seat_to_leave(user_id)
    excused = not seat.acted and not seat.replaced and user_id in table.may_abort
    if len(table.match.seats) > 2 or seat.replaced:
        return Leaving.EXCUSED if excused and is_rated(table.match) else Leaving.COMPUTER
    return Leaving.ABORT if excused else Leaving.RESIGN


def depart(table: Table, user_id: UserId, *, meant: Leaving | None = None) -> Table:
    """Leave a match that runs, as `leaving` says (P15).

    A person who leaves their seat to a computer may come back, unlike one who resigns. If no other person is left, the
    match ends without a winner. `meant` is what the person confirmed: nothing else is done. Raises as `act` does, and
    WrongTime if a computer plays the seat already, or if something else than `meant` would be done.
    """
    seat, what = table.match.seat_to_leave(user_id), leaving(table, user_id)
    if meant is Leaving.ABORT and what is Leaving.RESIGN and not seat.acted:
        # Storing it raises TooSoon, which says when they can do so again.
        what = Leaving.ABORT
    if meant is not None and what is not meant:
        raise WrongTime("The table has changed since I asked you. Please press **Leave** again.")
    if what is Leaving.RESIGN:
        return resign(table, user_id)
    if what is Leaving.ABORT:
        return aborted(table.set_seat(seat.position, resigned=True), seat)
    if table.match.waits_for(user_id):
        table = turn.left(table)
    return end_when_deserted(hand_over(table.using(Deed.LEAVE, user_id), seat))


def take_back(table: Table, user_id: UserId) -> Table:
    """Take one's seat back from the computer (P14).

    That works once between two actions, so that the log can't grow without bound. Raises as `act` does, and WrongTime.
    """
    table.running()
    seat = table.match.own_seat(user_id)
    if seat.computer is None:
        raise WrongTime("You're already playing this seat.")
    if seat.seat in table.hidden.returned:
        raise WrongTime("You've already come back once this turn. You can take your seat back after the next move.")
    # A computer has played for them meanwhile.
    table = table.noted(f"return {seat.seat}").set_seat(seat.position, computer=None, helped=True, excused=False)
    return taken_over(table, seat).heard_of(user_id)


def taken_over(table: Table, seat: Seat) -> Table:
    """Note that a person has taken this seat over from the computer since the last action."""
    assert seat.seat is not None
    return table.set(returned=(*table.hidden.returned, seat.seat))


def hand_over(table: Table, seat: Seat) -> Table:
    """Let a computer play this seat, at the level that began the match there if a computer did."""
    level = seat.level or Level.NORMAL
    return table.noted(f"computer {seat.seat} {level}").set_seat(seat.position, computer=level)


def excused(table: Table, seat: Seat) -> Table:
    """Excuse the player to move, whom the table doesn't wait for any more, if they're cut off; once in 30 days."""
    if not table.may_excuse or seat.replaced or seat.user_id is None:
        return table
    return table.using(Deed.EXCUSE, seat.user_id).set_seat(seat.position, excused=True)


def end_when_deserted(table: Table) -> Table:
    """End the match without a winner if no person plays any more."""
    return table if table.match.present else table.noted(f"end {Ended.LEFT}").ended(Ended.LEFT)


def ended_without_winner(table: Table, how: Ended) -> Table:
    """End the match without a winner. The log says so, unless it doesn't replay."""
    return (table if table.course is None else table.noted(f"end {how}")).ended(how)


def aborted(table: Table, seat: Seat) -> Table:
    """Call a match of two off because the person of this seat leaves or doesn't come, by their one abort of the day."""
    assert seat.user_id is not None
    return table.using(Deed.ABORT, seat.user_id).noted(f"abort {seat.seat}").ended(Ended.ABORTED)


def ended_in_absence(table: Table, how: Ended) -> Table:
    """End the match because the player to move doesn't come: no winner, or called off before their own first move."""
    mover = table.match.mover
    if mover is None or mover.replaced:
        return ended_without_winner(table, how)
    if (after := excused(table, mover)) is not table:
        return ended_without_winner(after, how)
    table = table.set_seat(mover.position, absent=True)
    waited = how is not Ended.ABANDONED or table.match.awaited
    aborts = not mover.acted and mover.user_id in table.may_abort
    if len(table.match.seats) == 2 and is_rated(table.match) and waited and aborts:
        return aborted(table, mover)
    return ended_without_winner(table, how)


def computers_turn(table: Table, seat: Seat, text: str) -> Table:
    """Play the action that the computer at this seat has chosen."""
    assert seat.seat is not None
    return table.played(seat.seat, table.running().state.string_to_action(seat.seat, text))


def _check_turn(match: Match, seat: Seat) -> int:
    """Return the seat's number in the game. Raises NotYourTurn."""
    if seat.seat is None or match.mover is None or match.mover.seat != seat.seat:
        raise NotYourTurn(match.info.not_your_turn, match.mover)
    return seat.seat


def understood(text: str, read: Callable[..., A], why_illegal: Callable[..., Refusal | None], *player: int) -> A:
    """Return the legal action with this canonical text, which these functions read and judge. Raises Refused."""
    with by_the_rules():
        action = read(*player, text)
    refusal = why_illegal(*player, action)
    if refusal is not None:
        raise Refused(str(refusal), refusal.rule)
    return action
