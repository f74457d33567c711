"""Queries of everything that is stored about one person, for that person (P36).

They leave out other people's rows, and rating keys. `people.py` has the queries that delete it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, select

from db.features import KEPT, SHOWN
from db.model import schema
from db.model.columns import columns_of, same
from db.model.ids import MatchId, UserId
from db.model.result_rows import Ladder
from db.model.rows import OfMatch
from db.ratings import tables
from db.ratings.tables import PairRow, PointRow, RatingRow
from db.store.transactions import at_length_only

_matches, _seats, _log, _asked = schema.matches, schema.seats, schema.log, schema.applications
_results, _points, _keys = schema.rated_results, tables.rating_points, schema.rating_keys
_ratings, _pairs = tables.ratings, tables.rating_pairs

OF_THE_TABLE: Final = -2
"""The player number of lines that say who has a seat (`games.log.TABLE`)."""

ABOUT: Final = (
    schema.player_settings,
    schema.kept_away,
    schema.bars,
    schema.player_tallies,
    schema.guild_player_tallies,
    schema.rating_keys,
    schema.applications,
    schema.votes,
    schema.outbox,
    schema.forgotten,
    *(each.table for each in KEPT if "user_id" in each.table.columns),
)
"""Tables with a `user_id` of which nobody has very many rows."""

_LEFT_OUT: Final = frozenset(
    {"user_id", "key", "agreed", "declined", "placeholder", "leased_by", "leased_until", "tries", "held", "results"}
)
_OF_MATCH: Final = (
    *(_matches.c[name] for name in ("id", "game", "status", "guild_id", "channel_id", "thread_id", "pace")),
    *(_matches.c[name] for name in ("created_at", "started_at", "ended_at", "ended_by", "rated")),
    *(column for each in SHOWN if each.shown is not None for column in columns_of(each.table, each.shown)),
)
_NAMING: Final = ("invited", "rung")
"""Columns of a match that name people. Of each the file says whether it names this person."""

_OF_SEAT: Final = (
    *(_seats.c[name] for name in ("seat", "name", "resigned", "won", "points", "place", "feat", "finished")),
    *(_seats.c[name] for name in ("computer", "replaced", "helped", "acted", "absent", "deserted", "excused")),
    *(_seats.c[name] for name in ("away_used", "answers", "waits", "ready", "pressed_at", "hand_message_id")),
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
    """Return these matches with the person's seat. The person has a seat there, opened the match, or is invited."""
    own = (_seats.c.match_id == _matches.c.id) & (_seats.c.user_id == user_id)
    hosted = (_matches.c.host_id == user_id).label("opened")
    naming = [_matches.c[name] for name in _NAMING]
    statement = select(*_OF_MATCH, hosted, *naming, *_OF_SEAT).outerjoin(_seats, own)
    for each in SHOWN:
        statement = statement.outerjoin(each.table, each.table.c.match_id == _matches.c.id)
    rows = _rows(connection, statement.where(_matches.c.id.in_(match_ids)).order_by(_matches.c.id))
    for row in rows:
        row |= {name: user_id in row[name] for name in _NAMING}
        for each in SHOWN:
            row |= {} if each.own is None else each.own(row, row["seat"])
    return rows


def lines(connection: Connection, user_id: UserId, match_ids: Collection[MatchId]) -> list[StoredRow]:
    """Return log lines of these matches, as far as they are over: those of the person's seat, and the table's.

    The table's lines say from when on the seat was this person's (`matches.host.privacy`).
    """
    theirs: ColumnElement[bool] = (_seats.c.seat == _log.c.player) | (_log.c.player == OF_THE_TABLE)
    columns = (_log.c.match_id, _log.c.ply, _log.c.action, _log.c.at, _log.c.interaction_id, _log.c.by_order)
    statement = select(*columns, _log.c.player, _seats.c.seat).join(
        _seats, (_seats.c.match_id == _log.c.match_id) & theirs
    )
    wanted = (_seats.c.user_id == user_id) & _seats.c.ended_at.is_not(None) & _log.c.match_id.in_(match_ids)
    return _rows(connection, statement.where(wanted).order_by(_log.c.match_id, _log.c.ply))


def answers(connection: Connection, user_id: UserId, match_ids: Collection[MatchId]) -> list[StoredRow]:
    """Return what the person has answered to others who want a seat in these matches, without saying who they are."""
    statement = select(*columns_of(_asked, OfMatch), _asked.c.seat, _asked.c.agreed, _asked.c.declined)
    rows = _rows(connection, statement.where(_asked.c.match_id.in_(match_ids)).order_by(_asked.c.match_id))
    for row in rows:
        row["agreed"], declined = user_id in row["agreed"], user_id in row.pop("declined")
        row["answered"] = row["agreed"] or declined
    return [row for row in rows if row.pop("answered")]


def results(connection: Connection, rated: Rated, after: int, at_most: int) -> list[StoredRow]:
    """Return a page of the person's rated results after number `after`, with their ratings after each."""
    columns = (*columns_of(_points, Ladder), _points.c.number, _results.c.match_id, _results.c.ended_at)
    statement = select(*columns, *columns_of(_points, PointRow), _results.c.seats).join(
        _results, same(_results, _points, "guild_id", "number")
    )
    mine = (_points.c.guild_id == rated.guild_id) & (_points.c.key == rated.key) & (_points.c.number > after)
    rows = _rows(connection, statement.where(mine).order_by(_points.c.number).limit(at_most))
    for row in rows:
        entrants = [entrant for entrant in row.pop("seats") if entrant.get("key") == rated.key]
        row |= {name: value for entrant in entrants for name, value in entrant.items() if name != "key"}
    return rows


def ratings(connection: Connection, rated: Rated) -> list[StoredRow]:
    """Return the person's ratings on a server."""
    mine = (_ratings.c.guild_id == rated.guild_id) & (_ratings.c.key == rated.key)
    return _rows(connection, select(*columns_of(_ratings, Ladder), *columns_of(_ratings, RatingRow)).where(mine))


def encounters(connection: Connection, rated: Rated) -> list[StoredRow]:
    """Return for everybody that the person has met: the last day, and how often on that day, but not who it was."""
    found: list[StoredRow] = []
    ladders = select(*columns_of(_ratings, Ladder)).where(
        _ratings.c.guild_id == rated.guild_id, _ratings.c.key == rated.key
    )
    for row in connection.execute(ladders).all():
        ladder = Ladder(*row)
        mine = (_pairs.c.key == rated.key) | (_pairs.c.other == rated.key)
        statement = select(*columns_of(_pairs, Ladder), *columns_of(_pairs, PairRow)).where(
            *(_pairs.c[name] == value for name, value in ladder._asdict().items()), mine
        )
        found += _rows(connection, statement.order_by(_pairs.c.day))
    return found


def _rows(connection: Connection, statement: Select[Any]) -> list[StoredRow]:
    return [row._asdict() for row in connection.execute(statement)]
