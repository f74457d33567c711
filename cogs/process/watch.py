"""Looks every few seconds whether the process still carries its shards, and every hour at the clocks."""

from __future__ import annotations

from typing import Final

from discord.ext import commands, tasks

from cogs.client import Client

EVERY: Final = 2.0
"""Seconds within which a lock is taken anew that went with its connection."""


class Watch(commands.Cog):
    """For a process over a server; an SQLite file's locks cannot be lost, and its clock is this machine's."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        self.keep.start()
        self.look_at_clock.start()

    async def cog_unload(self) -> None:
        self.keep.cancel()
        self.look_at_clock.cancel()

    @tasks.loop(seconds=EVERY)
    async def keep(self) -> None:
        """See to it that the shards are still carried; where another process has one, this one ends."""
        why = await self.bot.processes.keep()
        if why is not None:
            self.bot.end(why)
            self.keep.stop()

    @tasks.loop(hours=1)
    async def look_at_clock(self) -> None:
        """Compare the clocks."""
        await self.bot.processes.look_at_clock()
