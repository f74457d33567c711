"""Discord's face: one short cog per game, which is found by its key, and the rooms that all games share.

From the ground up: `log_format` (the log), `drawing` (where pictures are drawn), `servers` (what is known of Discord's
servers) and `gate` (which process takes a press); `client` (the bot as cogs know it); `process` (settings, limits,
shards, health), `text` (sentences), `press` (a press in, an answer out), `post` (messages about a match), `lobby`
(before a match), `play` (moving), `look` (looking at a match), `delivery` (sending news of matches), `learn` (lessons
and puzzles), `commands`; and `preview`, which serves the bot without Discord.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

import discord

from cogs.client import Client
from cogs.commands import apart, finding, help, operator, privacy, settings, want
from cogs.commands.game_cog import GameCog
from cogs.commands.learn import LEARN
from cogs.commands.match import MATCH
from cogs.commands.ratings import LEADERBOARD, PROFILE
from cogs.commands.slash import to_discord
from cogs.commands.solve import PUZZLE
from cogs.delivery.porter import Porter
from cogs.learn import learning, puzzling, retrying
from cogs.lobby import appointments, lobby_buttons
from cogs.look import (
    animation,
    fair_deal,
    highlights,
    leaderboard,
    playing_on,
    private,
    profile,
    replay,
    review,
    rule_pages,
    showing,
)
from cogs.play import away, beforehand, ending, hint, panel, seats, suspecting
from cogs.press.components import Verb
from cogs.press.router import Router
from cogs.process.watch import Watch
from games import GAMES

_WITH_VERBS: Final = (
    *(animation, appointments, away, beforehand, ending, fair_deal, finding, help, highlights, hint, learning),
    *(leaderboard, lobby_buttons, operator, panel, playing_on, privacy, private, profile, puzzling, replay, retrying),
    *(review, rule_pages, seats, settings, showing, suspecting, want),
)
HANDLERS: Final[dict[str, Verb]] = {name: verb for module in _WITH_VERBS for name, verb in module.HANDLERS.items()}
"""What every button and menu does, by the verb in its custom_id."""


def game_cog(game: str) -> type[GameCog]:
    """The cog of a game, from the module of its key. Raises ImportError or LookupError if there is none."""
    for each in vars(import_module(f"{__name__}.{game}")).values():
        if isinstance(each, type) and issubclass(each, GameCog) and each is not GameCog and each.game == game:
            return each
    raise LookupError(f"In cogs.{game} there is no cog of the game {game}.")


async def add_all(bot: Client) -> None:
    """Add every cog and every command; called once, before the gateway connects."""
    await bot.add_cog(Router(bot, HANDLERS))
    await bot.add_cog(Porter(bot))
    if bot.processes.may_lose:
        await bot.add_cog(Watch(bot))
    for row in (MATCH, help.HELP, LEARN, PUZZLE, settings.SETTINGS, privacy.PRIVACY, LEADERBOARD, PROFILE):
        bot.tree.add_command(to_discord(row))
    bot.tree.add_command(apart.menu())
    if bot.operator_guild is not None:
        bot.tree.add_command(operator.group(), guild=discord.Object(bot.operator_guild))
    for game in GAMES:
        await bot.add_cog(game_cog(game)(bot))
