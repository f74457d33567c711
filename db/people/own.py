"""Queries of everything that is stored about one person, for that person (P36).

They leave out other people's rows, and rating keys. `people.py` has the queries that delete it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, select

from db.features import KEPT, SHOWN
from db.model import schema
from db.model.columns import columns_of
from db.model.ids import MatchId, UserId
from db.model.rows import OfMatch
from db.store.transactions import at_length_only

_matches, _seats, _log, _asked = schema.matches, schema.seats, schema.log, schema.applications
_keys = schema.rating_keys

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


def keys_of(connection: Connection, user_id: UserId) -> list[tuple[int, str]]:
    """Return the person's keys, each with its server."""
    rows = connection.execute(select(_keys.c.guild_id, _keys.c.key).where(_keys.c.user_id == user_id))
    return [(guild_id, key) for guild_id, key in rows]


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


def _rows(connection: Connection, statement: Select[Any]) -> list[StoredRow]:
    return [row._asdict() for row in connection.execute(statement)]
