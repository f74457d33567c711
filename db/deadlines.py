"""What happens by itself at a time: one row a match and kind, claimed by a lease so that any process may do it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from db import schema

_deadlines = schema.deadlines

LONGEST_LEASE: Final = timedelta(minutes=15)


class DeadlineRow(NamedTuple):
    """A row of `deadlines`: at `due` something of this kind happens, if the match still stands at `ply`."""

    match_id: int
    kind: str
    ply: int
    due: datetime


_FORGET: Final = delete(_deadlines).where(
    _deadlines.c.match_id == bindparam("of_match"), _deadlines.c.kind.in_(bindparam("kinds", expanding=True))
)
_SET: Final = insert(_deadlines)
# Due, and leased by nobody (a lease that ends far in the future was taken before the clock was set back).
_DUE: Final = select(_deadlines.c.match_id).where(
    _deadlines.c.due <= bindparam("now"),
    or_(
        _deadlines.c.leased_until.is_(None),
        _deadlines.c.leased_until <= bindparam("now"),
        _deadlines.c.leased_until > bindparam("too_late"),
    ),
)
_IS_DUE: Final = _DUE.limit(1)


async def replace(
    connection: AsyncConnection, match_id: int, ply: int, times: Mapping[str, datetime], kinds: Collection[str]
) -> None:
    """Forget the match's deadlines of these kinds and set `times` (kind to moment) instead."""
    await connection.execute(_FORGET, {"of_match": match_id, "kinds": list(kinds)})
    if times:
        rows = [{"match_id": match_id, "kind": kind, "ply": ply, "due": due} for kind, due in times.items()]
        await connection.execute(_SET, rows)


async def claim(
    connection: AsyncConnection, now: datetime, lease: timedelta, limit: int, name: str
) -> list[DeadlineRow]:
    """Deadlines that are due, the oldest first.

    Nobody else gets them until the lease has run out, or who bears this name.
    """
    key = tuple_(_deadlines.c.match_id, _deadlines.c.kind)
    wanted = (
        _DUE.with_only_columns(_deadlines.c.match_id, _deadlines.c.kind)
        .order_by(_deadlines.c.due)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    columns = (_deadlines.c.match_id, _deadlines.c.kind, _deadlines.c.ply, _deadlines.c.due)
    leased = {"leased_until": now + lease, "leased_by": name}
    claimed = update(_deadlines).where(key.in_(wanted)).values(leased).returning(*columns)
    rows = [DeadlineRow(*row) for row in await connection.execute(claimed, _moment(now))]
    return sorted(rows, key=lambda row: (row.due, row.match_id, row.kind))


async def due(connection: AsyncConnection, now: datetime) -> bool:
    """Whether anything is to be claimed (asking does not lock the store)."""
    return (await connection.execute(_IS_DUE, _moment(now))).first() is not None


def _moment(now: datetime) -> dict[str, datetime]:
    return {"now": now, "too_late": now + LONGEST_LEASE}


async def shift(connection: AsyncConnection, match_id: int, kinds: Collection[str], by: timedelta) -> None:
    """Let the match's deadlines of these kinds come later (or earlier)."""
    mine = (_deadlines.c.match_id == match_id) & _deadlines.c.kind.in_(kinds)
    rows = (await connection.execute(select(_deadlines.c.kind, _deadlines.c.due).where(mine))).all()
    for kind, due in rows:
        this = (_deadlines.c.match_id == match_id) & (_deadlines.c.kind == kind)
        await connection.execute(update(_deadlines).where(this).values(due=due + by, leased_until=None, leased_by=None))


async def get(connection: AsyncConnection, match_id: int, kind: str) -> DeadlineRow | None:
    """The match's deadline of this kind, claimed or not."""
    columns = (_deadlines.c.match_id, _deadlines.c.kind, _deadlines.c.ply, _deadlines.c.due)
    statement = select(*columns).where(_deadlines.c.match_id == match_id, _deadlines.c.kind == kind)
    row = (await connection.execute(statement)).one_or_none()
    return None if row is None else DeadlineRow(*row)


async def release(connection: AsyncConnection, match_id: int, kind: str) -> None:
    """Give a claimed deadline back undone."""
    mine = (_deadlines.c.match_id == match_id) & (_deadlines.c.kind == kind)
    await connection.execute(update(_deadlines).where(mine).values(leased_until=None, leased_by=None))


async def release_all(connection: AsyncConnection, name: str) -> None:
    """Whoever bore this name is dead: what he had claimed is free at once."""
    free = {"leased_until": None, "leased_by": None}
    await connection.execute(update(_deadlines).where(_deadlines.c.leased_by == name).values(free))


async def remove(connection: AsyncConnection, match_id: int, kind: str) -> None:
    """It was carried out."""
    await connection.execute(delete(_deadlines).where(_deadlines.c.match_id == match_id, _deadlines.c.kind == kind))
