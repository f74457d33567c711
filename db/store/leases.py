"""Leases of rows in the outbox and of deadlines: one process at a time works on a row.

A lease is a name and an end. Its owner renews it during the work. If the owner dies, the lease expires, or the next
process of the same name releases it at once. A row belongs to the process that carries its server's shard, since that
one receives the server's events. Any process may take an overdue row.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Table, and_, bindparam, literal, or_, select, update

from db.model.columns import Instant

LONGEST_LEASE: Final = timedelta(minutes=15)
"""No lease is longer. A lease that seems longer was taken before the clock was set back, and counts as expired."""

LONGEST_PAUSE: Final = timedelta(hours=7)
"""No row is postponed for longer. If one seems to be, the clock was set back since, and the row counts as due.

The longest retry delay is an hour shorter, to allow for clock skew.
"""

SHARD_BITS: Final = 22
"""The lower bits of a server's id that don't determine its shard."""

LEASE_ALONE: Final = timedelta(seconds=60)
"""The lease of a single process."""

LEASE_AMONG_OTHERS: Final = timedelta(seconds=8)
"""The lease where there are several processes: short, so that they soon take over a dead one's rows."""

OVERDUE_AFTER: Final = timedelta(seconds=5)
"""After this delay any process may take a due row."""


_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)

LEASED: Final[dict[str, Any]] = {"leased_until": bindparam("until"), "leased_by": bindparam("name")}
RELEASED: Final = {"leased_until": None, "leased_by": None}


class Lease(NamedTuple):
    """A name, and when its lease ends."""

    name: str
    until: datetime


class Shards(NamedTuple):
    """The shards that a process carries, out of `of`. A server's shard is its id's upper bits modulo `of`.

    `strictly`: never take rows of other shards, even overdue ones.
    """

    of: int
    ids: tuple[int, ...]
    strictly: bool = False

    def carry(self, guild_id: int) -> bool:
        """Whether this process carries the server's shard."""
        return (guild_id >> SHARD_BITS) % self.of in self.ids


def unleased(table: Table) -> ColumnElement[bool]:
    """Return the condition for rows without a valid lease; `lease_times` gives its parameters."""
    ways: list[ColumnElement[bool]] = [
        table.c.leased_until.is_(None),
        table.c.leased_until <= bindparam("now", type_=Instant),
        table.c.leased_until > bindparam("no_lease", type_=Instant),
    ]
    return or_(*ways)


def owned(table: Table) -> ColumnElement[bool]:
    """Return the condition for rows of own shards, and overdue rows; `shard_parameters` gives its parameters."""
    # PostgreSQL shifts only by a plain integer.
    shard = table.c.guild_id.op(">>")(literal(SHARD_BITS, Integer)) % bindparam("shard_count")
    own: list[ColumnElement[bool]] = [
        shard.in_(bindparam("shard_ids", expanding=True)),
        # Rows of no server (direct messages) are shard 0's. SQL's NULL is in no list.
        and_(table.c.guild_id.is_(None), bindparam("carries_zero")),
        table.c.due <= bindparam("overdue", type_=Instant),
    ]
    return or_(*own)


def lease_times(now: datetime) -> dict[str, Any]:
    """Return the parameters of `unleased`."""
    return {"now": now, "no_lease": now + LONGEST_LEASE}


def shard_parameters(now: datetime, shards: Shards) -> dict[str, Any]:
    """Return the parameters of `owned`."""
    return {
        "shard_count": shards.of,
        "shard_ids": list(shards.ids),
        "carries_zero": 0 in shards.ids,
        "overdue": _NEVER if shards.strictly else now - OVERDUE_AFTER,
    }


def leased(connection: Connection, table: Table, name: str) -> dict[tuple[Any, ...], datetime]:
    """Return the rows of a table leased under this name, by primary key, with the ends of their leases."""
    mine = (table.c.leased_by == name) & table.c.leased_until.is_not(None)
    rows = connection.execute(select(*table.primary_key, table.c.leased_until).where(mine))
    return {tuple(key): until for *key, until in rows}


def renew(connection: Connection, table: Table, keys: Collection[tuple[Any, ...]], lease: Lease) -> None:
    """Extend the leases of the rows with these primary keys, except those that another process has taken."""
    _set(connection, table, keys, lease, {"until": lease.until, "by": lease.name})


def release(connection: Connection, table: Table, keys: Collection[tuple[Any, ...]], newest: Lease) -> None:
    """Release these rows, except those that another process has taken or this one leased again after `newest`."""
    _set(connection, table, keys, newest, {"until": None, "by": None})


def _set(
    connection: Connection, table: Table, keys: Collection[tuple[Any, ...]], newest: Lease, values: dict[str, Any]
) -> None:
    key_names = [f"of_{column.name}" for column in table.primary_key]
    mine = (column == bindparam(name) for column, name in zip(table.primary_key, key_names, strict=True))
    leased = (table.c.leased_by == bindparam("name"), table.c.leased_until <= bindparam("newest", type_=Instant))
    changed = {"leased_until": bindparam("until", type_=Instant), "leased_by": bindparam("by")}
    # One by one: for a list of pairs SQLite reads the whole table.
    same = {"name": newest.name, "newest": newest.until, **values}
    if rows := [{**dict(zip(key_names, key, strict=True)), **same} for key in keys]:
        connection.execute(update(table).where(*mine, *leased).values(changed), rows)
