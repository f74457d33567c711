"""Host.retention: deletes what is stored for a limited time, in steps that are too short to block other writers.

The queries are in `db/matches/retention.py`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db import KEPT, Connection
from db.matches import log_lines, retention
from db.model.ids import MatchId
from db.people import allowances
from games.log import Line
from matches.records.verification import sum_of
from matches.work import part, stored
from matches.work.unit_of_work import UnitOfWork

PRESSES_KEPT: Final = timedelta(days=1)
"""How long the store remembers which interaction caused a line. Discord ends an interaction after 15 minutes."""

PRESSES_AT_ONCE: Final = 500
MATCHES_AT_ONCE: Final = 5
REST: Final = timedelta(minutes=1)
"""If nothing was due, the store is asked again after this time."""


PRESSES: Final = "presses"
"""The ids of interactions."""

LINES: Final = "lines"
"""The lines of finished matches."""

_OF_FEATURES: Final = {each.key: each.lapses for each in KEPT if each.lapses is not None}


class Retention(part.Part):
    """Deletes what has expired. All of it raises Unavailable.

    `keep`: how long matches keep their lines after their end (``None``: for ever). Nothing is deleted while the clock
    can't be trusted (`UnitOfWork.is_trusted`). A pruned match has lost only its lines. It keeps its seats with their
    results, what counts in statistics and ratings, and its commitment, seed, presses and the checksum of its file.
    """

    def __init__(self, work: UnitOfWork) -> None:
        super().__init__(work)
        self.keep = work.keep
        self._again = work.now()
        self.chores = (part.Chore("clearing", self.due, self.go_on),)

    async def due(self, at_most: int = 1) -> tuple[str, ...]:
        """Return at most this many of `PRESSES`, `LINES` and keys of features that have something to be deleted.

        After finding none, it doesn't ask the store again for `REST`.
        Lapsed marks of allowances are few, so they are deleted right here.
        """
        now = self._work.now()
        if timedelta(0) < self._again - now <= REST:
            return ()
        if await self._work.read(allowances.has_lapsed, now):
            await self._work.write(allowances.lapse, now)
        found = await self._work.read(self._due, now) if await self._work.is_trusted() else ()
        if not found:
            self._again = now + REST
        return found[:at_most]

    async def go_on(self, chore: str) -> None:
        """Do one short step, unless the clock can no longer be trusted."""
        now = self._work.now()
        if not await self._work.is_trusted():
            return
        if chore == PRESSES:
            await self._work.write(retention.forget_presses, now - PRESSES_KEPT, PRESSES_AT_ONCE)
        elif chore in _OF_FEATURES:
            await self._work.write(_OF_FEATURES[chore].clear, now)
        elif self.keep is not None:
            for number in await self._work.write(_prune, now - self.keep, now):
                self._work.positions.forget(number)

    def _due(self, connection: Connection, now: datetime) -> tuple[str, ...]:
        found = []
        if retention.has_old_presses(connection, now - PRESSES_KEPT):
            found.append(PRESSES)
        found += [key for key, each in _OF_FEATURES.items() if each.is_due(connection, now)]
        if self.keep is not None and retention.has_prunable(connection, now - self.keep):
            found.append(LINES)
        return tuple(found)


def _prune(connection: Connection, ended_before: datetime, now: datetime) -> list[MatchId]:
    """Prune some matches, and return their numbers."""
    numbers = retention.prunable(connection, ended_before, MATCHES_AT_ONCE)
    sums = []
    for number in numbers:
        table = stored.table(connection, number, now)
        lines = [Line(*row) for row in log_lines.lines(connection, number)]
        sums.append((number, sum_of(table.match, table.draws, lines)))
    retention.prune(connection, sums)
    return numbers
