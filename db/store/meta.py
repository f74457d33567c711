"""Facts about the store itself, by name (for example which slash commands were registered last), and its clock."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, delete, func, select, update

from db.model.schema import meta
from db.model.upserts import SQLITE, insert_or_read, put_row


def get(connection: Connection, key: str) -> str | None:
    """Return a value, ``None`` if there is none."""
    value: str | None = connection.execute(select(meta.c.value).where(meta.c.key == key)).scalar_one_or_none()
    return value


def beginning_with(connection: Connection, begin: str) -> list[str]:
    """Return the values whose keys begin like this, in the order of the keys."""
    found = select(meta.c.value).where(meta.c.key.startswith(begin, autoescape=True)).order_by(meta.c.key)
    return list(connection.execute(found).scalars())


def remove(connection: Connection, key: str) -> None:
    connection.execute(delete(meta).where(meta.c.key == key))


RESTORES: Final = "restores"


def restores(connection: Connection) -> int:
    """Return how often the store was restored from a backup (`db/upkeep/backup.py`)."""
    return int(get(connection, RESTORES) or 0)


SECRET: Final = "secret"


def secret(connection: Connection) -> str:
    """Return the salt for hashes of people: drawn once per store, the same in all processes and backups."""
    known = get(connection, SECRET)
    if known is not None:
        return known
    drawn = {"key": SECRET, "value": secrets.token_hex(32)}
    # If another process was first, its secret stays.
    found: str = insert_or_read(connection, meta, drawn, "value")
    return found


def put(connection: Connection, key: str, value: str) -> None:
    put_row(connection, meta, {"key": key, "value": value})


def swap(connection: Connection, key: str, old: str, new: str) -> bool:
    """Replace a value, unless it is another one by now. Return whether it was replaced."""
    known = (meta.c.key == key) & (meta.c.value == old)
    return connection.execute(update(meta).where(known).values(value=new)).rowcount == 1


def server_time(transaction: Connection) -> datetime | None:
    """Return the server's clock; ``None`` for an SQLite file, which has no clock of its own."""
    if transaction.dialect.name == SQLITE:
        return None
    found: datetime = transaction.execute(select(func.clock_timestamp())).scalar_one()
    return found.astimezone(UTC)
