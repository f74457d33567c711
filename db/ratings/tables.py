"""The tables of ratings, and their row classes. All of it can be recomputed from `rated_results`."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Index

from db.model import schema
from db.model.columns import table
from db.model.result_rows import Ladder, Numbered
from db.model.rows import RatingKey


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


_LADDER: Final = Ladder._fields

# A cache of what follows from `rated_results`: ratings, their history, who has met whom, and by which `scheme` and up
# to which result it was computed.
ratings: Final = table(
    schema.metadata,
    "ratings",
    (Ladder, OfKey, RatingRow),
    (*_LADDER, "key"),
    Index(None, *_LADDER, "mu"),
    Index(None, "guild_id", "key"),
)
rating_points: Final = table(
    schema.metadata,
    "rating_points",
    (Ladder, Numbered, OfKey, PointRow),
    ("guild_id", "number", "key"),
    Index(None, "guild_id", "key", "number"),
    Index(None, *_LADDER),
)
rating_pairs: Final = table(
    schema.metadata,
    "rating_pairs",
    (Ladder, OfPair, PairRow),
    (*_LADDER, *OfPair._fields),
)
ladders: Final = table(schema.metadata, "ladders", (Ladder, CacheState), _LADDER)

CACHE: Final = (ratings, rating_points, rating_pairs, ladders)
"""Tables that can be recomputed from `rated_results`."""
