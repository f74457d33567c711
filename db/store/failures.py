"""What can go wrong with the store; every message is one plain sentence for whoever runs the bot."""

from __future__ import annotations

import errno
from typing import Final

_PASSING: Final = frozenset(
    getattr(errno, name)
    for name in ("EAGAIN", "EBUSY", "EDQUOT", "EFBIG", "EINTR", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ENOSPC", "ESTALE")
    if hasattr(errno, name)
)
"""What an operating system says where it has too little of something right now: room, memory, open files."""


class DatabaseError(Exception):
    """The store cannot do that; nothing of the transaction was kept. The message is one sentence.

    `transient`: another try at once may succeed. `uncertain`: the fault happened during the commit, so nobody knows
    whether the transaction was stored. `passes`: another try later may succeed though nobody changes a setting, as
    after every transient fault. `damaged`: something in the store can't be read, perhaps only a cache
    (`db.store.caches`).
    """

    def __init__(
        self,
        sentence: str,
        *,
        transient: bool = False,
        uncertain: bool = False,
        passes: bool = False,
        damaged: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.transient = transient
        self.uncertain = uncertain
        self.damaged = damaged
        self.passes = passes or transient


def may_pass(error: OSError) -> bool:
    """Whether the operating system may do later what it refuses now."""
    return error.errno in _PASSING


class Conflict(DatabaseError):
    """Somebody else was first: a row with this key is there already."""
