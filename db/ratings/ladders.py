"""Queries of rating keys, seasons, rated results, and the ratings computed from these.

`rated_results` is the source of truth. `ratings`, `rating_points`, `rating_pairs` and `ladders` are a cache. A result
has only keys, drawn at random for each person and server. `rating_keys` maps them to people until these are forgotten.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Table,
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
from db.model.columns import columns_of, read_row, same
from db.model.ids import MatchId, UserId
from db.model.rating_rows import CacheState, Ladder, OfPair, PairRow, PointRow, RatingRow, ResultRow
from db.model.upserts import put_row, upsert, upsert_rows
from db.store.transactions import at_length_only

_keys, _seasons, _results = schema.rating_keys, schema.seasons, schema.rated_results
_ratings, _points, _pairs, _ladders = schema.RATING_CACHE
_seats, _players = schema.seats, schema.player_settings

_RESULT_KEY: Final = ("guild_id", "number")
FIRST_SEASON: Final = 1
KEY_BYTES: Final = 8
_STREAMED: Final = {"yield_per": 500}
"""Streams large results: the driver holds few rows at once, and the loop gets turns in between."""


class Known(NamedTuple):
    """The person of a key, their name, and whether they are `hidden` from lists."""

    key: str
    user_id: UserId
    name: str
    hidden: bool


class Listed(NamedTuple):
    """A rating and its person, for a list."""

    user_id: UserId
    name: str
    rating: RatingRow


class Point(NamedTuple):
    """A rating after a result, and the result."""

    key: str
    number: int
    match_id: MatchId
    ended_at: datetime
    row: PointRow


class StoredResult(NamedTuple):
    """A rated result with its ladder and its number on the server."""

    ladder: Ladder
    number: int
    row: ResultRow


class Encounter(NamedTuple):
    """A result with two people: the game, and the rank of each."""

    game: str
    mine: int
    theirs: int


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


def forget(connection: Connection, user_id: UserId) -> None:
    """Make a person's keys anonymous, and delete their practice results and ratings."""
    mine = select(_keys.c.guild_id, _keys.c.key).where(_keys.c.user_id == user_id)
    for guild_id, key in connection.execute(mine).all():
        own = (_points.c.guild_id == guild_id) & (_points.c.key == key) & _points.c.practice
        alone = connection.execute(select(_points.c.number).where(own)).scalars().all()
        connection.execute(delete(_results).where(_results.c.guild_id == guild_id, _results.c.number.in_(alone)))
        connection.execute(delete(_points).where(own))
        practice = (_ratings.c.guild_id == guild_id) & (_ratings.c.key == key) & _ratings.c.practice
        connection.execute(delete(_ratings).where(practice))
        # The deleted numbers may be reused, so no ladder may claim to be computed up to one of them.
        left = _latest(same(_results, _ladders, *Ladder._fields), _results.c.number <= _ladders.c.latest)
        connection.execute(
            update(_ladders)
            .where(_ladders.c.guild_id == guild_id, _ladders.c.practice, _ladders.c.latest.in_(alone))
            .values(latest=left.scalar_subquery())
        )
    connection.execute(delete(_keys).where(_keys.c.user_id == user_id))


def feats_of(connection: Connection, key: str) -> dict[MatchId, tuple[int, ...]]:
    """Return the numbers of a person's wins by the rules, by match."""
    at_length_only(connection)
    statement = select(_seats.c.match_id, _seats.c.feat).where(_seats.c.key == key, _seats.c.won)
    return {MatchId(number): tuple(feat) for number, feat in connection.execute(statement) if feat}


def answers_of(connection: Connection, key: str, since: datetime) -> list[tuple[int, ...]]:
    """Return how soon a person answered in each match that has ended since then (`matches.ratings.reliability`)."""
    at_length_only(connection)
    statement = select(_seats.c.answers).where(_seats.c.key == key, _seats.c.ended_at >= since)
    return list(connection.execute(statement).scalars())


# Seasons.


def season_of(connection: Connection, guild_id: int) -> int:
    """Return the number of a server's current season."""
    latest = select(func.max(_seasons.c.number)).where(_seasons.c.guild_id == guild_id)
    return int(connection.execute(latest).scalar_one() or FIRST_SEASON)


def begin_season(connection: Connection, guild_id: int, now: datetime) -> int:
    """Begin a new season, unless the current one has no result, and return the season's number."""
    number = season_of(connection, guild_id) + 1
    present = (_results.c.guild_id == guild_id) & (_results.c.season == number - 1)
    if connection.execute(select(_results.c.number).where(present).limit(1)).first() is None:
        return number - 1
    connection.execute(insert(_seasons).values(guild_id=guild_id, number=number, begun_at=now))
    return number


def seasons(connection: Connection, guild_id: int) -> list[tuple[int, datetime]]:
    """Return the seasons from the second on, and when they began."""
    statement = select(_seasons.c.number, _seasons.c.begun_at).where(_seasons.c.guild_id == guild_id)
    return [(number, begun_at) for number, begun_at in connection.execute(statement.order_by(_seasons.c.number))]


# Results.


def add_result(connection: Connection, ladder: Ladder, result: ResultRow) -> int:
    """Insert a rated result, and return its number. Raises IntegrityError if the match has one."""
    number = latest_of_server(connection, ladder.guild_id) + 1
    connection.execute(insert(_results).values(**ladder._asdict(), number=number, **result._asdict()))
    return number


def latest_result(connection: Connection, ladder: Ladder) -> int:
    """Return the number of a ladder's latest result, 0 if none."""
    return connection.execute(_latest(_same(_results, ladder))).scalar_one()


def count_results(connection: Connection, ladder: Ladder, up_to: int) -> int:
    """Count a ladder's results up to this number."""
    statement = select(func.count()).select_from(_results).where(_same(_results, ladder), _results.c.number <= up_to)
    return int(connection.execute(statement).scalar_one())


def results_of(connection: Connection, ladder: Ladder, above: int = 0) -> list[tuple[int, ResultRow]]:
    """Return a ladder's results with numbers above `above`, with their numbers, in order."""
    at_length_only(connection)
    statement = select(_results.c.number, *columns_of(_results, ResultRow)).where(_same(_results, ladder))
    statement = statement.where(_results.c.number > above).order_by(_results.c.number)
    rows = connection.execute(statement, execution_options=_STREAMED)
    return [(number, ResultRow(*row)) for number, *row in rows]


def latest_of_server(connection: Connection, guild_id: int) -> int:
    """Return the number of a server's latest result, 0 if none."""
    return connection.execute(_latest(_results.c.guild_id == guild_id)).scalar_one()


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


def results_with(connection: Connection, ladder: Ladder, key: str) -> list[ResultRow]:
    """Return a ladder's results in which this key takes part, in order."""
    at_length_only(connection)
    mine = (_points.c.guild_id == ladder.guild_id) & (_points.c.key == key)
    statement = select(*columns_of(_results, ResultRow)).join(_points, same(_points, _results, *_RESULT_KEY))
    rows = connection.execute(statement.where(mine, _same(_points, ladder)).order_by(_points.c.number))
    return [ResultRow(*row) for row in rows]


# The cache.


def cache_state(connection: Connection, ladder: Ladder) -> CacheState | None:
    """Return the scheme and the latest result of a ladder's cache; ``None`` if it is empty."""
    return read_row(connection, _ladders, CacheState, _same(_ladders, ladder))


def set_cache_state(connection: Connection, ladder: Ladder, scheme: int, latest: int) -> None:
    """Store the scheme and the latest result of a ladder's cache."""
    put_row(connection, _ladders, {**ladder._asdict(), "scheme": scheme, "latest": latest})


def clear_cache(connection: Connection, ladder: Ladder) -> None:
    """Clear a ladder's cache."""
    for table in schema.RATING_CACHE:
        connection.execute(delete(table).where(_same(table, ladder)))


def put_ratings(connection: Connection, ladder: Ladder, rows: Mapping[str, RatingRow]) -> None:
    """Store these ratings, by key."""
    of = ladder._asdict()
    _put(connection, _ratings, [{**of, "key": key, **row._asdict()} for key, row in rows.items()])


def put_pairs(connection: Connection, ladder: Ladder, rows: Mapping[tuple[str, str], tuple[int, int]]) -> None:
    """Store when these pairs have met: by `OfPair`, the fields of a `PairRow`."""
    of, names = ladder._asdict(), OfPair._fields + PairRow._fields
    _put(connection, _pairs, [{**of, **dict(zip(names, pair + met, strict=True))} for pair, met in rows.items()])


def pairs_of(connection: Connection, ladder: Ladder, keys: Collection[str]) -> dict[tuple[str, str], tuple[int, int]]:
    """Return when any two of these keys last met, as `put_pairs` takes it. Pairs that never met are left out."""
    both = _pairs.c.key.in_(keys) & _pairs.c.other.in_(keys)
    statement = select(*columns_of(_pairs, OfPair), *columns_of(_pairs, PairRow)).where(_same(_pairs, ladder), both)
    return {(key, other): (day, results) for key, other, day, results in connection.execute(statement)}


def put_points(
    connection: Connection, ladder: Ladder, rows: Iterable[tuple[int, str, float, float, float, int]]
) -> None:
    """Insert ratings after results: the number of each, a key, and the fields of a `PointRow`."""
    names = ("number", "key", *PointRow._fields)
    values = [{**ladder._asdict(), **dict(zip(names, row, strict=True))} for row in rows]
    if values:
        connection.execute(insert(_points), values)


def ratings_of(connection: Connection, ladder: Ladder, keys: Collection[str]) -> dict[str, RatingRow]:
    """Return the ratings of these keys, without those that have none."""
    statement = select(_ratings.c.key, *_RATING).where(_same(_ratings, ladder), _ratings.c.key.in_(keys))
    return {key: RatingRow(*row) for key, *row in connection.execute(statement)}


def all_ratings(connection: Connection, ladder: Ladder) -> dict[str, RatingRow]:
    """Return all ratings of a ladder, by key."""
    at_length_only(connection)
    statement = select(_ratings.c.key, *_RATING).where(_same(_ratings, ladder))
    return {key: RatingRow(*row) for key, *row in connection.execute(statement, execution_options=_STREAMED)}


def ratings_of_key(connection: Connection, guild_id: int, key: str) -> dict[Ladder, RatingRow]:
    """Return all ratings of a key on its server."""
    wanted = (_ratings.c.guild_id == guild_id) & (_ratings.c.key == key)
    rows = connection.execute(select(*columns_of(_ratings, Ladder), *_RATING).where(wanted))
    return {Ladder(*row[:_LADDER]): RatingRow(*row[_LADDER:]) for row in rows}


def listed(
    connection: Connection, ladder: Ladder, least: int, limit: int, offset: int = 0, *, below: int | None = None
) -> list[Listed]:
    """Return a page of a ladder's list, best first: people with `least` matches, neither hidden nor forgotten.

    With `below`, they have fewer matches than that.
    """
    at_length_only(connection)
    statement = (
        select(_keys.c.user_id, _keys.c.name, *_RATING)
        .select_from(_LISTED)
        .where(_is_listed(ladder, least, below))
        .order_by(_ratings.c.mu.desc(), _ratings.c.key)
        .limit(limit)
        .offset(offset)
    )
    return [Listed(UserId(user_id), name, RatingRow(*row)) for user_id, name, *row in connection.execute(statement)]


def count_listed(
    connection: Connection, ladder: Ladder, least: int, above: float | None = None, *, below: int | None = None
) -> int:
    """Count the people in a ladder's list, or only those `above` a rating, or with matches `below` a number."""
    at_length_only(connection)
    statement = select(func.count()).select_from(_LISTED).where(_is_listed(ladder, least, below))
    if above is not None:
        statement = statement.where(_ratings.c.mu > above)
    return int(connection.execute(statement).scalar_one())


def points_of_key(connection: Connection, ladder: Ladder, key: str) -> list[Point]:
    """Return a key's ratings after each result of a ladder, in order."""
    at_length_only(connection)
    mine = (_points.c.guild_id == ladder.guild_id) & (_points.c.key == key)
    return _read_points(connection, _POINTS.where(mine, _same(_points, ladder)).order_by(_points.c.number))


def points_of_result(connection: Connection, guild_id: int, number: int) -> list[Point]:
    """Return the ratings of all players after one result."""
    return _read_points(
        connection, _POINTS.where(_points.c.guild_id == guild_id, _points.c.number == number).order_by(_points.c.place)
    )


def encounters(connection: Connection, guild_id: int, key: str, other: str) -> list[Encounter]:
    """Return the results in which both keys take part, in order."""
    at_length_only(connection)
    theirs = _points.alias("theirs")
    both = same(theirs, _points, *_RESULT_KEY) & (theirs.c.key == other)
    statement = (
        select(_points.c.game, _points.c.place, theirs.c.place)
        .join(theirs, both)
        .where(_points.c.guild_id == guild_id, _points.c.key == key)
        .order_by(_points.c.number)
    )
    return [Encounter(*row) for row in connection.execute(statement)]


def _latest(*wanted: ColumnElement[bool]) -> Select[int]:
    return select(func.coalesce(func.max(_results.c.number), 0)).where(*wanted)


def _put(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        connection.execute(upsert_rows(connection.dialect, table, rows[0].keys()), rows)


def _same(table: FromClause, ladder: Ladder) -> ColumnElement[bool]:
    """Return the condition for rows of this ladder."""
    return and_(*(table.c[name] == literal(value, table.c[name].type) for name, value in ladder._asdict().items()))


def _is_listed(ladder: Ladder, least: int, below: int | None = None) -> ColumnElement[bool]:
    shown = func.coalesce(_players.c.hidden, false()).is_(False)
    wanted = and_(_same(_ratings, ladder), _ratings.c.matches >= least, shown)
    return wanted if below is None else and_(wanted, _ratings.c.matches < below)


def _stored_result(row: Sequence[Any]) -> StoredResult:
    return StoredResult(Ladder(*row[:_LADDER]), row[_LADDER], ResultRow(*row[_LADDER + 1 :]))


def _read_points(connection: Connection, statement: Select[Any]) -> list[Point]:
    return [
        Point(key, number, MatchId(match_id), ended_at, PointRow(*row))
        for key, number, match_id, ended_at, *row in connection.execute(statement)
    ]


_KNOWN: Final = select(
    _keys.c.key, _keys.c.user_id, _keys.c.name, func.coalesce(_players.c.hidden, false()).label("hidden")
).outerjoin(_players, same(_players, _keys, "user_id"))
_LADDER: Final = len(Ladder._fields)
_RESULT: Final = select(*columns_of(_results, Ladder), _results.c.number, *columns_of(_results, ResultRow))
_RATING: Final[Sequence[ColumnElement[Any]]] = columns_of(_ratings, RatingRow)
_LISTED: Final = _ratings.join(_keys, same(_keys, _ratings, "guild_id", "key")).outerjoin(
    _players, same(_players, _keys, "user_id")
)
_POINTS: Final = select(
    _points.c.key, _points.c.number, _results.c.match_id, _results.c.ended_at, *columns_of(_points, PointRow)
).join(_results, same(_points, _results, *_RESULT_KEY))
