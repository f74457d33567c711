"""Leads every press and every pick to the handler of its verb, and answers every error."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Final

import discord
from discord.ext import commands

from cogs.client import Client
from cogs.press import late_presses, places, rights
from cogs.press.boundary import answered
from cogs.press.components import Item, Verb
from cogs.press.custom_ids import BUTTON, MENU, NOTHING, parse
from cogs.press.reply import Interaction, Message, whisper
from cogs.text.words import OUT_OF_DATE
from matches.api import NOT_OFFERED, NotAllowed

OURS: Final = (f"{BUTTON}:", f"{MENU}:")


class Router(commands.Cog):
    """Registers the class of all buttons and menus, knows the handler of every verb and answers what nobody handles.

    `left_out`: the verbs of features that this bot doesn't have.
    """

    def __init__(self, bot: Client, verbs: Mapping[str, Verb], left_out: Container[str] = ()) -> None:
        self.bot = bot
        self.verbs = verbs
        self._left_out = left_out

    async def cog_load(self) -> None:
        self.bot.on_press = self.dispatch
        self.bot.add_dynamic_items(Item)

    async def dispatch(self, interaction: Interaction, custom_id: str, values: tuple[str, ...]) -> None:
        """Lead one press to its handler. A press without a handler is answered as out of date."""
        ref = parse(custom_id) or NOTHING
        why = NOT_OFFERED if ref.verb in self._left_out else OUT_OF_DATE
        ref = ref if ref.verb in self.verbs else NOTHING
        async with answered(interaction, ref, values) as press:
            verb = self.verbs.get(ref.verb)
            if verb is None:
                raise NotAllowed(why)
            press.promise.edits = verb.edits(ref) if callable(verb.edits) else verb.edits
            await late_presses.refuse(press)
            places.refuse_outside(press)
            await verb.handler(replace(press, match=await rights.match_named(press)))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a component whose custom_id isn't ours, and a modal of an earlier process."""
        if interaction.type not in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            return
        custom_id = str(dict(interaction.data or {}).get("custom_id", ""))
        if not custom_id.startswith(OURS) and not interaction.response.is_done():
            async with answered(interaction) as press:
                places.refuse_outside(press)
                await whisper(press, Message(OUT_OF_DATE))
