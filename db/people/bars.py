"""Queries about who is barred from a server's matches, and until when.

`cogs/commands/bars.py` has the commands.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, delete, select

from db.model import schema
from db.model.ids import UserId
from db.model.upserts import upsert

_bars = schema.bars


def put(connection: Connection, guild_id: int, user_id: UserId, until: datetime) -> None:
    """Bar somebody until then, also who is barred already."""
    source = {"guild_id": guild_id, "user_id": user_id, "until": until}
    connection.execute(upsert(connection.dialect, _bars, source))


def remove(connection: Connection, guild_id: int, user_id: UserId) -> bool:
    """Somebody is barred no longer; whether they were."""
    statement = delete(_bars).where(_bars.c.guild_id == guild_id, _bars.c.user_id == user_id)
    return bool(connection.execute(statement).rowcount)


def lapse(connection: Connection, guild_id: int, now: datetime) -> None:
    """Forget what is over."""
    connection.execute(delete(_bars).where(_bars.c.guild_id == guild_id, _bars.c.until <= now))


def of_guild(connection: Connection, guild_id: int) -> list[tuple[UserId, datetime]]:
    """Who is, or was until lately, barred on this server, and until when; those first whose bars end first."""
    statement = select(_bars.c.user_id, _bars.c.until).where(_bars.c.guild_id == guild_id)
    return [(user_id, until) for user_id, until in connection.execute(statement.order_by(_bars.c.until))]


def among(connection: Connection, guild_id: int, people: Collection[UserId]) -> dict[UserId, datetime]:
    """Until when those of these people are barred on this server who are, or were until lately."""
    wanted = (_bars.c.guild_id == guild_id) & _bars.c.user_id.in_(people)
    rows = connection.execute(select(_bars.c.user_id, _bars.c.until).where(wanted))
    return dict(iter(rows))
