"""Compute the ratings of a ladder from its results, one after the other: pure functions, reproducible to the bit.

Each result has a weight (``docs/ratings.md``, "How much a result counts"), so that accounts can't feed each other. The
weight belongs to a pair of people, and is the same for both.

A worker process computes very many results, and imports this module for it. So it imports no store, and its values are
plain tuples, which are made and sent in less time than rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from matches.ratings.model import DIGITS, NEW, Level, computer, rated
from matches.results import result
from matches.results.result import Entrant, Result

NEW_BELOW: Final = 2
"""An account is new while it has met fewer people than this on the ladder."""

FROM_NEW: Final = 40.0
"""Net points that one person can gain from all new accounts together."""

FEW_BELOW: Final = 6
"""An account belongs to a small circle while it has met fewer people than this on the ladder."""

FROM_FEW: Final = 140.0
"""Net points that one person can gain from all accounts of small circles together, including new accounts."""


Rating: TypeAlias = tuple[float, float, int, int, float, int, int, float, float]
"""The fields of a `RatingRow`."""

Point: TypeAlias = tuple[int, str, float, float, float, int]
"""A result's number, a key, and the fields of a `PointRow`."""

Pair: TypeAlias = tuple[str, str]
"""The fields of an `OfPair`."""

Met: TypeAlias = tuple[int, int]
"""The fields of a `PairRow`."""


class Computed(NamedTuple):
    """Ratings by key, the points after each result, and who has met whom."""

    ratings: dict[str, Rating]
    points: list[Point]
    pairs: dict[Pair, Met]


def computed(game: str, results: Iterable[Result], behind: Computed | None = None) -> Computed:
    """Compute the ratings after these results, which are sorted by number first.

    `behind` holds the ratings after all earlier results, if there are any. It is extended in place and returned.
    """
    whole = Computed({}, [], {}) if behind is None else behind
    for one in sorted(results, key=itemgetter(0)):
        _carry_on(game, one, whole.ratings, whole.pairs, whole)
    return whole


def after(game: str, before: Mapping[str, Rating], pairs: Mapping[Pair, Met], one: Result) -> Computed:
    """Return the new ratings and pairs of the people who played. `before` and `pairs` hold the old ones.

    The ratings of computers never change. The rating of a person who had help can fall, but not rise.
    """
    found = Computed({}, [], {})
    _carry_on(game, one, before, pairs, found)
    return found


def _carry_on(game: str, one: Result, before: Mapping[str, Rating], pairs: Mapping[Pair, Met], into: Computed) -> None:
    """Put the new ratings and pairs of the people who played into `into`, which may also hold the old ones."""
    entrants = list(map(result.read, one.seats))
    rows = [before.get(entrant.key or "", _BLANK) for entrant in entrants]
    old = [
        row[:2] if entrant.level is None else computer(game, entrant.level, entrant.edition)
        for entrant, row in zip(entrants, rows, strict=True)
    ]
    absent = [seat for seat, entrant in enumerate(entrants) if entrant.absent]
    if len(absent) == len(entrants):
        absent = []
    new = _rated(old, entrants, absent)
    moves = [
        0.0 if helped and mu > was else mu - was
        for (_, _, _, helped, *_), (was, _), (mu, _) in zip(entrants, old, new, strict=True)
    ]
    met, weights = _weights(entrants, absent, rows, moves, pairs, one.day.toordinal(), into.pairs)
    for (place, key, _, helped, *_), row, was, level, move, acquaintances, (weight, of_new, of_few) in zip(
        entrants, rows, old, new, moves, met, weights, strict=True
    ):
        if key is None:
            continue
        (mu, sigma), (_, _, matches, won, _, _, _, from_new, from_few) = was, row
        if not helped or level[0] <= mu:
            if weight == 1.0:
                mu, sigma = level
            else:
                mu = round(mu + weight * move, DIGITS)
                sigma = round(sigma + weight * (level[1] - sigma), DIGITS)
            if of_few:
                from_new = round(from_new + of_new * move, DIGITS)
                from_few = round(from_few + of_few * move, DIGITS)
        gain, won = mu - was[0], won + (place == 1)
        into.ratings[key] = (mu, sigma, matches + 1, won, gain, one.number, acquaintances, from_new, from_few)
        into.points.append((one.number, key, mu, sigma, gain, place))


def _rated(old: Sequence[tuple[float, float]], entrants: Sequence[Entrant], absent: Sequence[int]) -> list[Level]:
    """Return the ratings by place. If an absence ended the match, everybody else is rated against the absent only.

    The absent come last, as if they had resigned. Whoever was spared loses no more than without those who had help.
    """
    new = rated(old, [entrant.place for entrant in entrants])
    for seat, entrant in enumerate(entrants):
        if entrant.spared and new[seat].mu < old[seat][0]:
            kept = [other for other in range(len(entrants)) if other not in entrant.spared]
            fair = was = Level(*old[seat])
            if len(kept) > 1:
                among = rated([old[other] for other in kept], [entrants[other].place for other in kept])
                fair = min(was, among[kept.index(seat)])
            new[seat] = max(new[seat], fair)
    for seat in range(len(entrants)) if absent else ():
        if seat not in absent:
            levels = [old[seat], *(old[other] for other in absent)]
            new[seat] = rated(levels, [1, *(2 for _ in absent)])[0]
    return new


def _weights(
    entrants: Sequence[Entrant],
    absent: Sequence[int],
    rows: Sequence[Rating],
    moves: Sequence[float],
    pairs: Mapping[Pair, Met],
    day: int,
    counted: dict[Pair, Met],
) -> tuple[list[int], list[tuple[float, float, float]]]:
    """Return how many people each entrant has met by now, and how much the result counts for each entrant.

    That is the mean weight of the opponents, and its parts from new accounts and from small circles. The new pairs are
    put into `counted`.
    """
    people = [(seat, entrant.key) for seat, entrant in enumerate(entrants) if entrant.key is not None]
    met, rivals = [row[_MET] for row in rows], list[tuple[int, int, int]]()
    for (one, a), (other, b) in combinations(people, 2):
        if absent and (one in absent) == (other in absent):
            continue
        pair = (a, b) if a < b else (b, a)
        known = pairs.get(pair)
        count = 1
        if known is None:
            met[one] += 1
            met[other] += 1
        elif known[0] == day:
            count += known[1]
        counted[pair] = (day, count)
        rivals.append((one, other, count))
    opponents, of_all = [0] * len(entrants), [0.0] * len(entrants)
    of_new, of_few = of_all[:], of_all[:]
    for one, other, count in rivals:
        weight = 1 / count
        if met[one] < FEW_BELOW or met[other] < FEW_BELOW:
            weight = min(_room(rows[one], moves[one], met[other]), _room(rows[other], moves[other], met[one])) / count
            for mine, theirs in ((one, met[other]), (other, met[one])):
                if theirs < FEW_BELOW:
                    of_few[mine] += weight
                if theirs < NEW_BELOW:
                    of_new[mine] += weight
        for mine in (one, other):
            opponents[mine] += 1
            of_all[mine] += weight
    return met, [
        # If all opponents are computers, the result counts in full.
        (every / number, new / number, few / number) if number else (1.0, 0.0, 0.0)
        for number, every, new, few in zip(opponents, of_all, of_new, of_few, strict=True)
    ]


def _room(row: Rating, move: float, met: int) -> float:
    """Return the part of a gain that counts, from 0 to 1, if the opponent has met this many people."""
    if move <= 0 or met >= FEW_BELOW:
        return 1.0
    *_, from_new, from_few = row
    room = (FROM_FEW - from_few) / max(FROM_FEW, move)
    if met < NEW_BELOW:
        room = min(room, (FROM_NEW - from_new) / max(FROM_NEW, move))
    return min(max(room, 0.0), 1.0)


_BLANK: Final[Rating] = (*NEW, 0, 0, 0.0, 0, 0, 0.0, 0.0)
_MET: Final = 6
"""The place of `RatingRow.met`."""
