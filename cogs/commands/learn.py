"""``/learn``: a game learned by playing its lessons."""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands.match import EVERYWHERE
from cogs.learn import learning
from cogs.press.boundary import answered
from cogs.press.reply import Interaction
from games import GAMES
from games.typed import fold
from matches.api import NotFound

MAX_CHOICES: Final = 25


class LearnCog(commands.Cog):
    """``/learn``."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    @app_commands.command(description="Learn a game by playing: a few short lessons, just for you.")
    @app_commands.describe(
        game="Which game (leave it out to see how far you are).",
        move="Your move in notation, if you'd rather type than press.",
    )
    async def learn(self, interaction: Interaction, game: str | None = None, move: str | None = None) -> None:
        """Where somebody is in the lessons of a game; all games without one."""
        async with answered(interaction) as press:
            if game is None:
                if move is not None:
                    raise NotFound("Which game is that move for? Please fill in `game`, too.")
                await learning.list_courses(press)
            elif move is None:
                await learning.open_course(press, _meant(game))
            else:
                await learning.try_typed(press, _meant(game), move)

    @learn.autocomplete("game")
    async def _games(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        async with answered(interaction) as press:
            typed = fold(current)
            standings = await learning.courses(press)
            named = {each.game: GAMES[each.game].info.name for each in standings}
            found = {game: name for game, name in named.items() if typed in fold(name) or typed in game}
            return [app_commands.Choice(name=name, value=game) for game, name in found.items()][:MAX_CHOICES]
        return []

    @learn.autocomplete("move")
    async def _moves(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        async with answered(interaction) as press:
            game = vars(press.interaction.namespace).get("game") or ""
            moves = await learning.moves(press, _meant(game))
            typed = current.casefold()
            found = {
                text: f"{text} · {words}" for text, words in moves.items() if typed in f"{text} {words}".casefold()
            }
            return [app_commands.Choice(name=name[:100], value=text) for text, name in found.items()][:MAX_CHOICES]
        return []

    async def cog_load(self) -> None:
        self.learn.allowed_contexts = EVERYWHERE


def _meant(written: str) -> str:
    """The key of the game that somebody picked or wrote. Raises NotFound."""
    for key, game in GAMES.items():
        if fold(written) in (key, fold(game.info.name)):
            return key
    raise NotFound("I don't know that game. `/learn` alone shows which ones you can learn.")
