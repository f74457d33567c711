"""Queries of used allowances, which limit deeds that are a burden to others.

A row's key is a hash of the allowance's name, salted with a secret of the store. It reveals neither the person nor the
deed. The row is deleted when the allowance is restored in full.
"""

from __future__ import annotations

import hmac
from datetime import datetime

from sqlalchemy import Connection, delete, exists, select, update

from db.model import schema
from db.model.upserts import insert_or_read
from db.store import meta

_allowances = schema.allowances


def lock_used_until(connection: Connection, name: str, now: datetime) -> datetime:
    """Return when this allowance is restored in full (`now` if unused), and lock it until the commit."""
    row = {"mark": _mark(connection, name), "until": now}
    found: datetime = insert_or_read(connection, _allowances, row, "until")
    return found


def used_until(connection: Connection, name: str) -> datetime | None:
    """Return when this allowance is restored in full, ``None`` if unused. This only reads."""
    if meta.get(connection, meta.SECRET) is None:
        return None
    mark = _mark(connection, name)
    statement = select(_allowances.c.until).where(_allowances.c.mark == mark)
    found: datetime | None = connection.execute(statement).scalar_one_or_none()
    return found


def use(connection: Connection, name: str, until: datetime) -> None:
    """Store when this allowance is restored in full."""
    mark = _mark(connection, name)
    connection.execute(update(_allowances).where(_allowances.c.mark == mark).values(until=until))


def has_lapsed(connection: Connection, now: datetime) -> bool:
    """Whether there are rows to delete."""
    return bool(connection.execute(select(exists().where(_allowances.c.until <= now))).scalar_one())


def lapse(connection: Connection, now: datetime) -> None:
    """Delete the rows of restored allowances, except those that other transactions have locked."""
    restored = select(_allowances.c.mark).where(_allowances.c.until <= now).with_for_update(skip_locked=True)
    connection.execute(delete(_allowances).where(_allowances.c.mark.in_(restored)))


def _mark(connection: Connection, name: str) -> str:
    return hmac.digest(meta.secret(connection).encode(), name.encode(), "sha256").hex()[:32]
