"""The ratings of one ladder, as they follow from its results one after the other: pure, and the same to the bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from db.ratings import PointOf
from db.rows import RatingRow
from matches.ratings import result
from matches.ratings.model import NEW, Level, computer, rated
from matches.ratings.result import Entrant

Seats: TypeAlias = Sequence[Mapping[str, Any]]
"""The entrants of a result, as they are stored."""


class Computed(NamedTuple):
    """Ratings by key, and what each result, by its number, has made of them."""

    ratings: dict[str, RatingRow]
    points: list[PointOf]


def computed(game: str, results: Iterable[tuple[int, Seats]]) -> Computed:
    """What all results of a ladder come to, in the order of their numbers, in whatever order they are given."""
    whole = Computed({}, [])
    for number, seats in sorted(results, key=itemgetter(0)):
        one = after(game, whole.ratings, number, list(map(result.read, seats)))
        whole.ratings.update(one.ratings)
        whole.points.extend(one.points)
    return whole


def after(game: str, before: Mapping[str, RatingRow], number: int, entrants: Sequence[Entrant]) -> Computed:
    """What one result makes of the ratings of those who played, as they were `before`.

    Computers stay as they are. Who was helped loses by the result, or stays as they are.
    """
    known = [before.get(entrant.key or "") for entrant in entrants]
    old = [_level(game, entrant, row) for entrant, row in zip(entrants, known, strict=True)]
    new = rated(old, [entrant.place for entrant in entrants])
    ratings, points = dict[str, RatingRow](), list[PointOf]()
    for (place, key, _, helped, *_), row, was, level in zip(entrants, known, old, new, strict=True):
        if key is None:
            continue
        mu, sigma = was if helped and level.mu > was.mu else level
        matches, won = (0, 0) if row is None else (row.matches, row.won)
        gain = mu - was.mu
        ratings[key] = RatingRow(mu, sigma, matches + 1, won + (place == 1), gain, number)
        points.append((number, key, mu, sigma, gain, place))
    return Computed(ratings, points)


def _level(game: str, entrant: Entrant, known: RatingRow | None) -> Level:
    if entrant.level is not None:
        return computer(game, entrant.level)
    return NEW if known is None else Level(known.mu, known.sigma)
