"""``/settings block|unblock|blocked``, and the same from a person's menu: whom somebody wants to be kept away from."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Message, Press, whisper
from matches.api import UserId

IN_MENU: Final = "Keep me away from them"
WHAT_IT_DOES: Final = (
    "Their invitations won't ring for you, I'll ask you before you join a table where they are, and I'll tell you when "
    "they join yours. Tables that you open from now on wait until you press **Start**, whoever joins; `start:full` "
    "changes that. Only you can see your list (`/settings blocked`)."
)


class ApartCommands(commands.Cog):
    """The part of ``/settings`` that keeps a private list."""

    bot: Client

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.menu = app_commands.ContextMenu(name=IN_MENU, callback=self._block_from_menu)

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.menu)

    async def cog_unload(self) -> None:
        self.bot.tree.remove_command(IN_MENU, type=self.menu.type)

    @app_commands.command(description="Keep me away from somebody; they won't be told.")
    @app_commands.describe(person="Who to keep away from.")
    async def block(self, interaction: Interaction, person: discord.User) -> None:
        """``/settings block``."""
        async with answered(interaction) as press:
            await _block(press, person)

    @app_commands.command(description="Take somebody off your list.")
    @app_commands.describe(person="Who to take off your list.")
    async def unblock(self, interaction: Interaction, person: discord.User) -> None:
        """``/settings unblock``."""
        async with answered(interaction) as press:
            was = await self.bot.host.settings.unblock(press.person, UserId(person.id))
            sentence = "is off your list." if was else "isn't on your list."
            await whisper(press, Message(f"<@{person.id}> {sentence}"))

    @app_commands.command(description="Your list of people to keep away from, shown only to you.")
    async def blocked(self, interaction: Interaction) -> None:
        """``/settings blocked``."""
        async with answered(interaction) as press:
            people = await self.bot.host.settings.blocked(press.person)
            named = " ".join(f"<@{each}>" for each in people)
            text = f"I'm keeping you away from {named}\nTake somebody off with `/settings unblock`."
            await whisper(press, Message(text if people else "Nobody is on your list."))

    async def _block_from_menu(self, interaction: Interaction, person: discord.User) -> None:
        async with answered(interaction) as press:
            await _block(press, person)


async def _block(press: Press, person: discord.abc.User) -> None:
    await press.host.settings.block(press.person, UserId(person.id))
    await whisper(press, Message(f"I'll keep you away from <@{person.id}>. {WHAT_IT_DOES}"))
