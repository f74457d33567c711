"""Things that transactions do one after another although no row of theirs stands for it.

With SQLite one transaction writes at a time. A server lets several write, and whoever reads first and writes what
follows from that needs a lock, also where there is no row to lock yet.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from db.model.upserts import SQLITE


def wait_for_turn(transaction: Connection, *what: object) -> None:
    """From here to its end this transaction is the only one that has waited for its turn at the same thing."""
    if transaction.dialect.name != SQLITE:
        name = " ".join(map(str, what))
        transaction.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
