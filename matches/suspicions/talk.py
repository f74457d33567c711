"""Suspicions: players say whom they suspect, in games with hidden roles (`GameInfo.suspected`).

It isn't stored in the log. A line of the log would give the match another ply: buttons that others are about to press
would be outdated, and a computer would have to think again. So nothing that a person says here changes what anybody
else can do, and computers, which get a position and lines, can't hear it.

What somebody says is public. It pings nobody and causes no post: the next board post shows it. It belongs to the seat.
Taking a move back, leaving, resigning and being forgotten don't change it. A new person in the seat begins the round
without a suspicion.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from db.model.enums import Status
from db.model.ids import SeatNumber, UserId
from db.suspicions.kept import KEPT, Words
from games.core import Observation, Suspicion
from games.core.suspicion import number_of_round, standing
from matches.errors import NotAllowed, NotSeated, Stale, WrongTime
from matches.records.match import Match
from matches.records.seat import Seat
from matches.records.seen import Offer
from matches.table.value import Table

KEY: Final = KEPT.key

MOST: Final = 20
"""How often a seat can say something in one round."""

_NOBODY: Final = "-"


def said(match: Match) -> tuple[Suspicion, ...]:
    """Return everything that was said, in order."""
    words: Words = match.shown.get(KEY, Words())
    return tuple(map(_read, words.suspicions))


def offers(match: Match, seen: Observation) -> tuple[Offer, ...]:
    """Return the button that is there while roles are hidden."""
    return (Offer("suspect", "I suspect …"),) if match.info.suspected and seen.roles_hidden else ()


def own(match: Match, seen: Observation, seat: int | None) -> Suspicion | None:
    """Return what this seat has said last in this round, if anything."""
    return standing(said(match), number_of_round(seen)).get(-1 if seat is None else seat)


def speaker(match: Match, seen: Observation, user_id: UserId) -> Seat:
    """Return the seat of a person who may say now whom they suspect. `seen` is the position as any viewer sees it.

    They may speak once for each turn of the table: what they have said stands until the next move. Raises WrongTime,
    NotSeated, NotAllowed, Frozen.
    """
    match.check_running()
    if not match.info.suspected:
        raise NotAllowed(f"Nobody has a hidden role in {match.info.name}.")
    if match.seat_of(user_id) is None:
        raise NotSeated("Only the players of this match can suspect each other. You're watching.")
    seat = match.own_seat(user_id)
    if not seat.present:
        raise NotAllowed("A computer is playing your seat. Take it back first.")
    if not seen.roles_hidden:
        raise WrongTime("No roles are hidden right now. You can suspect somebody in the next round.")
    mine = [each for each in said(match) if each.seat == seat.seat and each.round == number_of_round(seen)]
    if mine and mine[-1].ply == match.turn_ply:
        raise WrongTime("You've already said this turn who you suspect. You can change it after the next move.")
    if len(mine) >= MOST:
        raise NotAllowed(
            f"You've named suspects {MOST} times this round. Your last word stands until the roles are shown."
        )
    return seat


def suspect(table: Table, user_id: UserId, whom: SeatNumber | None, *, number: int | None = None) -> Table:
    """Say whom this person suspects: a seat, or nobody (``None``). Saying the same again changes nothing.

    `number` is that of the round in which the pressed button was made. Raises as `speaker` does, Stale in another
    round, and NotAllowed for a seat that can't be suspected.
    """
    seen = table.running().state.observation(None)
    current = number_of_round(seen)
    if number is not None and number != current:
        raise Stale("That round is over. Please look at the newest board.")
    seat = table.match.seat_of(user_id)
    last = None if seat is None else own(table.match, seen, seat.seat)
    if last is not None and last.suspect == whom:
        return table
    seat = speaker(table.match, seen, user_id)
    if whom is not None and (whom == seat.seat or not 0 <= whom < len(table.match.seats)):
        raise NotAllowed("You can suspect anybody else at this table.")
    assert seat.seat is not None
    word = Suspicion(seat.seat, current, table.match.turn_ply, whom)
    return _saying(table, (*said(table.match), word))


def silenced(table: Table, before: Table) -> Table:
    """Remove what was said in this round at seats that another person has taken over."""
    if not said(table.match) or table.match.status is not Status.RUNNING or table.course is None:
        return table
    sat = {seat.seat: seat.user_id for seat in before.match.seats}
    taken = {seat.seat for seat in table.match.present if seat.user_id != sat[seat.seat]}
    if not taken:
        return table
    current = number_of_round(table.course.state.observation(None))
    return _saying(table, (each for each in said(table.match) if each.round != current or each.seat not in taken))


def _saying(table: Table, words: Iterable[Suspicion]) -> Table:
    return table.showing(KEY, Words(tuple(map(_written, words))))


def _written(word: Suspicion) -> str:
    return " ".join(_NOBODY if each is None else str(each) for each in word)


def _read(text: str) -> Suspicion:
    seat, number, ply, suspected = text.split(" ")
    return Suspicion(int(seat), int(number), int(ply), None if suspected == _NOBODY else int(suspected))
