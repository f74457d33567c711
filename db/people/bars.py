"""Queries of people barred from a server's matches.

`cogs/commands/bars.py` has the commands.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, select

from db.model import schema
from db.model.ids import UserId
from db.model.upserts import put_row

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


def among(connection: Connection, guild_id: int, people: Collection[UserId]) -> dict[UserId, datetime]:
    """Return the bars of these people on this server, including ones just expired."""
    wanted = (_bars.c.guild_id == guild_id) & _bars.c.user_id.in_(people)
    rows = connection.execute(select(_bars.c.user_id, _bars.c.until).where(wanted))
    return dict(iter(rows))
