"""Decisions about people who are away, and about new people in their seats (P14-P17).

`matches/host/absence.py` stores them; `cogs/commands/absence.py` has the commands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from db.matches.outbox import News
from db.model.enums import Kind
from db.model.ids import UserId
from db.model.rows import Application
from matches.errors import KeptApart, NotAllowed, NotFound, TooSoon, WrongTime
from matches.records.match import Match
from matches.records.requests import Person
from matches.records.seat import Seat
from matches.table.events import Told
from matches.table.limits import ASKED_AGAIN, Deed
from matches.table.play import taken_over
from matches.table.questions import Asks, check_open
from matches.table.value import Table

NO_LONGER_OPEN: Final = "That request is no longer open."
NO_COMPUTER: Final = "No computer is playing that seat."


def away(table: Table, user_id: UserId, until: datetime | None) -> Table:
    """Note that a person is away until then, or back (``None``): the clock of their turn pauses meanwhile (P16).

    It pauses at most for the away time that their seat has left (`Match.away_left`). Nothing changes if they don't play
    here. Coming back uses no allowance, because nobody can do so more often than they go away.
    """
    seat = table.match.seat_of(user_id)
    if seat is None or not seat.present:
        return table
    if table.match.waits_for(user_id):
        table = table.resumed() if until is None else table.resumed().stopped(until)
    row = News(Kind.AWAY, seat.seat, user_id)
    if until is not None:
        table = table.using(Deed.AWAY, user_id)
    return table.with_event(Told((row,), table.match.ply, (Kind.AWAY,), seat=seat.seat))


def apply(table: Table, person: Person, number: int | None = None, *, anyway: bool = False) -> Table:
    """Ask the table for a seat that a computer plays: the one with this number, or the first (P14).

    A person may ask a table again when it has answered or a day has passed. Raises NotFound for no such seat,
    NotAllowed for a person who has a seat or has seen secrets of this match, KeptApart if they haven't said that they
    join `anyway`, TooSoon, WrongTime, Frozen.
    """
    table.running()
    match = table.match
    seat = of_computer(match, number)
    if seat is None:
        raise NotFound("No seat is free." if number is None else NO_COMPUTER)
    if match.seat_of(person.user_id) is not None:
        raise NotAllowed("You already have a seat at this table.")
    if match.info.hands and table.has_seen(person.user_id):
        raise NotAllowed("You've seen secrets of this match, so you can't take another seat in it.")
    if match.of_computers:
        raise NotAllowed("Only computers are playing this match, so there's nobody to ask.")
    assert seat.seat is not None
    asked = next((each for each in match.applications if each.user_id == person.user_id), None)
    again = table.now if asked is None else asked.asked_at + ASKED_AGAIN + asked.given
    if asked is not None and table.now < again and of_computer(match, asked.seat) is not None:
        raise TooSoon("You've already asked this table for a seat, and it hasn't decided yet.", again)
    table.check_welcome(person.user_id)
    if not anyway and table.avoided_by(person.user_id):
        raise KeptApart(match.id, seat.seat)
    table = table.using(Deed.ASK, person.user_id)
    application = Application(person.user_id, person.name, seat.seat, (), table.now)
    row = News(Kind.SEAT, seat.seat, person.user_id, rings=True)
    told = Told((row,), match.ply, (Kind.SEAT,), user_id=person.user_id)
    return table.with_application(application).with_event(told)


def agree(table: Table, by: UserId, applicant: UserId, *, yes: bool = True, number: int | None = None) -> Table:
    """Answer a request for a seat. Once more than half of those who play agree, the person gets it.

    A seat changes hands at most once between two actions, so that the log can't grow without bound. `number` is that
    of the question whose button was pressed. Raises NotFound for a request that is no longer open, NotSeated,
    NotAllowed, WrongTime, Frozen.
    """
    table.running()
    table.check_present(by)
    match = table.match
    asking = next((each for each in match.applications if each.user_id == applicant), None)
    seat = None if asking is None else of_computer(match, asking.seat)
    if asking is None or seat is None:
        raise NotFound(NO_LONGER_OPEN)
    check_open(table, Asks.SEAT, number, applicant)
    if not table.is_welcome(applicant):
        raise NotFound(NO_LONGER_OPEN)
    if yes and seat.seat in table.hidden.returned:
        raise WrongTime("This seat has already changed hands this turn. You can agree after the next move.")
    agreed, declined = ({*asking.agreed} - {by}, {*asking.declined} - {by})
    (agreed if yes else declined).add(by)
    asking = asking._replace(agreed=tuple(sorted(agreed)), declined=tuple(sorted(declined)))
    return table.with_application(asking).heard_of(by)


def admitted(table: Table, seat: Seat, person: Person) -> Table:
    """Give the seat to the person, and send them its secrets. Remember that its former player has seen them."""
    left = (each for each in table.match.applications if each.seat != seat.seat and each.user_id != person.user_id)
    table = table.set(applications=tuple(left)).noted(f"person {seat.seat}").with_witness(seat)
    table = table.give_seat(seat.position, person).set_seat(seat.position, replaced=True)
    table = taken_over(table, seat).telling(Kind.LOBBY).noticing(person.user_id)
    if table.match.to_move == seat.seat:
        # The turn that somebody else had left is a new one for them.
        table = table.set(turn_left=None)
    if table.match.info.hands:
        return table.telling(Kind.SECRETS, seat.seat, person.user_id)
    return table


def of_computer(match: Match, number: int | None) -> Seat | None:
    """Return the computer's seat with this number, or the first of a computer; ``None`` if there is none."""
    return next((seat for seat in match.seats if seat.computer is not None and number in (None, seat.seat)), None)
