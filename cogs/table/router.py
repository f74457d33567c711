"""Every press and every pick goes through here: to its handler by verb, with every error answered.

Two `DynamicItem` classes are enough for all buttons and menus, because what they mean stands in the custom_id.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, Self

import discord
from discord.ext import commands

from cogs.client import Client
from cogs.table.ids import BUTTON, MENU, Ref, parse
from cogs.table.reply import Interaction, Message, answered, whisper

Handler = Callable[[Interaction, Ref, tuple[str, ...]], Awaitable[None]]
"""Called with the interaction, what the component carries, and the picked values (none for a button)."""

OUT_OF_DATE: Final = "This button is out of date. Use the newest board post, or `/match board`."

OURS: Final = (f"{BUTTON}:", f"{MENU}:")


class Press(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?s:b:.*)"):
    """Any button of Ambit's."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Button)
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await _router(interaction).dispatch(interaction, self.item.custom_id or "")


class Pick(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=r"(?s:s:.*)"):
    """Any menu of Ambit's."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Select)
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await _router(interaction).dispatch(interaction, self.item.custom_id, self.item.values)


def button(
    ref: Ref,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    row: int | None = None,
    disabled: bool = False,
) -> Press:
    """A button with this meaning."""
    custom_id = ref.custom_id(BUTTON)
    return Press(discord.ui.Button(label=label, style=style, custom_id=custom_id, row=row, disabled=disabled))


def menu(ref: Ref, options: list[discord.SelectOption], placeholder: str) -> Pick:
    """A menu of 1 to 25 options from which one is picked."""
    return Pick(discord.ui.Select(custom_id=ref.custom_id(MENU), options=options, placeholder=placeholder[:150]))


def view(*items: discord.ui.Item[Any]) -> discord.ui.View:
    """A message's components; it never times out, since nothing of it is kept in memory."""
    made = discord.ui.View(timeout=None)
    for item in items:
        made.add_item(item)
    return made


class Router(commands.Cog):
    """Registers the two item classes, knows the handler of every verb and answers what nobody handles."""

    def __init__(self, bot: Client, handlers: Mapping[str, Handler]) -> None:
        self.bot = bot
        self.handlers = handlers

    async def cog_load(self) -> None:
        self.bot.add_dynamic_items(Press, Pick)

    async def dispatch(self, interaction: Interaction, custom_id: str, values: Iterable[str] = ()) -> None:
        """Lead one press to its handler; what nobody handles is answered, too."""
        async with answered(interaction):
            ref = parse(custom_id)
            handler = self.handlers.get(ref.verb) if ref is not None else None
            if ref is None or handler is None:
                await whisper(interaction, Message(OUT_OF_DATE))
                return
            await handler(interaction, ref, tuple(values))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer what no item of ours will: a custom_id of another shape, or a modal of an earlier process."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        custom_id = str(dict(interaction.data or {}).get("custom_id", ""))
        if not custom_id.startswith(OURS) and not interaction.response.is_done():
            async with answered(interaction):
                await whisper(interaction, Message(OUT_OF_DATE))


def _router(interaction: discord.Interaction[Any]) -> Router:
    cog = interaction.client.get_cog(Router.__name__)
    assert isinstance(cog, Router)
    return cog
