"""Compute the ratings of a ladder from its results, one after the other: pure functions, reproducible to the bit.

Each result has a weight (``docs/ratings.md``, "How much a result counts"), so that accounts can't feed each other. The
weight belongs to a pair of people, and is the same for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from db.model.rating_rows import OfPair, PairRow, RatingRow
from db.ratings.ladders import PointOf
from matches.ratings import result
from matches.ratings.model import DIGITS, NEW, Level, computer, rated
from matches.ratings.result import Entrant, Result

NEW_BELOW: Final = 2
"""An account is new while it has met fewer people than this on the ladder."""

FROM_NEW: Final = 40.0
"""Net points that one person can gain from all new accounts together."""

FEW_BELOW: Final = 6
"""An account belongs to a small circle while it has met fewer people than this on the ladder."""

FROM_FEW: Final = 140.0
"""Net points that one person can gain from all accounts of small circles together, including new accounts."""

Share: TypeAlias = tuple[int, float]
"""What an opponent contributes to a change of rating: how many people they have met, and the weight of the pair."""


class Computed(NamedTuple):
    """Ratings by key, the points after each result, and who has met whom."""

    ratings: dict[str, RatingRow]
    points: list[PointOf]
    pairs: dict[OfPair, PairRow]


def computed(game: str, results: Iterable[Result], behind: Computed | None = None) -> Computed:
    """Compute the ratings after these results, which are sorted by number first.

    `behind` holds the ratings after all earlier results, if there are any. It is extended in place and returned.
    """
    whole = Computed({}, [], {}) if behind is None else behind
    for one in sorted(results, key=itemgetter(0)):
        found = after(game, whole.ratings, whole.pairs, one)
        whole.ratings.update(found.ratings)
        whole.points.extend(found.points)
        whole.pairs.update(found.pairs)
    return whole


def after(game: str, before: Mapping[str, RatingRow], pairs: Mapping[OfPair, PairRow], one: Result) -> Computed:
    """Return the new ratings and pairs of the people who played. `before` and `pairs` hold the old ones.

    The ratings of computers never change. The rating of a person who had help can fall, but not rise.
    """
    entrants = list(map(result.read, one.seats))
    rows = [before.get(entrant.key or "", _BLANK) for entrant in entrants]
    old = [_level(game, entrant, row) for entrant, row in zip(entrants, rows, strict=True)]
    absent = frozenset(seat for seat, entrant in enumerate(entrants) if entrant.absent)
    if len(absent) == len(entrants):
        absent = _NOBODY
    new = _rated(old, entrants, absent)
    moves = [
        0.0 if entrant.helped and level.mu > was.mu else level.mu - was.mu
        for entrant, was, level in zip(entrants, old, new, strict=True)
    ]
    met, counted, shares = _shares(entrants, absent, rows, moves, pairs, one.day.toordinal())
    ratings, points = dict[str, RatingRow](), list[PointOf]()
    for seat, (place, key, _, helped, _, _) in enumerate(entrants):
        if key is None:
            continue
        row, was, level, mine = rows[seat], old[seat], new[seat], shares[seat]
        mu, sigma, from_new, from_few = was.mu, was.sigma, row.from_new, row.from_few
        if not helped or level.mu <= was.mu:
            weight, of_new, of_few = _together(mine)
            mu, sigma = level
            if weight != 1.0:
                mu = round(was.mu + weight * moves[seat], DIGITS)
                sigma = round(was.sigma + weight * (level.sigma - was.sigma), DIGITS)
            if of_few:
                from_new = round(from_new + of_new * moves[seat], DIGITS)
                from_few = round(from_few + of_few * moves[seat], DIGITS)
        gain, won = mu - was.mu, row.won + (place == 1)
        ratings[key] = RatingRow(mu, sigma, row.matches + 1, won, gain, one.number, met[seat], from_new, from_few)
        points.append((one.number, key, mu, sigma, gain, place))
    return Computed(ratings, points, counted)


def _rated(old: Sequence[Level], entrants: Sequence[Entrant], absent: frozenset[int]) -> list[Level]:
    """Return the ratings by place. If an absence ended the match, everybody else is rated against the absent only.

    The absent come last, as if they had resigned.
    """
    new = rated(old, [entrant.place for entrant in entrants])
    for seat in range(len(entrants)) if absent else ():
        if seat not in absent:
            levels = [old[seat], *(old[other] for other in sorted(absent))]
            new[seat] = rated(levels, [1, *(2 for _ in absent)])[0]
    return new


def _shares(
    entrants: Sequence[Entrant],
    absent: frozenset[int],
    rows: Sequence[RatingRow],
    moves: Sequence[float],
    pairs: Mapping[OfPair, PairRow],
    day: int,
) -> tuple[list[int], dict[OfPair, PairRow], list[list[Share]]]:
    """Return how many people each entrant has met by now, the new pairs, and each entrant's shares."""
    people = [seat for seat, entrant in enumerate(entrants) if entrant.key is not None]
    met, counted, rivals = [row.met for row in rows], dict[OfPair, PairRow](), list[tuple[int, int, int]]()
    for one, other in combinations(people, 2):
        if absent and (one in absent) == (other in absent):
            continue
        a, b = entrants[one].key or "", entrants[other].key or ""
        pair = OfPair(a, b) if a < b else OfPair(b, a)
        known = pairs.get(pair)
        if known is None:
            met[one] += 1
            met[other] += 1
        count = known.results + 1 if known is not None and known.day == day else 1
        counted[pair] = PairRow(day, count)
        rivals.append((one, other, count))
    shares: list[list[Share]] = [[] for _ in entrants]
    for one, other, count in rivals:
        weight = 1 / count
        if met[one] < FEW_BELOW or met[other] < FEW_BELOW:
            weight = min(_room(rows[one], moves[one], met[other]), _room(rows[other], moves[other], met[one])) / count
        shares[one].append((met[other], weight))
        shares[other].append((met[one], weight))
    return met, counted, shares


def _room(row: RatingRow, move: float, met: int) -> float:
    """Return the part of a gain that counts, from 0 to 1, if the opponent has `met` so many people."""
    if move <= 0 or met >= FEW_BELOW:
        return 1.0
    room = (FROM_FEW - row.from_few) / max(FROM_FEW, move)
    if met < NEW_BELOW:
        room = min(room, (FROM_NEW - row.from_new) / max(FROM_NEW, move))
    return min(max(room, 0.0), 1.0)


def _together(shares: Sequence[Share]) -> tuple[float, float, float]:
    """Return the mean weight of the opponents, and its parts from new accounts and from small circles."""
    if not shares:
        # All opponents are computers, so the result counts in full.
        return 1.0, 0.0, 0.0
    of_all = of_new = of_few = 0.0
    for met, weight in shares:
        of_all += weight
        if met < FEW_BELOW:
            of_few += weight
            if met < NEW_BELOW:
                of_new += weight
    count = len(shares)
    return of_all / count, of_new / count, of_few / count


def _level(game: str, entrant: Entrant, row: RatingRow) -> Level:
    return Level(row.mu, row.sigma) if entrant.level is None else computer(game, entrant.level)


_NOBODY: Final = frozenset[int]()
_BLANK: Final = RatingRow(NEW.mu, NEW.sigma, 0, 0, 0.0, 0)
