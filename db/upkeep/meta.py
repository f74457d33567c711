"""Facts about the store itself, by name (for example which slash commands were registered last)."""

from __future__ import annotations

import secrets
from typing import Final

from sqlalchemy import Connection, select

from db.model.schema import meta
from db.model.upserts import upsert


def get(connection: Connection, key: str) -> str | None:
    """The value, ``None`` where there is none."""
    value: str | None = connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar_one_or_none()
    return value


RESTORES: Final = "restores"


def restores(connection: Connection) -> int:
    """How often the store was put back from a backup (`db/upkeep/backup.py`)."""
    return int(get(connection, RESTORES) or 0)


SECRET: Final = "secret"


def secret(connection: Connection) -> str:
    """What marks of people are salted with: drawn once for a store, the same for all its processes and its backups."""
    known = get(connection, SECRET)
    if known is not None:
        return known
    drawn = {"key": SECRET, "value": secrets.token_hex(32)}
    # Where another process was first, its own counts.
    kept = upsert(connection.dialect, meta, drawn, lambda _name, old, _new: old)
    found: str = connection.execute(kept.returning(meta.c.value)).scalar_one()
    return found


def put(connection: Connection, key: str, value: str) -> None:
    """Set a value."""
    connection.execute(upsert(connection.dialect, meta, {"key": key, "value": value}))
