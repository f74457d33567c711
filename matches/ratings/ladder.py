"""The ratings of one ladder, as they follow from its results one after the other: pure, and the same to the bit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from db.rows import PointRow, RatingRow, ResultRow
from matches.ratings import result
from matches.ratings.model import NEW, Level, computer, rated
from matches.ratings.result import Entrant


class Computed(NamedTuple):
    """Ratings by key, and what each result, by its number, has made of them."""

    ratings: dict[str, RatingRow]
    points: list[tuple[int, str, PointRow]]


def computed(game: str, results: Iterable[tuple[int, ResultRow]]) -> Computed:
    """What all results of a ladder come to, in the order of their numbers, in whatever order they are given."""
    whole = Computed({}, [])
    for number, row in sorted(results, key=lambda numbered: numbered[0]):
        one = after(game, whole.ratings, number, [result.read(seat) for seat in row.seats])
        whole.ratings.update(one.ratings)
        whole.points.extend(one.points)
    return whole


def after(game: str, before: Mapping[str, RatingRow], number: int, entrants: Sequence[Entrant]) -> Computed:
    """What one result makes of the ratings of those who played, as they were `before`.

    Computers stay as they are. Who was helped loses by the result, or stays as they are.
    """
    levels = [_level(game, before, entrant) for entrant in entrants]
    new = rated(levels, [entrant.place for entrant in entrants])
    ratings, points = dict[str, RatingRow](), list[tuple[int, str, PointRow]]()
    for entrant, old, level in zip(entrants, levels, new, strict=True):
        if entrant.key is None:
            continue
        mu, sigma = old if entrant.helped and level.mu > old.mu else level
        known = before.get(entrant.key)
        matches, won = (0, 0) if known is None else (known.matches, known.won)
        gain = mu - old.mu
        ratings[entrant.key] = RatingRow(mu, sigma, matches + 1, won + (entrant.place == 1), gain, number)
        points.append((number, entrant.key, PointRow(mu, sigma, gain, entrant.place)))
    return Computed(ratings, points)


def _level(game: str, before: Mapping[str, RatingRow], entrant: Entrant) -> Level:
    if entrant.key is None:
        assert entrant.level is not None
        return computer(game, entrant.level)
    known = before.get(entrant.key)
    return NEW if known is None else Level(known.mu, known.sigma)
