"""How much of what is rationed is used up, so that nobody does without end what costs others something.

A row is known by a mark alone, salted with a secret of the store, which names neither a person nor what they did; once
all of it has come back it says nothing any more, and goes.
"""

from __future__ import annotations

import hmac
from datetime import datetime

from sqlalchemy import Connection, delete, exists, select, update

from db.model import schema
from db.model.upserts import upsert
from db.upkeep import meta

_allowances = schema.allowances


def used_until(connection: Connection, name: str, now: datetime) -> datetime:
    """When all of this allowance has come back, `now` where none is used; until the commit it is this transaction's."""
    new = {"mark": _mark(connection, name), "until": now}
    statement = upsert(connection.dialect, _allowances, new, lambda _name, old, _new: old)
    found: datetime = connection.execute(statement.returning(_allowances.c.until)).scalar_one()
    return found


def is_used_until(connection: Connection, name: str) -> datetime | None:
    """When all of this allowance comes back, as far as is known; ``None`` where none is used. It only reads."""
    if meta.get(connection, meta.SECRET) is None:
        return None
    mark = _mark(connection, name)
    statement = select(_allowances.c.until).where(_allowances.c.mark == mark)
    found: datetime | None = connection.execute(statement).scalar_one_or_none()
    return found


def use(connection: Connection, name: str, until: datetime) -> None:
    """All of this allowance has come back at this moment."""
    mark = _mark(connection, name)
    connection.execute(update(_allowances).where(_allowances.c.mark == mark).values(until=until))


def has_lapsed(connection: Connection, now: datetime) -> bool:
    """Whether anything has come back that is not forgotten yet."""
    return bool(connection.execute(select(exists().where(_allowances.c.until <= now))).scalar_one())


def lapse(connection: Connection, now: datetime) -> None:
    """Forget what has come back."""
    connection.execute(delete(_allowances).where(_allowances.c.until <= now))


def _mark(connection: Connection, name: str) -> str:
    return hmac.digest(meta.secret(connection).encode(), name.encode(), "sha256").hex()[:32]
