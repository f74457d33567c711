"""Worker processes: there when they are needed, and gone with the bot."""

import asyncio
import os
from datetime import timedelta
from multiprocessing import active_children
from multiprocessing.connection import wait
from pathlib import Path

from cogs.drawing import DRAWER, FEW
from matches.api import ManualClock
from matches.computers.pool import Computers
from matches.engine.workers import IDLE
from tests.cogs.table import hinted, table
from tests.cogs.test_computer_seats import sit_with_computers

WAIT = 60
"""Seconds in which a process must end.

The test looks at its sentinel. Of two threads that join it, like the pool's own, one may find it alive when it isn't.
"""


async def test_when_the_bot_has_closed_no_process_of_its_stays(tmp_path: Path) -> None:
    of_others = set(active_children())
    computers = Computers(effort=0.01, beat=0)
    async with table(tmp_path / "ambit.db", 1, computers=computers) as room:
        number = await sit_with_computers(room, "ambush", 2, "easy")
        assert "**Hint:**" in (await hinted(room.people[0], room.channel, match=number)).content
        await asyncio.gather(*(DRAWER.drawn(os.getpid) for _ in range(FEW + 1)))
        processes = set(active_children()) - of_others
        assert len(processes) >= 2
        await room.bot.close()
    for process in processes:
        assert await asyncio.to_thread(wait, [process.sentinel], WAIT)


async def test_processes_that_nobody_has_needed_for_long_go_when_the_bot_is_told_the_time(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 1, computers=Computers(effort=0.01, beat=0), clock=clock) as room:
        of_others = set(active_children())
        await room.bot.computers.background.run(int, "7")
        await asyncio.gather(*(DRAWER.drawn(os.getpid) for _ in range(FEW + 1)))
        processes = set(active_children()) - of_others
        assert len(processes) == 2
        for _ in range(2):
            room.bot.let_idle_go(clock.now())
            clock.advance(IDLE + timedelta(seconds=1))
        for process in processes:
            assert await asyncio.to_thread(wait, [process.sentinel], WAIT)
