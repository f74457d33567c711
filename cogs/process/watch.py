"""Looks every few seconds whether the process still carries its shards, and what the server's clock says."""

from __future__ import annotations

from typing import Final

from discord.ext import commands, tasks

from cogs.client import Client

EVERY: Final = 2.0
"""Seconds within which a lock is taken anew that went with its connection."""

ASKS: Final = 10.0
"""Seconds after which the server's clock is asked for: the process's own stands still while its machine sleeps."""


class Watch(commands.Cog):
    """For a process over a server; an SQLite file's locks cannot be lost, and it has no clock."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        self.keep.start()
        self.keep_clock.start()

    async def cog_unload(self) -> None:
        self.keep.cancel()
        self.keep_clock.cancel()

    @tasks.loop(seconds=EVERY)
    async def keep(self) -> None:
        """See to it that the shards are still carried; where another process has one, this one ends."""
        why = await self.bot.processes.keep()
        if why is not None:
            self.bot.end(why)
            self.keep.stop()

    @tasks.loop(seconds=ASKS)
    async def keep_clock(self) -> None:
        """Set the clock by which matches are played."""
        await self.bot.processes.keep_clock()
