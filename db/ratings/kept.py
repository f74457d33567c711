"""What is kept of ratings: how good people are, how they came to it, and who has met whom.

All of it can be computed again from rated results (`db/results/keyed.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Index,
    Select,
    String,
    Table,
    and_,
    cast,
    delete,
    false,
    func,
    insert,
    select,
    update,
)

from db.model import schema
from db.model.columns import columns_of, read_row, same, table
from db.model.ids import MatchId, UserId
from db.model.kept import Kept
from db.model.rows import Ladder, Numbered, RatingKey, ResultRow
from db.model.schema import metadata
from db.model.upserts import put_row, upsert_rows
from db.results.keyed import STREAMED, WITH_SEATS, latest, on_ladder, practice_of
from db.store.transactions import at_length_only


class OfKey(NamedTuple):
    """The rating key of the person that a row is about."""

    key: RatingKey


class RatingRow(NamedTuple):
    """A current rating: mean, deviation, matches behind it, and the last change of the mean (`gain`).

    `met` counts the people rated against this person on the ladder. `from_new` and `from_few` are the net points from
    accounts that had met few people by then (`matches.ratings.ladder`).
    """

    mu: float
    sigma: float
    matches: int
    won: int
    gain: float
    latest: int
    met: int = 0
    from_new: float = 0.0
    from_few: float = 0.0


class OfPair(NamedTuple):
    """Two people rated against each other. `key` sorts before `other`."""

    key: RatingKey
    other: RatingKey


class PairRow(NamedTuple):
    """The UTC day of a pair's latest result (a proleptic ordinal), and how many results they have on that day."""

    day: int
    results: int


class PointRow(NamedTuple):
    """A rating after a result. `gain` is the change of the mean, `place` the rank in the result."""

    mu: float
    sigma: float
    gain: float
    place: int


class CacheState(NamedTuple):
    """How far a ladder's cache is computed: by this `scheme` of ratings, up to its `latest` result."""

    scheme: int
    latest: int


# A cache of what follows from `rated_results`: ratings, their history, who has met whom, and by which `scheme` and up
# to which result it was computed.
_ratings: Final = table(
    metadata,
    "ratings",
    (Ladder, OfKey, RatingRow),
    (*Ladder._fields, "key"),
    Index(None, *Ladder._fields, "mu"),
    Index(None, "guild_id", "key"),
)
_points: Final = table(
    metadata,
    "rating_points",
    (Ladder, Numbered, OfKey, PointRow),
    ("guild_id", "number", "key"),
    Index(None, "guild_id", "key", "number"),
    Index(None, *Ladder._fields),
)
_pairs: Final = table(metadata, "rating_pairs", (Ladder, OfPair, PairRow), (*Ladder._fields, *OfPair._fields))
_ladders: Final = table(metadata, "ladders", (Ladder, CacheState), Ladder._fields)
_CACHE: Final = (_ratings, _points, _pairs, _ladders)
_keys, _results, _players = schema.rating_keys, schema.rated_results, schema.player_settings

_RESULT_KEY: Final = ("guild_id", "number")
_OF_RESULT: Final = same(_points, _results, *_RESULT_KEY)

StoredRow = dict[str, Any]
"""A row, by column name."""


Listed: TypeAlias = tuple[UserId, str, RatingRow]
"""A person and their name, for a list, with their rating."""


class Point(NamedTuple):
    """A rating after a result, and the result."""

    key: str
    number: int
    match_id: MatchId
    ended_at: datetime
    row: PointRow


class Encounters(NamedTuple):
    """The results in which two people take part: how many, and in how many the first came in before, and after."""

    together: int
    before: int
    after: int


def results_with(connection: Connection, ladder: Ladder, key: str) -> list[ResultRow]:
    """Return a ladder's results in which this key takes part, in order."""
    at_length_only(connection)
    mine = (_points.c.guild_id == ladder.guild_id) & (_points.c.key == key)
    statement = select(*columns_of(_results, ResultRow)).join(_points, _OF_RESULT)
    rows = connection.execute(statement.where(mine, on_ladder(_points, ladder)).order_by(_points.c.number))
    return [ResultRow(*row) for row in rows]


def cache_state(connection: Connection, ladder: Ladder) -> CacheState | None:
    """Return the scheme and the latest result of a ladder's cache; ``None`` if it is empty."""
    return read_row(connection, _ladders, CacheState, on_ladder(_ladders, ladder))


def set_cache_state(connection: Connection, ladder: Ladder, scheme: int, latest: int) -> None:
    """Store the scheme and the latest result of a ladder's cache."""
    put_row(connection, _ladders, {**ladder._asdict(), "scheme": scheme, "latest": latest})


def clear_cache(connection: Connection, ladder: Ladder) -> None:
    """Clear a ladder's cache."""
    for each in _CACHE:
        connection.execute(delete(each).where(on_ladder(each, ladder)))


def forget(connection: Connection, user_id: UserId) -> None:
    """Delete a person's practice ratings, before their keys become anonymous."""
    mine = select(_keys.c.guild_id, _keys.c.key).where(_keys.c.user_id == user_id)
    for guild_id, key in connection.execute(mine).all():
        for each in (_points, _ratings):
            own = (each.c.guild_id == guild_id) & (each.c.key == key) & each.c.practice
            connection.execute(delete(each).where(own))
        # The numbers of deleted results may be reused, so no ladder may claim to be computed up to one of them.
        alone, number = practice_of(key), _results.c.number
        up_to = (_ladders.c.guild_id == guild_id) & _ladders.c.practice & _ladders.c.latest.in_(alone)
        same_ladder = same(_results, _ladders, *Ladder._fields)
        left = latest(same_ladder, number <= _ladders.c.latest, number.not_in(alone)).scalar_subquery()
        connection.execute(update(_ladders).where(up_to).values(latest=left))


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
    statement = select(*columns_of(_pairs, OfPair), *columns_of(_pairs, PairRow)).where(on_ladder(_pairs, ladder), both)
    return {(key, other): (day, results) for key, other, day, results in connection.execute(statement)}


def put_points(connection: Connection, ladder: Ladder, rows: Iterable[tuple[object, ...]]) -> None:
    """Insert ratings after results: the number of each, a key, and the fields of a `PointRow`."""
    names = ("number", "key", *PointRow._fields)
    values = [{**ladder._asdict(), **dict(zip(names, row, strict=True))} for row in rows]
    if values:
        connection.execute(insert(_points), values)


def ratings_of(connection: Connection, ladder: Ladder, keys: Collection[str]) -> dict[str, RatingRow]:
    """Return the ratings of these keys, without those that have none."""
    statement = select(_ratings.c.key, *_RATING).where(on_ladder(_ratings, ladder), _ratings.c.key.in_(keys))
    return {key: RatingRow(*row) for key, *row in connection.execute(statement)}


def all_ratings(connection: Connection, ladder: Ladder) -> dict[str, RatingRow]:
    """Return all ratings of a ladder, by key."""
    at_length_only(connection)
    statement = select(_ratings.c.key, *_RATING).where(on_ladder(_ratings, ladder))
    return {key: RatingRow(*row) for key, *row in connection.execute(statement, execution_options=STREAMED)}


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
    statement = select(_keys.c.user_id, _keys.c.name, *_RATING).select_from(_LISTED)
    ordered = statement.where(_is_listed(ladder, least, below)).order_by(_ratings.c.mu.desc(), _ratings.c.key)
    rows = connection.execute(ordered.limit(limit).offset(offset))
    return [(UserId(user_id), name, RatingRow(*row)) for user_id, name, *row in rows]


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
    return _read_points(connection, _POINTS.where(mine, on_ladder(_points, ladder)).order_by(_points.c.number))


def points_of_result(connection: Connection, guild_id: int, number: int) -> list[Point]:
    """Return the ratings of all players after one result."""
    wanted = (_points.c.guild_id == guild_id) & (_points.c.number == number)
    return _read_points(connection, _POINTS.where(wanted).order_by(_points.c.place))


def encounters(connection: Connection, guild_id: int, key: str, other: str) -> Encounters:
    """Count the results in which both keys take part."""
    at_length_only(connection)
    theirs = _points.alias("theirs")
    both = same(theirs, _points, *_RESULT_KEY) & (theirs.c.key == other)
    before, after = (
        func.count().filter(placed) for placed in (_points.c.place < theirs.c.place, _points.c.place > theirs.c.place)
    )
    counts = select(func.count(), before, after).select_from(_points)
    statement = counts.join(theirs, both).where(_points.c.guild_id == guild_id, _points.c.key == key)
    return Encounters(*connection.execute(statement).one())


def _put(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        connection.execute(upsert_rows(connection.dialect, table, rows[0].keys()), rows)


def _is_listed(ladder: Ladder, least: int, below: int | None = None) -> ColumnElement[bool]:
    shown = func.coalesce(_players.c.hidden, false()).is_(False)
    wanted = and_(on_ladder(_ratings, ladder), _ratings.c.matches >= least, shown)
    return wanted if below is None else and_(wanted, _ratings.c.matches < below)


def _read_points(connection: Connection, statement: Select[Any]) -> list[Point]:
    return [
        Point(key, number, MatchId(match_id), ended_at, PointRow(*row))
        for key, number, match_id, ended_at, *row in connection.execute(statement)
    ]


def own_ratings(connection: Connection, guild_id: int, key: str, after: int, at_most: int) -> list[StoredRow]:
    """Return the person's ratings on a server."""
    return [of._asdict() | row._asdict() for of, row in ratings_of_key(connection, guild_id, key).items()]


def own_encounters(connection: Connection, guild_id: int, key: str, after: int, at_most: int) -> list[StoredRow]:
    """Return for everybody that the person has met: the last day, and how often on that day, but not who it was."""
    found: list[StoredRow] = []
    for ladder in ratings_of_key(connection, guild_id, key):
        mine = (_pairs.c.key == key) | (_pairs.c.other == key)
        statement = select(*columns_of(_pairs, Ladder), *columns_of(_pairs, PairRow))
        rows = connection.execute(statement.where(on_ladder(_pairs, ladder), mine).order_by(_pairs.c.day))
        found += [row._asdict() for row in rows]
    return found


def own_results(connection: Connection, guild_id: int, key: str, after: int, at_most: int) -> list[StoredRow]:
    """Return a page of the person's results after number `after`, with their ratings after each that was rated."""
    at_length_only(connection)
    number, named = _results.c.number, cast(_results.c.seats, String).contains(key)
    columns = (*columns_of(_results, Ladder), number, _results.c.match_id, _results.c.ended_at, _results.c.seats)
    statement = select(*columns, *columns_of(_points, PointRow)).where(_results.c.guild_id == guild_id, named)
    rated = WITH_SEATS.outerjoin(_points, _OF_RESULT & (_points.c.key == key))
    mine = statement.select_from(rated).where(schema.seats.c.key == key, number > after)
    rows = [row._asdict() for row in connection.execute(mine.order_by(number).limit(at_most))]
    for row in rows:
        entrants = [entrant for entrant in row.pop("seats") if entrant.get("key") == key]
        row |= {name: value for entrant in entrants for name, value in entrant.items() if name != "key"}
    return rows


_LADDER: Final = len(Ladder._fields)
_RATING: Final[Sequence[ColumnElement[Any]]] = columns_of(_ratings, RatingRow)
_OF_PEOPLE: Final = _ratings.join(_keys, same(_keys, _ratings, "guild_id", "key"))
_LISTED: Final = _OF_PEOPLE.outerjoin(_players, same(_players, _keys, "user_id"))
_OF_POINT: Final = (_points.c.key, _points.c.number, _results.c.match_id, _results.c.ended_at)
_POINTS: Final = select(*_OF_POINT, *columns_of(_points, PointRow)).join(_results, _OF_RESULT)
_OWN: Final = {"ratings": own_ratings, "encounters": own_encounters, "results": own_results}
KEPT: Final = (
    Kept("ratings", _ratings, forget=forget, cached=True, of_key=_OWN),
    *(Kept("ratings", each, cached=True) for each in (_points, _pairs, _ladders)),
)
