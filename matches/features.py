"""The features: what people can do beside a match. `FEATURES` is the only list of them.

`db/features.py` lists what they keep.
"""

from __future__ import annotations

from typing import Final

from games.core import Suspicion
from matches import appointments, lessons, orders, pledges, puzzles, ratings, review, suspicions
from matches.records.match import Match
from matches.table.feature import Feature, Start, Unowned, first
from matches.table.value import Table

FEATURES: Final[tuple[Feature[Table], ...]] = (
    appointments.FEATURE,
    lessons.FEATURE,
    orders.FEATURE,
    pledges.FEATURE,
    puzzles.FEATURE,
    ratings.FEATURE,
    review.FEATURE,
    suspicions.FEATURE,
)


def start_of(match: Match) -> Start[Table] | None:
    """Return how a lobby starts that has an appointed time, ``None`` for any other match."""
    return first(each.start(match) for each in FEATURES)


def said(match: Match) -> tuple[Suspicion, ...]:
    """Return what players have said of each other, in order. Pictures, replays and reviews show it."""
    return tuple(word for feature in FEATURES for word in feature.said(match))


def unowned_of(match: Match) -> Unowned[Table] | None:
    """Return how a lobby starts that nobody has opened, ``None`` for any other match."""
    return first(each.unowned(match) for each in FEATURES)
