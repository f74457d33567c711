"""What is kept of ratings. All of it can be recomputed from results (`tables`, `ladders`)."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Select, select

from db.model import schema
from db.model.columns import columns_of, same
from db.model.kept import Kept
from db.model.result_rows import Ladder
from db.ratings import ladders
from db.ratings.tables import CACHE, PairRow, PointRow, RatingRow, rating_pairs, rating_points, ratings
from db.results.rated_results import on_ladder

KEY: Final = "ratings"

_results = schema.rated_results

StoredRow = dict[str, Any]
"""A row, by column name."""


def own_ratings(connection: Connection, guild_id: int, key: str, after: int, at_most: int) -> list[StoredRow]:
    """Return the person's ratings on a server."""
    mine = (ratings.c.guild_id == guild_id) & (ratings.c.key == key)
    return _rows(connection, select(*columns_of(ratings, Ladder), *columns_of(ratings, RatingRow)).where(mine))


def own_encounters(connection: Connection, guild_id: int, key: str, after: int, at_most: int) -> list[StoredRow]:
    """Return for everybody that the person has met: the last day, and how often on that day, but not who it was."""
    found: list[StoredRow] = []
    for ladder in ladders.ratings_of_key(connection, guild_id, key):
        mine = (rating_pairs.c.key == key) | (rating_pairs.c.other == key)
        statement = select(*columns_of(rating_pairs, Ladder), *columns_of(rating_pairs, PairRow))
        found += _rows(connection, statement.where(on_ladder(rating_pairs, ladder), mine).order_by(rating_pairs.c.day))
    return found


def own_results(connection: Connection, guild_id: int, key: str, after: int, at_most: int) -> list[StoredRow]:
    """Return a page of the person's rated results after number `after`, with their ratings after each."""
    columns = (*columns_of(rating_points, Ladder), rating_points.c.number, _results.c.match_id, _results.c.ended_at)
    statement = select(*columns, *columns_of(rating_points, PointRow), _results.c.seats).join(
        _results, same(_results, rating_points, "guild_id", "number")
    )
    mine = (rating_points.c.guild_id == guild_id) & (rating_points.c.key == key) & (rating_points.c.number > after)
    rows = _rows(connection, statement.where(mine).order_by(rating_points.c.number).limit(at_most))
    for row in rows:
        entrants = [entrant for entrant in row.pop("seats") if entrant.get("key") == key]
        row |= {name: value for entrant in entrants for name, value in entrant.items() if name != "key"}
    return rows


def _rows(connection: Connection, statement: Select[Any]) -> list[StoredRow]:
    return [row._asdict() for row in connection.execute(statement)]


_OWN: Final = {"ratings": own_ratings, "encounters": own_encounters, "results": own_results}
KEPT: Final = (
    Kept(KEY, ratings, forget=ladders.forget, cached=True, of_key=_OWN),
    *(Kept(KEY, table, cached=True) for table in CACHE[1:]),
)
