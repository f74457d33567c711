"""The part of the host that takes away what is kept for a while only, in steps that keep no other writer waiting."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final

from db import Connection, retention
from matches.unit_of_work import UnitOfWork

PRESSES_KEPT: Final = timedelta(days=1)
"""So long the store knows which interaction has caused a line; Discord lets nobody answer one after 15 minutes."""

PRESSES_AT_ONCE: Final = 500

REST: Final = timedelta(minutes=1)
"""Where nothing was left to do, it is asked again after this time."""


class Chore(StrEnum):
    """What is taken away: the numbers of interactions (`PRESSES`)."""

    PRESSES = "presses"


class Retention:
    """What is kept for a while only. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._again = work.now()

    async def due(self, at_most: int = 1) -> tuple[Chore, ...]:
        """So many of the chores for which there is something to do; this is found out now and then only."""
        now = self._work.now()
        if timedelta(0) < self._again - now <= REST:
            return ()
        found = await self._work.read(self._due)
        if not found:
            self._again = now + REST
        return found[:at_most]

    async def go_on(self, chore: Chore) -> None:
        """One short step."""
        await self._work.write(retention.forget_presses, self._work.now() - PRESSES_KEPT, PRESSES_AT_ONCE)

    def _due(self, connection: Connection) -> tuple[Chore, ...]:
        presses = retention.has_old_presses(connection, self._work.now() - PRESSES_KEPT)
        return (Chore.PRESSES,) if presses else ()
