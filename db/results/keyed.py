"""Queries of rating keys, of what has them (rated results, from which ratings can be computed), and of seasons.

A result has only keys, drawn at random for each person and server. `rating_keys` maps them to people until these are
forgotten.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    and_,
    delete,
    false,
    func,
    insert,
    literal,
    select,
    update,
)

from db.model import schema
from db.model.columns import columns_of, same
from db.model.ids import MatchId, UserId
from db.model.rows import Ladder, ResultRow
from db.model.upserts import upsert
from db.store.transactions import at_length_only, wait_for_turn

_keys, _seasons, _results = schema.rating_keys, schema.seasons, schema.rated_results
_seats, _players = schema.seats, schema.player_settings

WITH_SEATS: Final = _results.join(_seats, same(_seats, _results, "match_id"))
"""Results, each with the seats of its match. A seat has the key of whoever began there."""

FIRST_SEASON: Final = 1
KEY_BYTES: Final = 8
RESULTS: Final = "rated results"
"""The lock under which a server's results are numbered and its ratings written."""

STREAMED: Final = {"yield_per": 500}
"""Streams large results: the driver holds few rows at once, and the loop gets turns in between."""


class Known(NamedTuple):
    """The person of a key, their name, and whether they are `hidden` from lists."""

    key: str
    user_id: UserId
    name: str
    hidden: bool

    def is_shown_to(self, viewer: UserId | None) -> bool:
        """Whether `viewer` (``None``: everybody) may see their ratings. People who hide see only their own."""
        return not self.hidden or self.user_id == viewer


class Season(NamedTuple):
    """A season of a server. `begun_at` is ``None`` for the first, which nobody began."""

    number: int
    begun_at: datetime | None


class StoredResult(NamedTuple):
    """A rated result with its ladder and its number on the server."""

    ladder: Ladder
    number: int
    row: ResultRow


# Keys.


def add_keys(
    connection: Connection, guild_id: int, match_id: MatchId, people: Mapping[int, tuple[UserId, str]]
) -> None:
    """Store the keys of a beginning match's people (by position) at their seats; create missing keys."""
    # Sorted by person, so that matches that begin at once with the same people can't deadlock.
    for position, (user_id, name) in sorted(people.items(), key=itemgetter(1)):
        row = {"guild_id": guild_id, "user_id": user_id, "key": secrets.token_hex(KEY_BYTES), "name": name}
        # An existing key stays.
        kept = upsert(connection.dialect, _keys, row, lambda column, old, new: old if column == "key" else new)
        connection.execute(kept)
        own = select(_keys.c.key).where(_keys.c.guild_id == guild_id, _keys.c.user_id == user_id).scalar_subquery()
        seat = (_seats.c.match_id == match_id) & (_seats.c.position == position)
        connection.execute(update(_seats).where(seat).values(key=own))


def keys_of_match(connection: Connection, match_id: MatchId) -> dict[int, str]:
    """Return the keys of the people who began a match, by position."""
    entered = (_seats.c.match_id == match_id) & _seats.c.key.is_not(None)
    rows = connection.execute(select(_seats.c.position, _seats.c.key).where(entered))
    return {row.position: row.key for row in rows}


def known(connection: Connection, guild_id: int, user_id: UserId) -> Known | None:
    """Return what a server's ratings know of a person, ``None`` if they began no match there."""
    row = connection.execute(_KNOWN.where(_keys.c.guild_id == guild_id, _keys.c.user_id == user_id)).one_or_none()
    return None if row is None else Known(*row)


def people_of(connection: Connection, guild_id: int, keys: Collection[str] | None = None) -> dict[str, Known]:
    """Return the people of these keys of a server (default: all), without forgotten ones."""
    wanted = _keys.c.guild_id == guild_id
    if keys is None:
        at_length_only(connection)
    else:
        wanted &= _keys.c.key.in_(keys)
    rows = connection.execute(_KNOWN.where(wanted))
    return {row.key: Known(*row) for row in rows}


def count_finished(connection: Connection, key: str, since: datetime | None = None) -> tuple[int, int]:
    """Count the matches that a person finished, and began, among those that ended (since then) and count for them."""
    at_length_only(connection)
    ended = _seats.c.ended_at.is_not(None) if since is None else _seats.c.ended_at >= since
    statement = select(func.count().filter(_seats.c.finished), func.count())
    row = connection.execute(statement.where(_seats.c.key == key, _seats.c.finished.is_not(None), ended)).one()
    return row[0], row[1]


def first_end_of(connection: Connection, key: str) -> datetime | None:
    """Return when the first match that a person began ended; ``None`` if none has."""
    first = select(func.min(_seats.c.ended_at)).where(_seats.c.key == key)
    found: datetime | None = connection.execute(first).scalar_one()
    return found


def practice_of(key: str) -> Select[int]:
    """Select the numbers of a person's practice results on a server. Nobody else is in them."""
    return select(_results.c.number).select_from(WITH_SEATS).where(_seats.c.key == key, _results.c.practice)


def forget(connection: Connection, user_id: UserId) -> None:
    """Make a person's keys anonymous, and delete their practice results."""
    mine = select(_keys.c.guild_id, _keys.c.key).where(_keys.c.user_id == user_id)
    for guild_id, key in connection.execute(mine).all():
        alone = _results.c.number.in_(practice_of(key))
        connection.execute(delete(_results).where(_results.c.guild_id == guild_id, alone))
    connection.execute(delete(_keys).where(_keys.c.user_id == user_id))


def feats_of(connection: Connection, key: str) -> dict[MatchId, tuple[int, ...]]:
    """Return the numbers of a person's wins by the rules, by match."""
    at_length_only(connection)
    statement = select(_seats.c.match_id, _seats.c.feat).where(_seats.c.key == key, _seats.c.won)
    return {MatchId(number): tuple(feat) for number, feat in connection.execute(statement) if feat}


def answers_of(connection: Connection, key: str, since: datetime) -> list[tuple[int, ...]]:
    """Return how soon a person answered in each match that has ended since then (`matches.results.reliability`)."""
    at_length_only(connection)
    statement = select(_seats.c.answers).where(_seats.c.key == key, _seats.c.ended_at >= since)
    return list(connection.execute(statement).scalars())


# Seasons.


def begin_season(connection: Connection, guild_id: int, now: datetime) -> int:
    """Begin a new season, unless the current one has no result, and return the season's number."""
    number = seasons(connection, guild_id)[-1].number + 1
    present = (_results.c.guild_id == guild_id) & (_results.c.season == number - 1)
    if connection.execute(select(_results.c.number).where(present).limit(1)).first() is None:
        return number - 1
    connection.execute(insert(_seasons).values(guild_id=guild_id, number=number, begun_at=now))
    return number


def seasons(connection: Connection, guild_id: int) -> list[Season]:
    """Return the seasons of a server, the present one last."""
    statement = select(_seasons.c.number, _seasons.c.begun_at).where(_seasons.c.guild_id == guild_id)
    begun = connection.execute(statement.order_by(_seasons.c.number))
    return [Season(FIRST_SEASON, None), *(Season(*each) for each in begun)]


# Results.


def add_result(connection: Connection, ladder: Ladder, result: ResultRow) -> StoredResult:
    """Insert a rated result. Raises IntegrityError if the match has one."""
    wait_for_turn(connection, RESULTS, ladder.guild_id)
    number = latest_of_server(connection, ladder.guild_id) + 1
    connection.execute(insert(_results).values(**ladder._asdict(), number=number, **result._asdict()))
    return StoredResult(ladder, number, result)


def latest_result(connection: Connection, ladder: Ladder, below: int | None = None) -> int:
    """Return the number of a ladder's latest result (`below` a number), 0 if none."""
    earlier = [] if below is None else [_results.c.number < below]
    return connection.execute(latest(on_ladder(_results, ladder), *earlier)).scalar_one()


def count_results(connection: Connection, ladder: Ladder, up_to: int) -> int:
    """Count a ladder's results up to this number."""
    wanted = on_ladder(_results, ladder) & (_results.c.number <= up_to)
    return connection.execute(select(func.count()).select_from(_results).where(wanted)).scalar_one()


def results_of(connection: Connection, ladder: Ladder, above: int = 0) -> list[tuple[int, ResultRow]]:
    """Return a ladder's results with numbers above `above`, with their numbers, in order."""
    at_length_only(connection)
    statement = select(_results.c.number, *columns_of(_results, ResultRow)).where(on_ladder(_results, ladder))
    statement = statement.where(_results.c.number > above).order_by(_results.c.number)
    rows = connection.execute(statement, execution_options=STREAMED)
    return [(number, ResultRow(*row)) for number, *row in rows]


def latest_of_server(connection: Connection, guild_id: int) -> int:
    """Return the number of a server's latest result, 0 if none."""
    return connection.execute(latest(_results.c.guild_id == guild_id)).scalar_one()


def results_page(connection: Connection, guild_id: int, after: int, at_most: int) -> list[StoredResult]:
    """Return a page of a server's results after number `after`, without practice, in order."""
    wanted = (_results.c.guild_id == guild_id) & (_results.c.number > after) & _results.c.practice.is_(False)
    rows = connection.execute(_RESULT.where(wanted).order_by(_results.c.number).limit(at_most))
    return list(map(_stored_result, rows))


def result_of(connection: Connection, match_id: MatchId) -> StoredResult | None:
    """Return the result of a match; ``None`` if it isn't rated."""
    row = connection.execute(_RESULT.where(_results.c.match_id == match_id)).one_or_none()
    return None if row is None else _stored_result(row)


def ladders_of(connection: Connection, guild_id: int) -> list[Ladder]:
    """Return a server's ladders that have a result."""
    at_length_only(connection)
    statement = select(*columns_of(_results, Ladder)).where(_results.c.guild_id == guild_id).distinct()
    return sorted(Ladder(*row) for row in connection.execute(statement))


def busiest_game(connection: Connection, guild_id: int, season: int) -> str | None:
    """Return the game with the most results of a season on a server, without practice."""
    at_length_only(connection)
    of = (_results.c.guild_id == guild_id) & (_results.c.season == season) & _results.c.practice.is_(False)
    statement = select(_results.c.game).where(of).group_by(_results.c.game)
    most = statement.order_by(func.count().desc(), _results.c.game).limit(1)
    found: str | None = connection.execute(most).scalar_one_or_none()
    return found


def latest(*wanted: ColumnElement[bool]) -> Select[int]:
    """Select the number of the latest of these results, 0 if none."""
    return select(func.coalesce(func.max(_results.c.number), 0)).where(*wanted)


def on_ladder(table: FromClause, ladder: Ladder) -> ColumnElement[bool]:
    """Return the condition for rows of this ladder."""
    return and_(*(table.c[name] == literal(value, table.c[name].type) for name, value in ladder._asdict().items()))


def _stored_result(row: Sequence[Any]) -> StoredResult:
    return StoredResult(Ladder(*row[:_LADDER]), row[_LADDER], ResultRow(*row[_LADDER + 1 :]))


_KNOWN: Final = select(
    _keys.c.key, _keys.c.user_id, _keys.c.name, func.coalesce(_players.c.hidden, false()).label("hidden")
).outerjoin(_players, same(_players, _keys, "user_id"))
_LADDER: Final = len(Ladder._fields)
_RESULT: Final = select(*columns_of(_results, Ladder), _results.c.number, *columns_of(_results, ResultRow))
