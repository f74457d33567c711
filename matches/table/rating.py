"""Whether the result of a match that is over moves ratings, and what it is then."""

from __future__ import annotations

from db.ids import UserId
from db.words import Ended, Rated
from games.core import places
from matches.match import Match
from matches.outcome import standing_of
from matches.ratings.result import Entrant
from matches.seat import Seat
from matches.table.events import Settled
from matches.table.value import Table


def settled(table: Table) -> Table:
    """A match that is over, with how it moves ratings."""
    assert table.course is not None
    match, state = table.match, table.course.state
    standing = standing_of(match, state)
    why = _rated(table)
    table = table.set(rating=why)
    if standing is None or why not in (Rated.COUNTED, Rated.PRACTICE):
        return table
    entrants = [seat for seat in match.seats if _is_entrant(seat)]
    order = [(_stayed(seat), -standing[seat.seat or 0] if _stayed(seat) else 0) for seat in entrants]
    parts = state.parts()
    found = {
        seat.position: Entrant(
            place,
            level=None if seat.entered else seat.computer,
            helped=seat.entered and seat.helped,
            parts=parts[seat.seat or 0] if seat.entered and _stayed(seat) else (),
        )
        for seat, place in zip(entrants, places(order), strict=True)
    }
    return table.with_event(Settled(found, practice=why is Rated.PRACTICE))


def helped(table: Table, user_id: UserId) -> Table:
    """This person has had help that the others do not see: they cannot gain by the match any more."""
    seat = table.match.seat_of(user_id)
    return table if seat is None or seat.helped else table.set_seat(seat.position, helped=True)


def is_rated(match: Match) -> bool:
    """Whether the result is going to move ratings, as far as can be known before the end."""
    return match.rated and match.guild_id is not None


def _rated(table: Table) -> Rated:
    match = table.match
    people = sum(seat.entered for seat in match.seats)
    if table.unrated:
        return Rated.OFF
    if not is_rated(match):
        return Rated.AGREED
    if match.ended_by not in (Ended.RULES, Ended.RESIGNED):
        return Rated.ENDED
    if people >= 2:
        return Rated.COUNTED
    return Rated.PRACTICE if people and sum(map(_is_entrant, match.seats)) >= 2 else Rated.NOBODY


def _is_entrant(seat: Seat) -> bool:
    """Whether whoever began with the seat is rated: not a computer in whose place somebody has sat down since."""
    return seat.entered or (seat.user_id is None and not seat.replaced)


def _stayed(seat: Seat) -> bool:
    """Whether whoever began with the seat has played to the end."""
    return not seat.left and not seat.replaced
