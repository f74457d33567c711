"""``/settings bar|unbar|barred``: moderators keep somebody out of their server's matches for a time.

The commands; `db/people/bars.py` has the queries.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.press import rights
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Message, whisper
from cogs.text import words
from matches.api import UserId

LONGEST: Final = 365


class BarCommands(commands.Cog):
    """The part of ``/settings`` that is for a server's moderators."""

    bot: Client

    @app_commands.command(description="Bar somebody from matches on this server for some days (Manage Messages).")
    @app_commands.describe(person="Who can't open or join matches here.", days="How many days.")
    async def bar(
        self, interaction: Interaction, person: discord.User, days: app_commands.Range[int, 1, LONGEST]
    ) -> None:
        """``/settings bar``."""
        async with answered(interaction) as press:
            guild = rights.moderated_server(press)
            until = self.bot.host.now() + timedelta(days=days)
            await self.bot.host.settings.bar(guild, UserId(person.id), until)
            when = discord.utils.format_dt(until, "f")
            text = (
                f"<@{person.id}> can't open or join matches on this server until {when}. They've lost their seats at "
                "tables that haven't started. Running matches continue."
            )
            await whisper(press, Message(text))

    @app_commands.command(description="Let somebody play on this server again (Manage Messages).")
    @app_commands.describe(person="Who can open and join matches again.")
    async def unbar(self, interaction: Interaction, person: discord.User) -> None:
        """``/settings unbar``."""
        async with answered(interaction) as press:
            was = await self.bot.host.settings.unbar(rights.moderated_server(press), UserId(person.id))
            sentence = "can play on this server again." if was else "isn't barred on this server."
            await whisper(press, Message(f"<@{person.id}> {sentence}"))

    @app_commands.command(description="Who is barred from matches on this server (Manage Messages).")
    async def barred(self, interaction: Interaction) -> None:
        """``/settings barred``."""
        async with answered(interaction) as press:
            found = await self.bot.host.settings.barred(rights.moderated_server(press))
            rows = [f"<@{user_id}> until {discord.utils.format_dt(until, 'f')}" for user_id, until in found]
            await whisper(press, Message(words.first_that_fit(rows or ["Nobody is barred on this server."])))
