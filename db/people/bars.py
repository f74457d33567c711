"""Queries of people barred from a server's matches, or from all.

`cogs/commands/bars.py` has the commands of servers, `matches/host/operating.py` what whoever runs the bot can do.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, delete, select

from db.model import schema
from db.model.ids import UserId
from db.model.upserts import put_row

EVERYWHERE: Final = 0
"""Stands for a server's number in a bar of the people who run the bot."""

FOREVER: Final = datetime(9999, 1, 1, tzinfo=UTC)
"""The end of a bar that somebody must lift."""

_bars = schema.bars


def put(connection: Connection, guild_id: int, user_id: UserId, until: datetime) -> None:
    """Bar a person until then, or change their bar."""
    put_row(connection, _bars, {"guild_id": guild_id, "user_id": user_id, "until": until})


def remove(connection: Connection, guild_id: int, user_id: UserId) -> bool:
    """Delete a person's bar, and return whether there was one."""
    statement = delete(_bars).where(_bars.c.guild_id == guild_id, _bars.c.user_id == user_id)
    return bool(connection.execute(statement).rowcount)


def lapse(connection: Connection, guild_id: int, now: datetime) -> None:
    """Delete expired bars."""
    connection.execute(delete(_bars).where(_bars.c.guild_id == guild_id, _bars.c.until <= now))


def of_guild(connection: Connection, guild_id: int) -> list[tuple[UserId, datetime]]:
    """Return a server's bars, including ones just expired, in the order of their ends."""
    statement = select(_bars.c.user_id, _bars.c.until).where(_bars.c.guild_id == guild_id)
    return [(user_id, until) for user_id, until in connection.execute(statement.order_by(_bars.c.until))]


def among(connection: Connection, guild_id: int | None, people: Collection[UserId]) -> dict[UserId, datetime]:
    """Return until when these people are barred on this server or everywhere, including bars just expired."""
    wanted = _bars.c.guild_id.in_((EVERYWHERE, guild_id or EVERYWHERE)) & _bars.c.user_id.in_(people)
    rows = connection.execute(select(_bars.c.user_id, _bars.c.until).where(wanted))
    # Of two bars of a person the longer one comes last.
    return dict(sorted((tuple(row) for row in rows), key=lambda row: row[1]))
