"""What happens by itself: reminders, turns whose time is up, lobbies that nobody starts, computers' turns (P1, P13)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import Final

from db import deadlines
from db.deadlines import DeadlineRow
from games.core import Stage
from games.log import LogError
from matches import stored
from matches.errors import Frozen, NotFound
from matches.records import Due, Ended, Status
from matches.sitting import Sitting
from matches.thinker import Thinker

LEASE: Final = timedelta(minutes=1)
AT_ONCE: Final = 20


class Worker(Thinker):
    """The part of the host that acts when a time has come; any process may run it."""

    async def run_due(self) -> bool:
        """Carry out what is due; True if anything was claimed, so that the caller asks again.

        One match that fails does not keep the others waiting: the failures are raised together at the end, and the
        work is claimed again when its lease has run out.
        """
        now = self._clock.now()
        async with self._reading() as connection:
            if not await deadlines.due(connection, now):
                return False
        async with self._transaction() as connection:
            rows = await deadlines.claim(connection, now, LEASE, AT_ONCE, self.name)
        results = await asyncio.gather(*(self._carry_out(row) for row in rows), return_exceptions=True)
        failures = [result for result in results if isinstance(result, Exception)]
        if failures:
            raise ExceptionGroup("Some of what was due could not be done.", failures)
        return bool(rows)

    async def _carry_out(self, row: DeadlineRow) -> None:
        """One deadline. What it was for may be gone meanwhile; then nothing happens."""
        # A match whose log does not replay is frozen by being looked at: that is all there is to do.
        with suppress(NotFound, Frozen):
            if row.kind == Due.COMPUTER:
                await self._computers_turn(row)
            else:
                async with self._sitting(row.match_id) as sitting:
                    if await deadlines.get(sitting.connection, row.match_id, row.kind) == row:
                        await deadlines.remove(sitting.connection, row.match_id, row.kind)
                        await _happen(sitting, Due(row.kind))

    async def _computers_turn(self, row: DeadlineRow) -> None:
        """A computer thinks, outside the lock, and plays if the match is still where it was."""
        async with self._reading() as connection:
            match, seed, _ = await stored.read(connection, row.match_id)
            if match.status is not Status.RUNNING or match.turn_ply != row.ply or match.mover is None:
                return
            imagined = None
            with suppress(LogError):
                imagined = await self._imagined(connection, match, seed)
        mover = match.mover
        text = None
        if imagined is not None and mover.computer is not None:
            text = await self._computers.choose(mover.computer, *imagined)
        async with self._sitting(row.match_id) as sitting:
            if sitting.match.ply == match.ply and mover.seat is not None and text is not None:
                sitting.play(mover.seat, sitting.running().state.string_to_action(mover.seat, text))
            else:
                await deadlines.release(sitting.connection, row.match_id, row.kind)


async def _happen(sitting: Sitting, what: Due) -> None:
    match = sitting.match
    if what is Due.LOBBY:
        sitting.end(Ended.EXPIRED)
    elif match.status is Status.RUNNING and match.mover is not None:
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
