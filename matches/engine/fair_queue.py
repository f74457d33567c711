"""A queue in which nobody waits for somebody else's many requests."""

from __future__ import annotations

from collections import deque
from enum import IntEnum
from typing import Final, Generic, TypeVar

T = TypeVar("T")

PATIENCE: Final = 40
"""A rank has a turn after so many turns of better ranks, so that none starves: it delays one in 41 of those."""


class Rank(IntEnum):
    """Whose work comes first: the one scale of all queues.

    `TABLE`: people at a table wait (a board, a computer's turn). `PERSON`: one person waits (a hint, a picture).
    `LONG`: one person waits for something that isn't part of playing and takes long (an animation). `WATCHED`: only
    spectators wait, since nobody but computers plays at the table.
    """

    TABLE = 0
    PERSON = 1
    LONG = 2
    WATCHED = 3


class FairQueue(Generic[T]):
    """What waits: the lowest `Rank` first, within a rank one of every owner's by turns, of one owner's in order.

    A rank that was passed over `PATIENCE` times has a turn before better ones.

    This is start-time fair queueing (Goyal, Vin and Cheng, 1996) with equal costs: whoever comes joins the round that
    is going on, so that one thing is served before the second one of whoever was there first, and nobody who comes
    again and again can keep another waiting for ever. ``None`` is an owner like others.
    """

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int | None], deque[T]] = {}
        self._rounds: dict[tuple[int, int | None], int] = {}
        """In which round each owner's next has its turn."""
        self._now: dict[int, int] = {}
        """By rank the round that is going on."""
        self._passed: dict[int, int] = {}
        """By rank how many turns of better ranks it has waited through."""

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def __len__(self) -> int:
        return sum(len(line) for line in self._waiting.values())

    def push(self, item: T, owner: int | None, rank: int = 0) -> None:
        """Let something of this owner wait."""
        key = rank, owner
        if key not in self._waiting:
            self._waiting[key] = deque()
            self._rounds[key] = max(self._rounds.get(key, 0), self._now.get(rank, 0))
        self._waiting[key].append(item)

    def pop(self) -> T:
        """What has its turn. Raises IndexError where nothing waits."""
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
        """The lowest rank of which something waits."""
        return min((rank for rank, _ in self._waiting), default=None)

    def remove(self, item: T) -> None:
        """Something waits no longer. Nothing happens where it did not."""
        for line in self._waiting.values():
            if item in line:
                line.remove(item)
                break
        self._forget()

    def clear(self) -> list[T]:
        """Let nothing wait any more; what has waited."""
        waited = [item for line in self._waiting.values() for item in line]
        self._waiting.clear()
        self._forget()
        return waited

    def count(self, owner: int | None, rank: int | None = None) -> int:
        """How much of this owner's (of this rank, or all of it) waits."""
        return sum(len(line) for (at, whose), line in self._waiting.items() if whose == owner and rank in (None, at))

    def _next_rank(self) -> int:
        """The rank that has its turn; those that wait on have been passed over once more."""
        ranks = sorted({rank for rank, _ in self._waiting})
        chosen = next((rank for rank in ranks if self._passed.get(rank, 0) >= PATIENCE), ranks[0])
        self._passed = {rank: self._passed.get(rank, 0) + (rank > chosen) for rank in ranks if rank != chosen}
        return chosen

    def _forget(self) -> None:
        """Keep nothing of owners whose turn a newcomer's would be, too."""
        self._waiting = {key: line for key, line in self._waiting.items() if line}
        self._rounds = {
            key: round_
            for key, round_ in self._rounds.items()
            if key in self._waiting or round_ > self._now.get(key[0], 0)
        }
