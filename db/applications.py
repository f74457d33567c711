"""Who would like to take a seat that a computer plays, and who of the table agrees so far (P14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from db import schema

_applications = schema.applications


class ApplicationRow(NamedTuple):
    """A row of `applications`; `agreed` are user ids."""

    match_id: int
    user_id: int
    name: str
    seat: int
    agreed: list[int]


def of_matches(connection: Connection, match_ids: Iterable[int]) -> list[ApplicationRow]:
    """What is open at these tables."""
    wanted = _applications.c.match_id.in_(list(match_ids))
    rows = connection.execute(select(_applications).where(wanted).order_by(_applications.c.user_id))
    return [ApplicationRow(*row) for row in rows]


def put(connection: Connection, row: ApplicationRow) -> None:
    """Somebody applies; an earlier application of the same person for this match is replaced."""
    remove(connection, row.match_id, user_id=row.user_id)
    connection.execute(insert(_applications).values(**row._asdict()))


def agree(connection: Connection, match_id: int, user_id: int, agreed: Iterable[int]) -> None:
    """Who agrees to this person's application now."""
    mine = (_applications.c.match_id == match_id) & (_applications.c.user_id == user_id)
    connection.execute(update(_applications).where(mine).values(agreed=list(agreed)))


def remove(connection: Connection, match_id: int, *, user_id: int | None = None) -> None:
    """Forget one person's application for a match, or all for it."""
    statement = delete(_applications).where(_applications.c.match_id == match_id)
    if user_id is not None:
        statement = statement.where(_applications.c.user_id == user_id)
    connection.execute(statement)
