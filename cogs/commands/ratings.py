"""``/leaderboard`` and ``/profile``: who is best here, and how somebody is doing."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands.match import EVERYWHERE
from cogs.look import leaderboard, profile
from cogs.press.boundary import answered
from cogs.press.reply import Interaction
from games import GAMES
from matches.api import UserId

_games = [app_commands.Choice(name=game.info.name, value=key) for key, game in GAMES.items()]
_season = "Which season (default: the current one)."


class RatingsCog(commands.Cog):
    """``/leaderboard`` and ``/profile``; in a direct message they say that they are about a server."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    @app_commands.command(name="leaderboard", description="Who is best at a game on this server, shown only to you.")
    @app_commands.describe(game="Which game (default: the one that counted most often here).", season=_season)
    @app_commands.choices(game=_games)
    async def show_leaderboard(
        self, interaction: Interaction, game: str | None = None, season: app_commands.Range[int, 1, 9999] | None = None
    ) -> None:
        """``/leaderboard``."""
        async with answered(interaction) as press:
            await leaderboard.show(press, game, season)

    @app_commands.command(name="profile", description="How somebody is doing on this server, shown only to you.")
    @app_commands.describe(person="Who (default: you).", season=_season)
    async def show_profile(
        self,
        interaction: Interaction,
        person: discord.User | None = None,
        season: app_commands.Range[int, 1, 9999] | None = None,
    ) -> None:
        """``/profile``."""
        async with answered(interaction) as press:
            await profile.show(press, UserId((person or press.interaction.user).id), season)

    async def cog_load(self) -> None:
        for command in (self.show_leaderboard, self.show_profile):
            command.allowed_contexts = EVERYWHERE
