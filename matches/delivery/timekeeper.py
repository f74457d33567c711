"""Carries out deadlines: reminders, turns whose time is up, orders, lobbies that nobody starts (P1, P13)."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Final

from db import Connection
from db.matches import deadlines, queries
from db.matches.deadlines import Wanted
from db.model.enums import COMPUTERS, PERSONS, Due, Status
from db.model.ids import MatchId
from db.model.rows import DeadlineRow
from db.store.leases import Shards
from matches.delivery.presence import Presence
from matches.errors import Frozen, NotFound
from matches.table.time import attended, happen
from matches.work.unit_of_work import UnitOfWork

BATCH: Final = 20
"""How many matches or deadlines one step takes up at most."""

BY_TIME: Final = tuple(due for due in Due if due not in COMPUTERS)

IRREVERSIBLE: Final = (Due.LOBBY, Due.FORGET, Due.ABANDON)
"""Deadlines whose effect nobody can undo. They wait for a clock that can be trusted."""


class Timekeeper:
    """The part of the host that carries out deadlines. Any process may run it. Every method raises Unavailable."""

    def __init__(self, work: UnitOfWork, presence: Presence) -> None:
        self._work = work
        self._presence = presence

    async def attend(self) -> None:
        """At the start of the bot, set a deadline for each open match that has none."""
        after = 0

        def work(connection: Connection, numbers: list[MatchId]) -> None:
            for number in numbers:
                with suppress(NotFound):
                    self._work.change_within(connection, number, attended)

        while numbers := await self._work.read_at_length(None, queries.without_deadline, after, BATCH):
            await self._work.write(work, numbers, idempotent=True)
            after = numbers[-1]

    async def claim_due(
        self, kinds: tuple[Due, ...] = BY_TIME, limit: int = BATCH, only: Shards | None = None
    ) -> tuple[DeadlineRow, ...]:
        """Lease the due deadlines of these kinds to this process, and return them.

        Those of other processes are left to them until they are overdue. `only`: these shards instead of the process's
        own. What a person can miss isn't due while they can't press (`Presence`).
        """
        work, now = self._work, self._work.now()
        self._presence.look_at_clock()
        shards, away = only or work.shards, self._presence.away
        if not PERSONS.isdisjoint(kinds):
            shards = self._presence.shards or shards
        if not work.trust.holds():
            kinds = tuple(kind for kind in kinds if kind not in IRREVERSIBLE)
        wanted = Wanted(now, kinds, shards, away)
        if not kinds or not await work.read(deadlines.any_due, wanted):
            return ()
        if any(kind in IRREVERSIBLE for kind in kinds) and not await work.is_trusted():
            return await self.claim_due(tuple(kind for kind in kinds if kind not in IRREVERSIBLE), limit, only)
        return tuple(await work.write(deadlines.claim, wanted, work.lease, limit, work.name))

    async def happen(self, row: DeadlineRow) -> None:
        """Carry out a deadline, unless it was replaced meanwhile."""
        # Looking at a match whose log doesn't replay freezes it. Nothing else has to be done then.
        with suppress(NotFound, Frozen):
            if row.kind == Due.FORGET:
                await self._work.write(_forget, row, idempotent=True)
            else:
                await self._work.change(row.match_id, lambda table: happen(table, row.kind), claimed=row, tells=True)

    async def put_off(self, row: DeadlineRow, after: timedelta) -> None:
        """Retry a deadline that couldn't be carried out, after this time."""
        await self._work.write(deadlines.retry_at, row, self._work.now() + after)


def _forget(connection: Connection, row: DeadlineRow) -> None:
    """Delete a lobby that was closed long ago."""
    found = queries.table(connection, row.match_id, lock=True)
    if found is not None and found.match.status == Status.CANCELLED:
        queries.delete_match(connection, row.match_id)
