"""What has to be told: rows without content, claimed by moving their time on, deleted when told.

A deleted row is one that was told; nothing is kept of it (the log is what happened), so the table stays as small as
what is outstanding. Row numbers never come again: they are the nonces of Discord messages.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, bindparam, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.dml import ReturningUpdate

from db import schema

_outbox = schema.outbox


class OutboxRow(NamedTuple):
    """A row of `outbox`; `kind` is a word of whoever put it there, `seat` whom it concerns."""

    id: int
    match_id: int
    ply: int
    kind: str
    seat: int | None


LONGEST_WAIT: Final = timedelta(minutes=15)
"""No row waits longer than this: one that seems to was put off by a clock that has been set back since."""


_PUT: Final = insert(_outbox)
_DROP: Final = delete(_outbox).where(
    _outbox.c.match_id == bindparam("of_match"), _outbox.c.kind.in_(bindparam("kinds", expanding=True))
)
_TOLD: Final = delete(_outbox).where(_outbox.c.id == bindparam("row_id"))


def _claiming(wanted: Select[int]) -> ReturningUpdate[Any]:
    ours = wanted.order_by(_outbox.c.id).limit(bindparam("at_most")).with_for_update(skip_locked=True)
    leased: dict[str, Any] = {"due": bindparam("until"), "leased_by": bindparam("name")}
    columns = (_outbox.c[name] for name in OutboxRow._fields)
    return update(_outbox).where(_outbox.c.id.in_(ours)).values(leased).returning(*columns)


_DUE: Final = select(_outbox.c.id).where(
    or_(_outbox.c.due <= bindparam("now"), _outbox.c.due > bindparam("put_off", type_=schema.Moment))
)
_DUE_OF_MATCH: Final = _DUE.where(_outbox.c.match_id == bindparam("of_match"))
_IS_DUE, _IS_DUE_OF_MATCH = _DUE.limit(1), _DUE_OF_MATCH.limit(1)
_CLAIM, _CLAIM_OF_MATCH = _claiming(_DUE), _claiming(_DUE_OF_MATCH)


async def put(
    connection: AsyncConnection, match_id: int, ply: int, rows: Collection[tuple[str, int | None]], due: datetime
) -> None:
    """Add rows (kind, seat) in this order, to be told from `due` on."""
    values = [{"match_id": match_id, "ply": ply, "kind": kind, "seat": seat, "due": due} for kind, seat in rows]
    if values:
        await connection.execute(_PUT, values)


async def drop(
    connection: AsyncConnection,
    match_id: int,
    kinds: Collection[str],
    *,
    seat: int | None = None,
    ply: int | None = None,
) -> None:
    """Drop what is no longer worth telling (of one seat or ply, or all); who has it leased finds it gone."""
    statement = _DROP
    if seat is not None:
        statement = statement.where(_outbox.c.seat == seat)
    if ply is not None:
        statement = statement.where(_outbox.c.ply == ply)
    await connection.execute(statement, {"of_match": match_id, "kinds": list(kinds)})


async def claim(
    connection: AsyncConnection, now: datetime, lease: timedelta, match_id: int | None, limit: int, name: str
) -> list[OutboxRow]:
    """Rows that are due, oldest first; nobody else gets them until the lease has run out, or who bears this name."""
    statement = _CLAIM if match_id is None else _CLAIM_OF_MATCH
    values = {**_moment(now, match_id), "at_most": limit, "until": now + lease, "name": name}
    return sorted(OutboxRow(*row) for row in await connection.execute(statement, values))


async def due(connection: AsyncConnection, now: datetime, match_id: int | None) -> bool:
    """Whether anything is to be claimed (asking does not lock the store)."""
    statement = _IS_DUE if match_id is None else _IS_DUE_OF_MATCH
    return (await connection.execute(statement, _moment(now, match_id))).first() is not None


def _moment(now: datetime, match_id: int | None) -> dict[str, Any]:
    values: dict[str, Any] = {"now": now, "put_off": now + LONGEST_WAIT}
    return values if match_id is None else {**values, "of_match": match_id}


async def told(connection: AsyncConnection, row_id: int) -> None:
    """It was told."""
    await connection.execute(_TOLD, {"row_id": row_id})


async def postpone(connection: AsyncConnection, row_id: int, until: datetime) -> None:
    """Offer it again from this time on."""
    await connection.execute(update(_outbox).where(_outbox.c.id == row_id).values(due=until))


async def release(connection: AsyncConnection, name: str, now: datetime) -> None:
    """Whoever bore this name is dead: what he had leased or put off is due at once."""
    await connection.execute(update(_outbox).where(_outbox.c.leased_by == name).values(due=now, leased_by=None))
