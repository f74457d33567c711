"""What is kept of tables that start at an appointed time, and of their scheduled events on Discord.

`matches/appointments/appointed.py` decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from sqlalchemy import Connection, Index, String, select, update

from db.model.columns import ColumnOptions, table
from db.model.enums import Status
from db.model.ids import MatchId
from db.model.kept import Kept
from db.model.rows import DiscordId, OfMatch
from db.model.schema import matches, metadata
from db.store.transactions import at_length_only


@dataclass(frozen=True, kw_only=True)
class Appointment:
    """When a table starts, with the people who are ready then.

    If these are too few, computers of the level `fill_with` take the other seats; without a level the table is called
    off. `mirrored`: it has a scheduled event on Discord, `event_id` once that is known.
    """

    appointed: datetime
    fill_with: Annotated[str | None, ColumnOptions(type=String(16))] = None
    mirrored: bool = False
    event_id: DiscordId | None = None


_appointments: Final = table(metadata, "appointments", (OfMatch, Appointment), ("match_id",), Index(None, "event_id"))
_LOBBY: Final = matches.c.ended_at.is_(None) & (matches.c.status == Status.LOBBY)


def scheduled_events(connection: Connection) -> list[tuple[int, int]]:
    """Return the scheduled events of all lobbies: the server and the event, rising."""
    at_length_only(connection)
    events = select(matches.c.guild_id, _appointments.c.event_id).join(_appointments)
    rows = connection.execute(events.where(_LOBBY, _appointments.c.event_id.is_not(None)))
    return sorted((guild_id, event_id) for guild_id, event_id in rows)


def of_event(connection: Connection, guild_id: int, event_id: int) -> MatchId | None:
    """Return the number of the lobby that has this scheduled event."""
    lobbies = select(matches.c.id).join(_appointments).where(_LOBBY, matches.c.guild_id == guild_id)
    found = connection.execute(lobbies.where(_appointments.c.event_id == event_id).limit(1)).scalar_one_or_none()
    return None if found is None else MatchId(found)


def change(connection: Connection, match_id: MatchId, **changes: Any) -> None:
    """Store what has changed about the event of a table."""
    connection.execute(update(_appointments).where(_appointments.c.match_id == match_id).values(**changes))


KEPT: Final = Kept("appointments", _appointments, shown=Appointment, starts=_appointments.c.appointed)
