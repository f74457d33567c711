"""Queries of requests to take a seat that a computer plays, with the table's answers so far (P14)."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, select

from db.model import schema
from db.model.columns import columns_of
from db.model.ids import MatchId, UserId
from db.model.rows import Application
from db.model.upserts import put_row

_applications = schema.applications


def of_matches(connection: Connection, match_ids: Collection[MatchId]) -> dict[int, tuple[Application, ...]]:
    """Return the open requests by match, ordered by person."""
    columns = columns_of(_applications, Application)
    wanted = _applications.c.match_id.in_(match_ids)
    statement = select(_applications.c.match_id, *columns).where(wanted).order_by(_applications.c.user_id)
    found: dict[int, tuple[Application, ...]] = {}
    for number, *row in connection.execute(statement):
        found[number] = (*found.get(number, ()), Application(*row))
    return found


def put(connection: Connection, match_id: MatchId, application: Application) -> None:
    """Insert a request, or replace the person's earlier one for this match."""
    put_row(connection, _applications, {"match_id": match_id, **application._asdict()})


def remove(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
    """Delete a person's request for a match."""
    mine = (_applications.c.match_id == match_id) & (_applications.c.user_id == user_id)
    connection.execute(delete(_applications).where(mine))
