"""Checks every few seconds that the process still holds the locks of its shards, and reads the server's clock."""

from __future__ import annotations

from typing import Final

from discord.ext import commands, tasks

from cogs.client import Client

LOCKS_EVERY: Final = 2.0
"""Seconds between two checks. A lock that was lost with its connection is taken again within this time."""

CLOCK_EVERY: Final = 10.0
"""Seconds between two looks at the server's clock: the process's own stops while its machine sleeps."""


class Watch(commands.Cog):
    """Only for a store on a server. An SQLite file's locks can't be lost, and it has no clock."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        self.keep.start()
        self.keep_clock.start()

    async def cog_unload(self) -> None:
        self.keep.cancel()
        self.keep_clock.cancel()

    @tasks.loop(seconds=LOCKS_EVERY)
    async def keep(self) -> None:
        """Renew the locks of the shards. If another process has one by now, end this process."""
        why = await self.bot.processes.keep()
        if why is not None:
            self.bot.end(why)
            self.keep.stop()

    @tasks.loop(seconds=CLOCK_EVERY)
    async def keep_clock(self) -> None:
        """Set the clock of all matches by the server's."""
        await self.bot.processes.keep_clock()
