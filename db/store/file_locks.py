"""Locks beside an SQLite file, held by the kernel (``ambit.db.shard-0``).

The empty lock files stay. Deleting one would take the lock from its holder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from db.failures import DatabaseError, may_pass
from db.store.files import open_private
from db.store.locks import Lock, LockKind

if sys.platform != "win32":
    import fcntl


class FileLocks:
    """Locks in the folder of `store`. Without a store there is nothing to share, and every lock is free."""

    lag = timedelta()

    def __init__(self, store: Path | None) -> None:
        self._store = store
        self._files: dict[tuple[LockKind, int], int] = {}

    async def take(self, locks: Sequence[Lock]) -> Lock | None:
        """Take all locks or none, as `db.store.locks.Locks` says."""
        taken: list[Lock] = []
        for lock in locks:
            if not self._take(lock):
                await self.pass_on(taken)
                return lock
            taken.append(lock)
        return None

    async def pass_on(self, locks: Sequence[Lock]) -> None:
        for lock in locks:
            file = self._files.pop(lock.name, None)
            if file is not None:
                os.close(file)

    async def keep(self) -> None:
        """Do nothing: the kernel takes no lock away."""

    async def close(self) -> None:
        while self._files:
            os.close(self._files.popitem()[1])

    def _take(self, lock: Lock) -> bool:
        # Windows has no such locks: there the operator must start only one process.
        if self._store is None or sys.platform == "win32":
            return True
        if lock.name in self._files:
            return False
        ending = lock.kind if lock.kind is LockKind.SHARDS else f"{lock.kind}-{lock.number}"
        path = self._store.with_name(f"{self._store.name}.{ending}")
        try:
            file = open_private(path)
        except OSError as error:
            raise DatabaseError(f"The file {path} can't be opened ({error}).", passes=may_pass(error)) from error
        with suppress(BlockingIOError):
            fcntl.flock(file, (fcntl.LOCK_SH if lock.shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            self._files[lock.name] = file
            return True
        os.close(file)
        return False
