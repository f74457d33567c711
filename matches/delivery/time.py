"""What happens by itself at a time: reminders, turns whose time is up, lobbies that nobody starts (P1, P13)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Final

from db import deadlines
from db import matches as queries
from db.deadlines import DeadlineRow
from games.core import Stage
from matches.delivery.outbox import Outbox
from matches.errors import Frozen, NotFound
from matches.records import Due, Ended, Status
from matches.sitting import Sitting

LEASE: Final = timedelta(minutes=1)
AT_ONCE: Final = 20

BY_TIME: Final = (Due.LOBBY, Due.REMIND, Due.OVERDUE, Due.FORGET)


class Timekeeper(Outbox):
    """The part of the host that acts when a time has come; any process may run it."""

    async def claim_due(self, kinds: tuple[Due, ...] = BY_TIME, limit: int = AT_ONCE) -> tuple[DeadlineRow, ...]:
        """What is due of these kinds, leased to the caller; another process's own is left to it for ten seconds."""
        now = self._clock.now()
        async with self._reading() as connection:
            if not await deadlines.due(connection, now, kinds):
                return ()
        async with self._transaction() as connection:
            rows = await deadlines.claim(connection, now, LEASE, limit, self.name, kinds, self.shards)
        return tuple(rows)

    async def happen(self, row: DeadlineRow) -> None:
        """Carry out one deadline. What it was for may be gone meanwhile; then nothing happens."""
        # A match whose log does not replay is frozen by being looked at: that is all there is to do.
        with suppress(NotFound, Frozen):
            if row.kind == Due.FORGET:
                await self._forget(row)
                return
            async with self._sitting(row.match_id) as sitting:
                if await deadlines.get(sitting.connection, row.match_id, row.kind) == row:
                    await deadlines.remove(sitting.connection, row.match_id, row.kind)
                    await _happen(sitting, Due(row.kind))

    async def put_off(self, row: DeadlineRow, after: timedelta) -> None:
        """It could not be carried out: try again after this time."""
        async with self._transaction() as connection:
            await deadlines.postpone(connection, row, self._clock.now() + after)

    async def run_time(self) -> bool:
        """Carry out what is due by time; True if anything was, so that the caller asks again.

        One match that fails does not keep the others waiting: the failures are raised together at the end, and the
        work is claimed again when its lease has run out.
        """
        rows = await self.claim_due()
        raise_together(await asyncio.gather(*(self.happen(row) for row in rows), return_exceptions=True))
        return bool(rows)

    async def _forget(self, row: DeadlineRow) -> None:
        """Delete a lobby that was closed long ago."""
        async with self._transaction() as connection:
            found = await queries.table(connection, row.match_id, lock=True)
            if found is not None and found.match.status == Status.CANCELLED:
                await queries.delete_match(connection, row.match_id)


def raise_together(results: list[BaseException | None]) -> None:
    """Raises what went wrong as one ExceptionGroup, after all of it was tried."""
    failures = [result for result in results if isinstance(result, Exception)]
    if failures:
        raise ExceptionGroup("Some of what was due could not be done.", failures)


async def _happen(sitting: Sitting, what: Due) -> None:
    match = sitting.match
    if what is Due.LOBBY:
        sitting.end(Ended.EXPIRED)
    elif match.status is Status.RUNNING and match.mover is not None and match.lost is None:
        if what is Due.REMIND:
            await sitting.remind()
        elif what is Due.OVERDUE:
            await _overdue(sitting)


async def _overdue(sitting: Sitting) -> None:
    """A pick in a series is taken for who let it pass; about anything else the others are asked, twice at most."""
    state = sitting.running().state
    default = state.default_action() if state.stage is Stage.SERIES else None
    if default is not None:
        sitting.play(state.current_player, default)
    elif sitting.match.voters:
        await sitting.ask_about_mover()
