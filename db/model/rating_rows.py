"""Row classes of ratings. Each field is a column (see `rows`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from sqlalchemy import String

from db.model.columns import ColumnOptions, RowId
from db.model.ids import MatchId
from db.model.rows import DiscordId, RatingKey


class Ladder(NamedTuple):
    """What has ratings of its own: a game on a server in a season. `practice` is playing against computers only."""

    guild_id: DiscordId
    game: Annotated[str, ColumnOptions(type=String(32))]
    season: int
    practice: bool


class Numbered(NamedTuple):
    """The number of a result on its server, in the order of storing. Clocks don't matter."""

    number: int


class ResultRow(NamedTuple):
    """A rated result. `seats` are the entrants, as `matches.ratings.result` encodes them."""

    match_id: Annotated[MatchId, ColumnOptions(type=RowId, unique=True)]
    ended_at: datetime
    seats: tuple[Mapping[str, Any], ...]


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
