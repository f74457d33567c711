"""What the features keep (`matches/features.py`), also of those that are left out: all of it can be deleted."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select, union, update

from db.appointments import kept as appointments
from db.lessons import kept as lessons
from db.model.ids import MatchId
from db.model.kept import Kept
from db.orders import kept as orders
from db.pledges import kept as pledges
from db.puzzles import kept as puzzles
from db.ratings import kept as ratings
from db.review import kept as review
from db.suspicions import kept as suspicions

KEPT: Final[tuple[Kept, ...]] = (
    *(appointments.KEPT, lessons.KEPT, orders.KEPT, *pledges.KEPT, *puzzles.KEPT, *ratings.KEPT),
    *(review.KEPT, suspicions.KEPT),
)

OF_MATCH: Final = tuple(each for each in KEPT if each.of_match is not None)
"""What is read with a match that a decision is about."""

SHOWN: Final = tuple(each for each in KEPT if each.shown is not None)
"""What is read with each match."""

ASKING: Final = tuple(each.table for each in KEPT if each.asks)
"""The tables that have rows while somebody is asked something."""

CACHES: Final = tuple(each.table for each in KEPT if each.cached)
"""The tables that may be emptied."""

_OF_SERVER: Final = tuple(each.table for each in KEPT if each.of_server)


def guilds(connection: Connection) -> list[int]:
    """Return the servers of which something is kept that is deleted when the bot has left them."""
    return list(connection.execute(union(*(select(table.c.guild_id) for table in _OF_SERVER))).scalars())


def forget_guild(connection: Connection, guild_id: int) -> None:
    """Delete what is kept of a server."""
    for table in _OF_SERVER:
        connection.execute(delete(table).where(table.c.guild_id == guild_id))
    for each in KEPT:
        each.forget_guild(connection, guild_id)


def find_guild(connection: Connection, guild_id: int, now: datetime) -> None:
    """Note that the bot is on a server (again)."""
    for each in KEPT:
        each.find_guild(connection, guild_id, now)


def forget_channel(connection: Connection, channel_id: int) -> None:
    """Forget what is kept of a channel."""
    for each in KEPT:
        each.forget_channel(connection, channel_id)


def show(connection: Connection, match_id: MatchId, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Store the difference between what everybody may see of a match before and after a decision, by feature.

    Only what has changed is written: something else may be stored without the match's lock.
    """
    for each in SHOWN:
        old, new = before.get(each.key), after.get(each.key)
        of_match = each.table.c.match_id == match_id
        changes = {} if new is None else {n: v for n, v in vars(new).items() if old is None or v != getattr(old, n)}
        if changes and old is None:
            connection.execute(insert(each.table).values(match_id=match_id, **changes))
        elif changes:
            connection.execute(update(each.table).where(of_match).values(**changes))
        elif new is None and old is not None:
            connection.execute(delete(each.table).where(of_match))
