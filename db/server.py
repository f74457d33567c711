"""A query that only a server can answer."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, func, select

from db.model.upserts import SQLITE


def now(transaction: Connection) -> datetime | None:
    """Return the server's clock; ``None`` for an SQLite file, which has no clock of its own."""
    if transaction.dialect.name == SQLITE:
        return None
    found: datetime = transaction.execute(select(func.clock_timestamp())).scalar_one()
    return found.astimezone(UTC)
