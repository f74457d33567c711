"""Rows that one process at a time works on, in the outbox and among the deadlines: who may take one, and for how long.

A lease is a name and an instant. Its owner renews it while the work goes on; when the owner dies it runs out by itself,
or the process that comes next under the same name frees it at once. A row belongs to the process that carries the shard
of its server, because that one hears what happens there; others take it once it is overdue.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, Table, and_, bindparam, literal, or_

from db.model.columns import Instant

LONGEST_LEASE: Final = timedelta(minutes=15)
"""No lease is longer: one that seems to be was taken before the clock was set back."""

LONGEST_PAUSE: Final = timedelta(hours=7)
"""No row is put off for so long, for the same reason; an hour more than any is, since clocks are never quite equal."""

SHARD_BITS: Final = 22
"""So many lower bits of a server's number do not decide its shard."""

ALONE: Final = timedelta(seconds=60)
"""For how long a row belongs to who has leased it without renewing that, where there is no other process."""

AMONG_OTHERS: Final = timedelta(seconds=8)
"""The same where there are: so soon they take what one that has died had in hand."""

OVERDUE: Final = timedelta(seconds=5)
"""After this time a row that belongs to another process is anybody's."""


_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Lease(NamedTuple):
    """To whom rows belong, and until when."""

    name: str
    until: datetime


class Shards(NamedTuple):
    """The shards that a process carries, `of` how many; a server's is its number's upper bits modulo that.

    `strictly`: rows of other shards are left alone even when they are overdue.
    """

    of: int
    ids: tuple[int, ...]
    strictly: bool = False

    def carry(self, guild_id: int) -> bool:
        """Whether this server's shard is among them."""
        return (guild_id >> SHARD_BITS) % self.of in self.ids


def free(table: Table) -> ColumnElement[bool]:
    """Rows that nobody has leased; binds what `instant` gives."""
    ways: list[ColumnElement[bool]] = [
        table.c.leased_until.is_(None),
        table.c.leased_until <= bindparam("now", type_=Instant),
        table.c.leased_until > bindparam("no_lease", type_=Instant),
    ]
    return or_(*ways)


def belonging(table: Table) -> ColumnElement[bool]:
    """Rows of servers whose shard the process carries, and overdue ones; binds what `instant` and `of_shards` give."""
    # A server shifts by a plain integer alone.
    shard = table.c.guild_id.op(">>")(literal(SHARD_BITS, Integer)) % bindparam("shard_count")
    own: list[ColumnElement[bool]] = [
        shard.in_(bindparam("shard_ids", expanding=True)),
        # What belongs to no server, as a direct message, is shard 0's; SQL's NULL is in no list.
        and_(table.c.guild_id.is_(None), bindparam("carries_zero")),
        table.c.due <= bindparam("overdue", type_=Instant),
    ]
    return or_(*own)


def instant(now: datetime) -> dict[str, Any]:
    """The parameters of `free`."""
    return {"now": now, "no_lease": now + LONGEST_LEASE}


def of_shards(now: datetime, shards: Shards) -> dict[str, Any]:
    """The parameters of `belonging`."""
    return {
        "shard_count": shards.of,
        "shard_ids": list(shards.ids),
        "carries_zero": 0 in shards.ids,
        "overdue": _NEVER if shards.strictly else now - OVERDUE,
    }
