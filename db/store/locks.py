"""Locks on the store that belong to a process and end with it, even if it crashes.

Two processes with the same shard would corrupt nothing, but handle every interaction twice. So a process locks each
shard that it carries, and shares the lock of all shards. A process without assigned shards carries all of them, and
locks that one exclusively.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from db.failures import DatabaseError
from db.store.leases import Shards

RETRY_EVERY: Final = timedelta(milliseconds=200)
"""The pause between two attempts to take a lock."""


class LockKind(StrEnum):
    """What a lock protects. The word is part of a lock file's name."""

    SHARDS = "shards"
    SHARD = "shard"
    IDENTIFY = "identify"
    SUCCESSOR = "successor"


class Lock(NamedTuple):
    """A lock. Several processes may hold a `shared` one together, but not while another holds it exclusively."""

    kind: LockKind
    number: int = 0
    shared: bool = False

    @property
    def name(self) -> tuple[LockKind, int]:
        """The lock's identity, shared or not."""
        return self.kind, self.number


ALL_SHARDS: Final = Lock(LockKind.SHARDS)
"""Its exclusive holder has the store to itself."""


class LockTaken(DatabaseError):
    """Another process holds a lock that this one needs."""


class Locks(Protocol):
    """The locks that this process holds."""

    lag: timedelta
    """The longest time from a process's death to the release of its locks, even if its whole machine died."""

    async def take(self, locks: Sequence[Lock]) -> Lock | None:
        """Take all locks now, or none. Return the first one that somebody holds, this process included, or ``None``.

        Raises DatabaseError.
        """

    async def pass_on(self, locks: Sequence[Lock]) -> None:
        """Release these locks, so that a waiting successor gets them at once. Raises DatabaseError."""

    async def keep(self) -> None:
        """Check that the locks are still held, and renew them if needed; call it every few seconds.

        Raises LockTaken if another process has one by now, and DatabaseError if that can't be checked now.
        """

    async def close(self) -> None:
        """Release all locks."""


def locks_of(shards: Shards | None) -> tuple[Lock, ...]:
    """Return the locks of a process that carries these shards (``None``: all)."""
    if shards is None:
        return (ALL_SHARDS,)
    return Lock(LockKind.SHARDS, shared=True), *(Lock(LockKind.SHARD, number) for number in shards.ids)


def locks_of_successor(shards: Shards | None) -> tuple[Lock, ...]:
    """Return the locks of the process that is about to take these shards over: at most one does."""
    return tuple(Lock(LockKind.SUCCESSOR, number) for number in ((0,) if shards is None else shards.ids))


async def acquire(
    locks: Locks,
    wanted: Sequence[Lock],
    patience: timedelta | None = None,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Take all these locks. Wait for their holders, at most for the `lag` of the locks, or for `patience`.

    So a process can outwait one that died with its machine, or one that is handing its shards over. Raises LockTaken,
    DatabaseError.
    """
    left = locks.lag if patience is None else patience
    while (held := await locks.take(wanted)) is not None:
        if left <= timedelta():
            raise LockTaken(sentence(held))
        await sleep(RETRY_EVERY.total_seconds())
        left -= RETRY_EVERY


def sentence(held: Lock) -> str:
    """Return the operator's message that another process holds this lock."""
    if held.kind is LockKind.SHARD:
        return (
            f"Another process carries shard {held.number} on this database already: stop that one first, or give this "
            "one other AMBIT_SHARD_IDS, or let it --take-over."
        )
    if held.kind is LockKind.SUCCESSOR:
        return "Another process is taking these shards over already: wait for it."
    return (
        "Another process of the bot runs on this database already: stop that one first, let this one --take-over, or "
        "divide the shards."
    )
