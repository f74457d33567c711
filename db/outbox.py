"""What has to be told: rows without content, claimed by moving their time on, deleted when told.

A deleted row is one that was told; nothing is kept of it (the log is what happened), so the table stays as small as
what is outstanding. Row numbers never come again: they are the nonces of Discord messages.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update
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


async def put(
    connection: AsyncConnection, match_id: int, ply: int, rows: Collection[tuple[str, int | None]], now: datetime
) -> None:
    """Add rows (kind, seat) in this order, due at once."""
    values = [{"match_id": match_id, "ply": ply, "kind": kind, "seat": seat, "due": now} for kind, seat in rows]
    if values:
        await connection.execute(insert(_outbox), values)


async def drop(connection: AsyncConnection, match_id: int, kinds: Collection[str], *, seat: int | None = None) -> None:
    """Drop what is no longer worth telling (of one seat, or all); who has it leased finds it gone."""
    wanted = (_outbox.c.match_id == match_id) & _outbox.c.kind.in_(kinds)
    if seat is not None:
        wanted &= _outbox.c.seat == seat
    await connection.execute(delete(_outbox).where(wanted))


async def claim(
    connection: AsyncConnection, now: datetime, lease: timedelta, match_id: int | None, limit: int
) -> list[OutboxRow]:
    """Rows that are due, oldest first; nobody else gets them until the lease has run out."""
    wanted = select(_outbox.c.id).where(_outbox.c.due <= now)
    if match_id is not None:
        wanted = wanted.where(_outbox.c.match_id == match_id)
    wanted = wanted.order_by(_outbox.c.id).limit(limit).with_for_update(skip_locked=True)
    columns = (_outbox.c.id, _outbox.c.match_id, _outbox.c.ply, _outbox.c.kind, _outbox.c.seat)
    claimed = update(_outbox).where(_outbox.c.id.in_(wanted)).values(due=now + lease).returning(*columns)
    return sorted(OutboxRow(*row) for row in await connection.execute(claimed))


async def due(connection: AsyncConnection, now: datetime, match_id: int | None) -> bool:
    """Whether anything is to be claimed (asking does not lock the store)."""
    wanted = select(_outbox.c.id).where(_outbox.c.due <= now)
    if match_id is not None:
        wanted = wanted.where(_outbox.c.match_id == match_id)
    return (await connection.execute(wanted.limit(1))).first() is not None


async def told(connection: AsyncConnection, row_id: int) -> None:
    """It was told."""
    await connection.execute(delete(_outbox).where(_outbox.c.id == row_id))


async def postpone(connection: AsyncConnection, row_id: int, until: datetime) -> None:
    """Offer it again from this time on."""
    await connection.execute(update(_outbox).where(_outbox.c.id == row_id).values(due=until))
