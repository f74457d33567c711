"""Queries of matches' logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, case, insert, select

from db.model import schema
from db.model.columns import columns_of
from db.model.ids import MatchId, Ply
from db.model.rows import LineRow

_log = schema.log


class LineAt(NamedTuple):
    """Who wrote a log line, and when.

    `event`: the line's text if the table itself wrote it, else empty. `by_order`: the player had said it in advance.
    """

    player: int
    at: datetime
    event: str = ""
    by_order: bool = False


_BY_TABLE: Final = -2
_LINES: Final = (
    select(*columns_of(_log, LineRow))
    .where(_log.c.match_id == bindparam("match_id"), _log.c.ply >= bindparam("since"))
    .order_by(_log.c.ply)
)
_LINE_AT: Final = (
    _log.c.player,
    _log.c.at,
    case((_log.c.player == _BY_TABLE, _log.c.action), else_=""),
    _log.c.by_order,
)
_INTERACTION: Final = select(_log.c.match_id).where(_log.c.interaction_id == bindparam("interaction_id"))
_WRITE: Final = insert(_log)


def lines(connection: Connection, match_id: MatchId, since: int = 0) -> list[LineRow]:
    """Return the log from line `since` on."""
    rows = connection.execute(_LINES, {"match_id": match_id, "since": since})
    return [LineRow(*row) for row in rows]


def line_times(connection: Connection, match_id: MatchId) -> list[LineAt]:
    """Return who wrote each line of the log, and when, in order."""
    statement = select(*_LINE_AT).where(_log.c.match_id == match_id)
    return [LineAt(*row) for row in connection.execute(statement.order_by(_log.c.ply))]


def was_ordered(connection: Connection, match_id: MatchId, ply: Ply) -> bool:
    """Whether the player of a line had said it in advance. ``False`` if there is no such line."""
    statement = select(_log.c.by_order).where(_log.c.match_id == match_id, _log.c.ply == ply)
    return bool(connection.execute(statement).scalar())


def insert_lines(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert log lines, given as mappings of columns. Raises IntegrityError if one exists."""
    connection.execute(_WRITE, rows)


def match_of_line(connection: Connection, interaction_id: int) -> MatchId | None:
    """Return the match in which this interaction caused a line, ``None`` if it caused none."""
    found = connection.execute(_INTERACTION, {"interaction_id": interaction_id}).scalar_one_or_none()
    return None if found is None else MatchId(found)
