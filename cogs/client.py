"""What the cogs know of the bot: discord.py's, with the host of all matches beside it."""

from __future__ import annotations

from discord.ext import commands

from matches import Host


class Client(commands.AutoShardedBot):
    """The bot as its cogs see it; `bot.Ambit` is the one that runs. `host` is there before the gateway is."""

    host: Host
