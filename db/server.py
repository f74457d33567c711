"""What only a server can be asked."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, func, select

from db.model.upserts import SQLITE


def now(transaction: Connection) -> datetime | None:
    """The server's clock at this moment; ``None`` of an SQLite file, which has no other clock than this machine's."""
    if transaction.dialect.name == SQLITE:
        return None
    found: datetime = transaction.execute(select(func.clock_timestamp())).scalar_one()
    return found.astimezone(UTC)
