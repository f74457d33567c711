"""Serializes transactions that share no row to lock.

SQLite runs one writing transaction at a time. PostgreSQL runs several, so a transaction that decides by what it has
read needs a lock, even if there is no row yet.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from db.model.upserts import SQLITE


def wait_for_turn(transaction: Connection, *what: object) -> None:
    """Take the lock of this name until the transaction ends."""
    if transaction.dialect.name != SQLITE:
        name = " ".join(map(str, what))
        transaction.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
