"""Facts about the store itself, by name (for example which slash commands were registered last)."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from db.schema import meta


async def get(connection: AsyncConnection, key: str) -> str | None:
    """The value, ``None`` where there is none."""
    value: str | None = (await connection.execute(select(meta.c.value).where(meta.c.key == key))).scalar_one_or_none()
    return value


async def put(connection: AsyncConnection, key: str, value: str) -> None:
    """Set a value."""
    await connection.execute(delete(meta).where(meta.c.key == key))
    await connection.execute(insert(meta).values(key=key, value=value))
