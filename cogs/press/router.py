"""Leads every press, every pick and every form that is sent to the handler of its verb, and answers every error."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord.ext import commands

from cogs.client import Client
from cogs.press import late_presses, places, rights
from cogs.press.boundary import answered
from cogs.press.components import Verb
from cogs.press.custom_ids import BUTTON, FORM, MENU, NOTHING, TYPED, parse
from cogs.press.reply import Interaction, Message, Press, ask_in, whisper
from cogs.text.words import OUT_OF_DATE
from matches.api import NOT_OFFERED, NotAllowed

OURS: Final = (f"{BUTTON}:", f"{MENU}:")
WRITTEN: Final = discord.InteractionType.modal_submit


class Router(commands.Cog):
    """Knows the handler of every verb, and answers what nobody handles.

    `left_out`: the verbs of features that this bot doesn't have.
    """

    def __init__(self, bot: Client, verbs: Mapping[str, Verb], left_out: Container[str] = ()) -> None:
        self.bot = bot
        self.verbs = verbs
        self._left_out = left_out

    async def dispatch(self, interaction: Interaction, custom_id: str, values: tuple[str, ...]) -> None:
        """Lead one press to its handler. A press without a handler is answered as out of date.

        A form opens at once, without a look at the store: nothing may come before it. What the person may do is
        checked when they send it. Until then they learn nothing.
        """
        ref = parse(custom_id) or NOTHING
        why = NOT_OFFERED if ref.verb in self._left_out else OUT_OF_DATE
        ref = ref if ref.verb in self.verbs else NOTHING
        async with answered(interaction, ref, values) as press:
            verb = self.verbs.get(ref.verb)
            if verb is None:
                raise NotAllowed(why)
            if verb.form is None and interaction.type is WRITTEN:
                places.refuse_outside(press)
                raise NotAllowed(why)
            if verb.form is not None and _opens_form(press):
                places.refuse_outside(press)
                await ask_in(press, verb.form.modal(ref))
                return
            press.promise.edits = verb.edits(ref) if callable(verb.edits) else verb.edits
            await late_presses.refuse(press)
            places.refuse_outside(press)
            await verb.handler(replace(press, match=await rights.match_named(press)))

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a press, a pick or a form that was sent, and answer one whose custom_id isn't ours."""
        if interaction.type not in (discord.InteractionType.component, WRITTEN):
            return
        data: dict[str, Any] = dict(interaction.data or {})
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is WRITTEN and custom_id.startswith(f"{FORM}:"):
            await self.dispatch(interaction, custom_id, tuple(row["component"]["value"] for row in data["components"]))
        elif custom_id.startswith(OURS):
            await self.dispatch(interaction, custom_id, tuple(map(str, data.get("values", ()))))
        elif not interaction.response.is_done():
            async with answered(interaction) as press:
                places.refuse_outside(press)
                await whisper(press, Message(OUT_OF_DATE))


def _opens_form(press: Press) -> bool:
    """Whether somebody has pressed what opens a form, and not sent one, or picked or pressed something else."""
    return press.interaction.type is not WRITTEN and (press.values or press.ref.path) in ((), (TYPED,))
