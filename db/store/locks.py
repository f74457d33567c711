"""Locks of the store that belong to a process and end with it, however it ends: nobody has to wait for a dead one.

Two processes that carry one shard would lose nothing and double nothing, but handle every press twice. So a process
holds a lock for each shard that it carries. One that is not told its shards carries all there are: it holds the lock of
them all alone, which the others share.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from db.matches.leases import Shards
from db.store.failures import DatabaseError

LOOKS: Final = timedelta(milliseconds=200)
"""Between two tries to take what somebody else holds."""


class What(StrEnum):
    """What a lock is of; the word is part of the name of its file."""

    SHARDS = "shards"
    SHARD = "shard"
    IDENTIFY = "identify"


class Lock(NamedTuple):
    """A lock by its name. Many may hold one that is `shared` at once, while nobody holds it alone."""

    what: What
    number: int = 0
    shared: bool = False

    @property
    def name(self) -> tuple[What, int]:
        """What it is, however it is held."""
        return self.what, self.number


ALL_SHARDS: Final = Lock(What.SHARDS)
"""Who holds this one alone has the store to themselves."""


class Taken(DatabaseError):
    """Another process holds a lock that this one needs."""


class Locks(Protocol):
    """The locks that this process holds."""

    lag: timedelta
    """How long after a process has died, with its whole machine at worst, what it held is free."""

    async def take(self, locks: Sequence[Lock]) -> Lock | None:
        """Take all of them now, or none: the first that is held already, by this process or another, or ``None``.

        Raises DatabaseError.
        """

    async def pass_on(self, locks: Sequence[Lock]) -> None:
        """Let go of what is held, so that a successor that waits for it has it at once. Raises DatabaseError."""

    async def keep(self) -> None:
        """See to it that what was taken is still held; call it every few seconds.

        Raises Taken where another process has it meanwhile, and DatabaseError where nobody can tell now.
        """

    async def close(self) -> None:
        """Let go of everything."""


def of_process(shards: Shards | None) -> tuple[Lock, ...]:
    """What a process holds that carries these shards (``None``: all there are)."""
    if shards is None:
        return (ALL_SHARDS,)
    return Lock(What.SHARDS, shared=True), *(Lock(What.SHARD, number) for number in shards.ids)


async def hold(
    locks: Locks,
    wanted: Sequence[Lock],
    patience: timedelta | None = None,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Take all of these, and wait for whoever holds one: for their `lag` at most, or for `patience`.

    So a process can wait for the end of one that died with its machine, or for one that passes its shards on. Raises
    Taken, DatabaseError.
    """
    left = locks.lag if patience is None else patience
    while (held := await locks.take(wanted)) is not None:
        if left <= timedelta():
            raise Taken(sentence(held))
        await sleep(LOOKS.total_seconds())
        left -= LOOKS


def sentence(held: Lock) -> str:
    """That another process holds it, for whoever runs the bot."""
    if held.what is What.SHARD:
        return (
            f"Another process carries shard {held.number} on this database already: stop that one first, or give this "
            "one other AMBIT_SHARD_IDS."
        )
    return "Another process of the bot runs on this database already: stop that one first, or divide the shards."
