"""What can be done while a match runs: act, resign, leave, come back (P14, P15)."""

from __future__ import annotations

from typing import Any

from db.ids import Ply, UserId
from db.words import Ended
from games.core import ActionError, State
from matches.computers import Level
from matches.errors import NotYourTurn, Refused, Stale, WrongTime
from matches.limits import Deed
from matches.match import Match
from matches.seat import Seat
from matches.table import turn
from matches.table.value import Table


def act(table: Table, user_id: UserId, text: str, *, ply: Ply | None = None) -> Table:
    """Take an action, given as canonical text (what people type is read by `View.parse`).

    `ply` is the one of the board that was pressed: any other than the match's raises Stale. Raises NotSeated,
    NotYourTurn, WrongTime, NotAllowed, Frozen, and Refused with the rule that forbids it.
    """
    state = table.running().state
    table.match.own_seat(user_id)
    if ply is not None and ply != table.match.ply:
        raise Stale("The match has moved on. Please look at the newest board.")
    player = _on_turn(table.match, table.check_present(user_id))
    return table.played(player, _read(state, player, text))


def resign(table: Table, user_id: UserId) -> Table:
    """Give up: with two players the other wins at once, with more the computer plays on (P15).

    When no other person is left the match ends without a winner (``h end left``), also with two players of whom one is
    forgotten (P20). Raises as `act` does.
    """
    table.running()
    seat = table.match.own_seat(user_id)
    table = table.noted(f"resign {seat.seat}").set_seat(seat.position, resigned=True)
    if len(table.match.seats) == 2 and not all(each.resigned for each in table.match.seats):
        return table.ended(Ended.RESIGNED)
    table = end_when_deserted(table)
    if table.match.ended_by is None and seat.computer is None:
        return hand_over(table, seat)
    return table


def depart(table: Table, user_id: UserId, *, acted: bool = True) -> Table:
    """Leave a match that runs: with two players that is to resign, else the computer plays on (P15).

    Unlike who has resigned, whoever left may come back. When no other person is left, the match ends without a
    winner. Neither does a match of two of whom one has not `acted` and wants to be kept away from the other: so they
    leave it without loss. Raises as `act` does, and WrongTime where the computer plays the seat already.
    """
    seat = table.match.seat_to_leave(user_id)
    if len(table.match.seats) == 2:
        free = not acted and table.avoided_by(user_id)
        return ended_without_winner(table.using(Deed.LEAVE, user_id), Ended.LEFT) if free else resign(table, user_id)
    if table.match.waits_for(user_id):
        table = turn.left(table)
    return end_when_deserted(hand_over(table.using(Deed.LEAVE, user_id), seat))


def take_back(table: Table, user_id: UserId) -> Table:
    """Whoever comes back takes the seat over from the computer (P14), once between two actions, or a log could grow.

    Raises as `act` does, and WrongTime.
    """
    table.running()
    seat = table.match.own_seat(user_id)
    if seat.computer is None:
        raise WrongTime("You're already playing this seat.")
    if seat.seat in table.match.returned:
        raise WrongTime("You've already come back once this turn. You can take your seat back after the next move.")
    # A computer has played for them meanwhile.
    return taken_over(table.noted(f"return {seat.seat}").set_seat(seat.position, computer=None, helped=True), seat)


def taken_over(table: Table, seat: Seat) -> Table:
    """A person plays this seat from now on, which the computer has played."""
    assert seat.seat is not None
    return table.set(returned=(*table.match.returned, seat.seat))


def hand_over(table: Table, seat: Seat) -> Table:
    """The computer plays this seat from now on."""
    return table.noted(f"computer {seat.seat} {Level.NORMAL}").set_seat(seat.position, computer=Level.NORMAL)


def end_when_deserted(table: Table) -> Table:
    """A match in which no person plays any more ends without a winner."""
    return table if table.match.present else table.noted(f"end {Ended.LEFT}").ended(Ended.LEFT)


def ended_without_winner(table: Table, how: Ended) -> Table:
    """The match ends without a winner; its log says so, unless that cannot be replayed."""
    return (table if table.course is None else table.noted(f"end {how}")).ended(how)


def computers_turn(table: Table, seat: Seat, text: str) -> Table:
    """The computer that plays this seat, on turn, does what it has thought of."""
    assert seat.seat is not None
    return table.played(seat.seat, table.running().state.string_to_action(seat.seat, text))


def _on_turn(match: Match, seat: Seat) -> int:
    """The seat's number in the game. Raises NotYourTurn."""
    if seat.seat is None or match.mover is None or match.mover.seat != seat.seat:
        raise NotYourTurn(match.info.not_your_turn, match.mover)
    return seat.seat


def _read(state: State[Any], player: int, text: str) -> Any:
    """The legal action that this text means. Raises Refused."""
    try:
        action = state.string_to_action(player, text)
    except ActionError as error:
        raise Refused(str(error), error.rule) from error
    refusal = state.why_illegal(player, action)
    if refusal is not None:
        raise Refused(str(refusal), refusal.rule)
    return action
