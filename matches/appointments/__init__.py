"""Appointments: tables that start at an appointed time, and their scheduled events on Discord (P40)."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from db import Connection
from db.appointments import kept
from db.appointments.kept import Appointment
from db.matches import outbox
from db.model.enums import Due, Kind, Status
from db.model.ids import MatchId
from matches.appointments import appointed
from matches.errors import TooSoon
from matches.records.match import Match
from matches.records.seen import Offer
from matches.table.feature import Feature
from matches.table.value import Table
from matches.work.part import FeaturePart, deed
from matches.work.stored import read


class Mirrored(NamedTuple):
    """A lobby that has a scheduled event. `ahead`: the event is going to be changed to what the table says."""

    match: Match
    ahead: bool


def _again(match: Match) -> tuple[Offer, ...]:
    """Return the button of a table for the same people, if there were several."""
    people = sum(seat.user_id is not None for seat in match.seats)
    offered = match.status is Status.OVER and match.guild_id is not None and people > 1 and not match.is_branched
    return (Offer("anothertime", "Another time"),) if offered else ()


class Appointments(FeaturePart):
    """What people do at an appointed table, and what happens to its event. All of it raises Unavailable."""

    reschedule = deed(appointed.reschedule)
    fill_with = deed(appointed.fill_with)

    async def mirrored(self) -> tuple[tuple[int, int], ...]:
        """Return the scheduled events of all lobbies: the server and the event."""
        return tuple(await self._work.read_at_length(None, kept.scheduled_events))

    async def of_event(self, guild_id: int, event_id: int) -> Mirrored | None:
        """Return the lobby that has this event, ``None`` if there is none."""

        def look(connection: Connection) -> Mirrored | None:
            number = kept.of_event(connection, guild_id, event_id)
            if number is None:
                return None
            return Mirrored(read(connection, number), outbox.is_waiting(connection, number, Kind.EVENT))

        return await self._work.read(look)

    async def note_event(self, match_id: MatchId, event_id: int | None) -> None:
        """Store the match's event; ``None``: it has none, and the bot makes no other."""
        changes = {"event_id": event_id, "mirrored": event_id is not None}
        await self._work.write(lambda c: kept.change(c, match_id, **changes), idempotent=True)

    async def follow_event(self, match: Match, when: datetime | None) -> None:
        """Note that the event has another time, or is over (``None``).

        If the table itself has got another time since `match` was read, the event is going to follow that instead. If
        the table can't follow the event, the event is put back.
        """
        known = appointed.of(match)

        def decide(table: Table) -> Table:
            if when is None:
                return appointed.event_over(table)
            found = appointed.of(table.match)
            moved = found is None or known is None or found.appointed != known.appointed
            return table if moved else appointed.follow(table, when)

        try:
            await self._work.change(match.id, decide)
        except TooSoon:
            await self._work.change(match.id, appointed.put_back)

    async def note_told(self, match_id: MatchId) -> None:
        """Note that people have been told that the table has another time."""
        await self._work.change(match_id, appointed.told)


__all__ = ["FEATURE", "Appointment", "Appointments"]

FEATURE: Final = Feature[Table](
    key=appointed.KEY,
    part=lambda work, _: Appointments(work),
    opens=appointed.opens,
    start=appointed.start,
    followed=appointed.followed,
    announced=appointed.announced,
    due={Due.READY: appointed.due},
    afterwards=_again,
    left_out=appointed.left_out,
)
