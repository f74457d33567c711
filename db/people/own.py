"""Queries of everything that is stored about one person, for that person (P36).

They leave out other people's rows, and rating keys.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, select

from db.model import schema
from db.model.columns import columns_of, same
from db.model.ids import MatchId, UserId
from db.model.rows import Ladder, PointRow
from db.store.transactions import at_length_only

_matches, _seats, _log = schema.matches, schema.seats, schema.log
_results, _points, _keys = schema.rated_results, schema.rating_points, schema.rating_keys

ABOUT: Final = (
    schema.player_settings,
    schema.lessons,
    schema.kept_away,
    schema.bars,
    schema.player_tallies,
    schema.guild_player_tallies,
    schema.rating_keys,
    schema.applications,
    schema.votes,
)
"""Tables with a `user_id` of which nobody has very many rows."""

_LEFT_OUT: Final = frozenset({"user_id", "key", "agreed", "placeholder"})
_OF_MATCH: Final = (
    *(_matches.c[name] for name in ("id", "game", "status", "guild_id", "channel_id", "thread_id", "pace")),
    *(_matches.c[name] for name in ("created_at", "started_at", "ended_at", "ended_by", "rated")),
)
_SAID: Final = _matches.c.suspicions
_OF_SEAT: Final = (
    *(_seats.c[name] for name in ("seat", "name", "resigned", "won", "points", "place", "feat")),
    *(_seats.c[name] for name in ("helped", "away_used", "answers")),
)

StoredRow = dict[str, Any]
"""A row, by column name."""


class Rated(NamedTuple):
    """A server that rates the person, and their key there."""

    guild_id: int
    key: str


def about(connection: Connection, user_id: UserId) -> dict[str, list[StoredRow]]:
    """Return the person's rows in the tables `ABOUT`, by table name."""
    at_length_only(connection)
    found = {}
    for table in ABOUT:
        columns = [column for column in table.columns if column.name not in _LEFT_OUT]
        rows = _rows(connection, select(*columns).where(table.c.user_id == user_id))
        if rows:
            found[table.name] = rows
    return found


def ratings_of(connection: Connection, user_id: UserId) -> list[Rated]:
    """Return where the person is rated."""
    rows = connection.execute(select(_keys.c.guild_id, _keys.c.key).where(_keys.c.user_id == user_id))
    return [Rated(*row) for row in rows]


def matches(connection: Connection, user_id: UserId, match_ids: Collection[MatchId]) -> list[StoredRow]:
    """Return these matches with the person's seat. They have a seat there, or have opened it."""
    own = (_seats.c.match_id == _matches.c.id) & (_seats.c.user_id == user_id)
    hosted = (_matches.c.host_id == user_id).label("opened")
    statement = select(*_OF_MATCH, hosted, _SAID, *_OF_SEAT).outerjoin(_seats, own).where(_matches.c.id.in_(match_ids))
    rows = _rows(connection, statement.order_by(_matches.c.id))
    for row in rows:
        # Each begins with the number of the seat that said it.
        row[_SAID.name] = [text for text in row[_SAID.name] if text.split(" ")[0] == str(row["seat"])]
    return rows


def moves(connection: Connection, user_id: UserId, match_ids: Collection[MatchId]) -> list[StoredRow]:
    """Return the moves at the person's seat in those of these matches that are over."""
    over: ColumnElement[bool] = (_seats.c.match_id == _log.c.match_id) & (_seats.c.seat == _log.c.player)
    statement = select(_log.c.match_id, _log.c.ply, _log.c.action, _log.c.at).join(_seats, over)
    wanted = (_seats.c.user_id == user_id) & _seats.c.ended_at.is_not(None) & _log.c.match_id.in_(match_ids)
    return _rows(connection, statement.where(wanted).order_by(_log.c.match_id, _log.c.ply))


def results(connection: Connection, rated: Rated, after: int, at_most: int) -> list[StoredRow]:
    """Return a page of the person's rated results after number `after`, with their ratings after each."""
    columns = (*columns_of(_points, Ladder), _points.c.number, _results.c.match_id, _results.c.ended_at)
    statement = select(*columns, *columns_of(_points, PointRow)).join(
        _results, same(_results, _points, "guild_id", "number")
    )
    mine = (_points.c.guild_id == rated.guild_id) & (_points.c.key == rated.key) & (_points.c.number > after)
    return _rows(connection, statement.where(mine).order_by(_points.c.number).limit(at_most))


def _rows(connection: Connection, statement: Select[Any]) -> list[StoredRow]:
    return [row._asdict() for row in connection.execute(statement)]
