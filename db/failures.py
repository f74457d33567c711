"""Failures of the store. Every message is one plain sentence for the operator."""

from __future__ import annotations

import errno
from typing import Final

_PASSING: Final = frozenset(
    getattr(errno, name)
    for name in ("EAGAIN", "EBUSY", "EDQUOT", "EFBIG", "EINTR", "EIO", "EMFILE", "ENFILE", "ENOMEM", "ENOSPC", "ESTALE")
    if hasattr(errno, name)
)
"""Errors of an operating system that is short of something right now: space, memory, open files."""


class DatabaseError(Exception):
    """A failure of the store; the transaction was rolled back. The message is one sentence.

    `transient`: an immediate retry may succeed. `passes`: a later retry may succeed without a change of settings; every
    transient failure passes. `uncertain`: the commit failed, and may have been stored nevertheless. `damaged`:
    something in the store can't be read, perhaps only a cache (`db.upkeep.caches`).
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
    """Whether the operating system may allow later what it refuses now."""
    return error.errno in _PASSING


class Conflict(DatabaseError):
    """A row with this key exists already: somebody else was first."""
