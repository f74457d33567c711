"""A fair queue: one owner's many requests don't delay all others."""

from __future__ import annotations

from collections import deque
from enum import IntEnum
from typing import Final, Generic, TypeVar

T = TypeVar("T")

PATIENCE: Final = 40
"""A rank has a turn after this many turns of better ranks, so that none starves. It delays one in 41 of those."""


class Rank(IntEnum):
    """The priority of work, the same in all queues.

    `TABLE`: people at a table wait (a board, a computer's turn). `PERSON`: one person waits (a hint, a picture).
    `LONG`: one person waits for something that isn't part of playing and takes long (an animation). `WATCHED`: only
    spectators wait, since nobody but computers plays at the table. `TIDYING`: nobody waits.
    """

    TABLE = 0
    PERSON = 1
    LONG = 2
    WATCHED = 3
    TIDYING = 4


class FairQueue(Generic[T]):
    """Items that wait: the lowest `Rank` first, within a rank by turns among owners, of one owner in order.

    A rank that was passed over `PATIENCE` times has a turn before better ones.

    This is start-time fair queueing (Goyal, Vin and Cheng, 1996) with equal costs. A newcomer joins the current round,
    so their first item comes before the second item of everybody else. Nobody can keep another owner waiting for ever.
    ``None`` is an owner like others.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int | None], deque[T]] = {}
        self._rounds: dict[tuple[int, int | None], int] = {}
        """The round in which each owner's next item has its turn."""
        self._now: dict[int, int] = {}
        """The current round, by rank."""
        self._passed: dict[int, int] = {}
        """How many turns of better ranks each rank has waited through."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return sum(len(line) for line in self._waiting.values())

    def push(self, item: T, owner: int | None, rank: int = 0) -> None:
        """Add an item of this owner."""
        key = rank, owner
        if key not in self._waiting:
            self._waiting[key] = deque()
            self._rounds[key] = max(self._rounds.get(key, 0), self._now.get(rank, 0))
        self._waiting[key].append(item)

    def pop(self) -> T:
        """Remove and return the item whose turn it is. Raises IndexError if nothing waits."""
        if not self._waiting:
            raise IndexError("Nothing waits.")
        rank = self._next_rank()
        key = min((key for key in self._waiting if key[0] == rank), key=self._rounds.__getitem__)
        item = self._waiting[key].popleft()
        self._now[rank] = self._rounds[key]
        self._rounds[key] += 1
        self._forget()
        return item

    @property
    def best(self) -> int | None:
        """The lowest rank of all items."""
        return min((rank for rank, _ in self._waiting), default=None)

    def remove(self, item: T) -> None:
        """Remove an item, if it is there."""
        for line in self._waiting.values():
            if item in line:
                line.remove(item)
                break
        self._forget()

    def clear(self) -> list[T]:
        """Remove and return all items."""
        waited = [item for line in self._waiting.values() for item in line]
        self._waiting.clear()
        self._forget()
        return waited

    def count(self, owner: int | None, rank: int | None = None) -> int:
        """Count this owner's items (of this rank, or all)."""
        return sum(len(line) for (at, whose), line in self._waiting.items() if whose == owner and rank in (None, at))

    def _next_rank(self) -> int:
        """Choose the rank whose turn it is, and count that the worse ranks were passed over once more."""
        ranks = sorted({rank for rank, _ in self._waiting})
        chosen = next((rank for rank in ranks if self._passed.get(rank, 0) >= PATIENCE), ranks[0])
        self._passed = {rank: self._passed.get(rank, 0) + (rank > chosen) for rank in ranks if rank != chosen}
        return chosen

    def _forget(self) -> None:
        """Forget owners that are indistinguishable from newcomers."""
        self._waiting = {key: line for key, line in self._waiting.items() if line}
        self._rounds = {
            key: round_
            for key, round_ in self._rounds.items()
            if key in self._waiting or round_ > self._now.get(key[0], 0)
        }
