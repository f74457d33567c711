"""Finds people whose pledges fit together: a pure function of pledges and time.

Whoever waits longest comes first. For that person the search tries paces and sizes, the most wished ones first. At each
it takes others in the order in which they wait. If the first ones don't get along, it tries other combinations (up to
`TRIES`). So somebody for whom a table is possible isn't passed over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

from db.model.enums import Pace
from db.model.ids import UserId
from matches.pledges.pledge import Pledge, shared_sizes

Apart: TypeAlias = Collection[tuple[UserId, UserId]]
"""Pairs (owner, listed) of people who keep away from each other. Either direction counts."""

SLICE: Final = 2000
"""`found` pauses after this many comparisons, about 2 ms, so that the caller's loop can do something else."""

TRIES: Final = 10_000
"""How many comparisons the search for another combination makes, for one person at one pace and size. That covers every
combination of ten people, whoever keeps away from whom."""


class Party(NamedTuple):
    """People who could play together: whoever waits longest first."""

    game: str
    pace: Pace
    people: tuple[Pledge, ...]


def found(pledges: Collection[Pledge], now: datetime, apart: Apart) -> Iterator[Party | None]:
    """Yield the parties among these pledges, nobody in two of them. Yields ``None`` where it pauses (`SLICE`)."""
    search = _Search(pledges, now, apart)
    yield None
    yield from search.parties()


def more(
    people: Sequence[Pledge], pace: Pace, pledges: Collection[Pledge], now: datetime, apart: Apart
) -> tuple[Pledge, ...]:
    """Return who can be added to these people so that they are enough for a table at this pace; empty if nobody can.

    As few as possible, in the order in which they wait.
    """
    search = _Search(pledges, now, apart)
    fewest, most = shared_sizes(people, now)
    for size in range(max(fewest, len(people) + 1), most + 1):
        chosen = search.completed(tuple(people), pace, size)
        if chosen is not None:
            return chosen[len(people) :]
    return ()


def get_along(one: Pledge, other: Pledge, now: datetime, apart: Apart) -> bool:
    """Whether these two people can be at one table, whatever its pace and size."""
    if one.user_id == other.user_id or one.place != other.place:
        return False
    if (one.user_id, other.user_id) in apart or (other.user_id, one.user_id) in apart:
        return False
    distance = abs(one.rating - other.rating)
    return all(reach is None or distance <= reach for reach in (one.reach(now), other.reach(now)))


class _Search:
    """The search at one moment. `_taken` are the people of the parties so far."""

    def __init__(self, pledges: Collection[Pledge], now: datetime, apart: Apart) -> None:
        self._now, self._apart = now, apart
        callable_ones = (each for each in pledges if each.may_be_called(now))
        self._waiting = sorted(callable_ones, key=lambda each: (each.since, each.user_id, each.game))
        self._taken: set[UserId] = set()
        self._compared = self._paused = self._enough = 0
        self._buckets: dict[tuple[str, Pace, int, int], list[Pledge]] = defaultdict(list)
        """The pledges that fit a game, a pace, a place and a table's size, in the order in which they wait."""
        for each in self._waiting:
            fewest, most = each.sizes(now)
            for pace in each.paces(now):
                for size in range(fewest, most + 1):
                    self._buckets[each.game, pace, each.place, size].append(each)

    def parties(self) -> Iterator[Party | None]:
        for first in self._waiting:
            if first.user_id in self._taken:
                continue
            for pace, size in self._wishes(first):
                people = self.completed((first,), pace, size)
                if self._compared - self._paused >= SLICE:
                    self._paused = self._compared
                    yield None
                if people is not None:
                    self._taken.update(each.user_id for each in people)
                    yield Party(first.game, pace, tuple(sorted(people, key=lambda each: (each.since, each.user_id))))
                    break

    def _wishes(self, first: Pledge) -> Iterator[tuple[Pace, int]]:
        """The pairs of pace and size that suit this person, the most wished ones first."""
        fewest, most = first.sizes(self._now)
        sizes = sorted(
            range(fewest, most + 1), key=lambda size: (max(first.fewest - size, size - first.most, 0), -size)
        )
        return ((pace, size) for pace in first.paces(self._now) for size in sizes)

    def completed(self, people: tuple[Pledge, ...], pace: Pace, size: int) -> tuple[Pledge, ...] | None:
        """Return these people with others, so that they are `size` who all get along; ``None`` if that can't be."""
        self._compared += 1  # Even a look into an empty bucket takes time.
        bucket = self._alive(people[0], pace, size)
        if len(bucket) + len(people) < size:
            return None
        chosen, quarrels = list(people), False
        for each in bucket:
            if len(chosen) == size:
                break
            if each.user_id in self._taken:
                continue
            if all(self._fit(other, each) for other in chosen):
                chosen.append(each)
            elif len(chosen) > len(people) and all(self._fit(other, each) for other in people):
                quarrels = True
        if len(chosen) == size:
            return tuple(chosen)
        if not quarrels:
            return None
        free = (each for each in bucket if each.user_id not in self._taken)
        fitting = [each for each in free if all(self._fit(other, each) for other in people)]
        self._enough = self._compared + TRIES
        return self._any(people, fitting, size - len(people))

    def _any(self, people: tuple[Pledge, ...], fitting: list[Pledge], missing: int) -> tuple[Pledge, ...] | None:
        """Try every combination, in the order of waiting, until one fits."""
        if not missing:
            return people
        for place, each in enumerate(fitting[: len(fitting) - missing + 1]):
            if self._compared > self._enough:
                return None
            left = [other for other in fitting[place + 1 :] if self._fit(each, other)]
            if len(left) >= missing - 1:
                chosen = self._any((*people, each), left, missing - 1)
                if chosen is not None:
                    return chosen
        return None

    def _alive(self, first: Pledge, pace: Pace, size: int) -> list[Pledge]:
        """Return who waits for such a table. Nobody of the first `size` is in an earlier party; later ones may be."""
        key = (first.game, pace, first.place, size)
        bucket = self._buckets[key]
        if self._taken:
            dead = sum(each.user_id in self._taken for each in bucket[:size])
            if dead:
                bucket = self._buckets[key] = [each for each in bucket if each.user_id not in self._taken]
        return bucket

    def _fit(self, one: Pledge, other: Pledge) -> bool:
        self._compared += 1
        return get_along(one, other, self._now, self._apart)
