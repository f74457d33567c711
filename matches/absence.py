"""Being away, leaving, and another person in an absent one's seat (P14-P17)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from db import applications, deadlines, outbox, settings
from db import matches as queries
from db.applications import ApplicationRow
from matches import stored
from matches.desk import Desk
from matches.errors import NotAllowed, NotFound
from matches.play import hand_over
from matches.records import Application, Due, Ended, Kind, Lost, Match, Person, Seat, Status
from matches.sitting import Sitting

_MANY: Final = 1000


class Absence(Desk):
    """The part of the host that deals with people who are not there."""

    def now(self) -> datetime:
        """The present moment by the clock that the matches go by."""
        return self._clock.now()

    async def away(self, user_id: int, until: datetime | None) -> tuple[Match, ...]:
        """Stop this person's clocks until then, or let them run again (``None``); the matches that are told so (P16).

        A turn that has begun keeps the time that was left of it.
        """
        now = self._clock.now()
        async with self._transaction() as connection:
            before = await settings.away_until(connection, user_id)
            await settings.set_away(connection, user_id, until)
            shift = max(now, until or now) - max(now, before or now)
            concerned = []
            for number in await queries.open_of(connection, user_id, (Status.RUNNING,), _MANY):
                match = (await stored.read(connection, number, lock=True)).match
                seat = match.seat_of(user_id)
                if seat is None or not seat.present:
                    continue
                concerned.append(match)
                if match.waits_for(user_id) and match.turn_due is not None:
                    await deadlines.shift(connection, match.id, (Due.REMIND, Due.OVERDUE), shift)
                    await queries.update_match(connection, match.id, turn_due=match.turn_due + shift)
                await outbox.drop(connection, match.id, (Kind.AWAY,), seat=seat.seat)
                news, held = [outbox.News(Kind.AWAY, seat.seat, user_id)], match.lost is Lost.SERVER
                await outbox.put(connection, match.id, match.guild_id, match.ply, news, now, held=held)
        for match in concerned:
            self._ring(match)
        return tuple(concerned)

    async def depart(self, match_id: int, user_id: int, interaction_id: int | None = None) -> Match:
        """Leave a match that runs: with two players that is to resign, else the computer plays on (P15).

        Unlike who has resigned, whoever left may come back. When no other person is left, the match ends without a
        winner. Raises as `Play.act` does, and WrongTime where the computer plays the seat already.
        """
        async with self._sitting(match_id) as sitting:
            if not await sitting.repeated(interaction_id):
                seat = sitting.match.seat_to_leave(user_id)
                if len(sitting.match.seats) == 2:
                    sitting.note(f"resign {seat.seat}", interaction_id)
                    await sitting.set_seat(seat, resigned=True)
                    sitting.end(Ended.RESIGNED)
                else:
                    await hand_over(sitting, seat, interaction_id)
                    end_when_deserted(sitting)
        return sitting.match

    async def note_gone(self, match_id: int, user_id: int) -> None:
        """This person has left the server: if the match waits for him, the others are asked at once (P17)."""
        async with self._sitting(match_id) as sitting:
            match = sitting.match
            if match.status is Status.RUNNING and match.waits_for(user_id) and match.voters and not match.asked:
                await sitting.ask_about_mover()

    async def apply(self, match_id: int, person: Person, name: str | None = None) -> Match:
        """Ask the table for a seat that the computer plays (called `name`, or the first there is) (P14).

        Raises NotFound for no such seat, NotAllowed for who has a seat or has seen secrets of this match, WrongTime,
        Frozen.
        """
        async with self._sitting(match_id) as sitting:
            sitting.running()
            seat = _absent(sitting.match, name)
            if sitting.match.seat_of(person.user_id) is not None:
                raise NotAllowed("You have a seat at this table.")
            if sitting.match.info.hands and sitting.has_seen(person.user_id):
                raise NotAllowed("You have seen secrets of this match, so you cannot take another seat in it.")
            if sitting.match.of_computers:
                raise NotAllowed("Computers play this match alone: there is nobody at the table who could agree.")
            assert seat.seat is not None
            application = Application(person.user_id, person.name, seat.seat, ())
            row = ApplicationRow(match_id, person.user_id, person.name, seat.seat, [])
            await applications.put(sitting.connection, row)
            others = (each for each in sitting.match.applications if each.user_id != person.user_id)
            sitting.set_applications((*others, application))
            await outbox.drop(sitting.connection, match_id, (Kind.SEAT,), user_id=person.user_id)
            await sitting.tell(Kind.SEAT, seat.seat, person.user_id, rings=True)
        return sitting.match

    async def agree(self, match_id: int, by: int, applicant: int) -> Match:
        """Somebody at the table agrees; once more than half of those who play do, the person has the seat.

        Raises NotFound for an application that is no longer open, NotSeated, NotAllowed, WrongTime, Frozen.
        """
        async with self._sitting(match_id) as sitting:
            sitting.running()
            if not sitting.seated(by).present:
                raise NotAllowed("The computer plays your seat: take it back first.")
            match = sitting.match
            asking = next((each for each in match.applications if each.user_id == applicant), None)
            seat = next((each for each in match.seats if asking and each.seat == asking.seat), None)
            if asking is None or seat is None or seat.computer is None:
                raise NotFound("This seat is no longer asked for.")
            agreed = sorted({*asking.agreed, by})
            await applications.agree(sitting.connection, match_id, applicant, agreed)
            others = tuple(each for each in match.applications if each != asking)
            sitting.set_applications((*others, asking._replace(agreed=tuple(agreed))))
            people = {each.user_id for each in match.present}
            if 2 * len(people.intersection(agreed)) > len(people):
                await _admit(sitting, seat, Person(asking.user_id, asking.name))
        return sitting.match


async def _admit(sitting: Sitting, seat: Seat, person: Person) -> None:
    """The person plays the seat from now on, and is told what it holds."""
    for application in sitting.match.applications:
        if application.user_id == person.user_id or application.seat == seat.seat:
            await applications.remove(sitting.connection, sitting.match.id, user_id=application.user_id)
    left = (each for each in sitting.match.applications if each.seat != seat.seat)
    sitting.set_applications(tuple(left))
    sitting.note(f"person {seat.seat}")
    await sitting.give_seat(seat, person)
    await sitting.tell(Kind.LOBBY)
    if sitting.match.info.hands:
        await sitting.tell(Kind.SECRETS, seat.seat, person.user_id)


def _absent(match: Match, name: str | None) -> Seat:
    """The seat that is meant: played by the computer. Raises NotFound."""
    for seat in match.seats:
        if seat.computer is not None and name in (None, seat.name):
            return seat
    raise NotFound("The computer plays no such seat." if name else "No seat is free: every person plays.")


def end_when_deserted(sitting: Sitting) -> None:
    if not sitting.match.present:
        sitting.note("end left")
        sitting.end(Ended.LEFT)
