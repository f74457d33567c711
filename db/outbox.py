"""What has to be told: rows without content, claimed by moving their time on, deleted when told.

A deleted row is one that was told; nothing is kept of it (the log is what happened), so the table stays as small as
what is outstanding. Row numbers never come again: they are the nonces of Discord messages.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import Select, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

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


async def put(
    connection: AsyncConnection, match_id: int, ply: int, rows: Collection[tuple[str, int | None]], due: datetime
) -> None:
    """Add rows (kind, seat) in this order, to be told from `due` on."""
    values = [{"match_id": match_id, "ply": ply, "kind": kind, "seat": seat, "due": due} for kind, seat in rows]
    if values:
        await connection.execute(insert(_outbox), values)


async def drop(
    connection: AsyncConnection,
    match_id: int,
    kinds: Collection[str],
    *,
    seat: int | None = None,
    ply: int | None = None,
) -> None:
    """Drop what is no longer worth telling (of one seat or ply, or all); who has it leased finds it gone."""
    wanted = (_outbox.c.match_id == match_id) & _outbox.c.kind.in_(kinds)
    if seat is not None:
        wanted &= _outbox.c.seat == seat
    if ply is not None:
        wanted &= _outbox.c.ply == ply
    await connection.execute(delete(_outbox).where(wanted))


def _due(now: datetime, match_id: int | None) -> Select[tuple[int]]:
    wanted = select(_outbox.c.id).where(or_(_outbox.c.due <= now, _outbox.c.due > now + LONGEST_WAIT))
    return wanted if match_id is None else wanted.where(_outbox.c.match_id == match_id)


async def claim(
    connection: AsyncConnection, now: datetime, lease: timedelta, match_id: int | None, limit: int, name: str
) -> list[OutboxRow]:
    """Rows that are due, oldest first; nobody else gets them until the lease has run out, or who bears this name."""
    wanted = _due(now, match_id)
    wanted = wanted.order_by(_outbox.c.id).limit(limit).with_for_update(skip_locked=True)
    columns = (_outbox.c.id, _outbox.c.match_id, _outbox.c.ply, _outbox.c.kind, _outbox.c.seat)
    leased = {"due": now + lease, "leased_by": name}
    claimed = update(_outbox).where(_outbox.c.id.in_(wanted)).values(leased).returning(*columns)
    return sorted(OutboxRow(*row) for row in await connection.execute(claimed))


async def due(connection: AsyncConnection, now: datetime, match_id: int | None) -> bool:
    """Whether anything is to be claimed (asking does not lock the store)."""
    return (await connection.execute(_due(now, match_id).limit(1))).first() is not None


async def told(connection: AsyncConnection, row_id: int) -> None:
    """It was told."""
    await connection.execute(delete(_outbox).where(_outbox.c.id == row_id))


async def postpone(connection: AsyncConnection, row_id: int, until: datetime) -> None:
    """Offer it again from this time on."""
    await connection.execute(update(_outbox).where(_outbox.c.id == row_id).values(due=until))


async def release(connection: AsyncConnection, name: str, now: datetime) -> None:
    """Whoever bore this name is dead: what he had leased or put off is due at once."""
    await connection.execute(update(_outbox).where(_outbox.c.leased_by == name).values(due=now, leased_by=None))
