"""Whom somebody wants to be kept away from: a page of ``/settings me``, and an entry of a person's menu."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands

from cogs.commands.setting_pages import People
from cogs.commands.slash import EVERYWHERE
from cogs.press import late_presses, places
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Message, Press, whisper
from matches.api import UserId

IN_MENU: Final = "Keep me away from them"
WHAT_IT_DOES: Final = (
    "Their invitations won't ring for you, I'll ask you before you join a table where they are, and I'll tell you when "
    "they join yours. Tables that you open from now on wait until you press **Start**, whoever joins; **Change …** "
    "there changes that. Only you can see your list, and nobody is told."
)


def menu() -> app_commands.ContextMenu:
    """The entry of a person's menu."""

    async def callback(interaction: Interaction, person: discord.User) -> None:
        async with answered(interaction) as press:
            await late_presses.refuse(press)
            places.refuse_outside(press)
            said = await _block(press, UserId(person.id), 0)
            await whisper(press, Message(f"{said} {WHAT_IT_DOES} `/settings me` has the list."))

    made = app_commands.ContextMenu(name=IN_MENU, callback=callback)
    made.allowed_contexts = EVERYWHERE
    return made


async def _block(press: Press, person: UserId, _: int) -> str:
    await press.host.settings.block(press.person, person)
    return f"I'll keep you away from <@{person}>."


async def _unblock(press: Press, person: UserId) -> str:
    was = await press.host.settings.unblock(press.person, person)
    sentence = "is off your list." if was else "isn't on your list."
    return f"<@{person}> {sentence}"


async def _blocked(press: Press) -> dict[UserId, str]:
    return dict.fromkeys(await press.host.settings.blocked(press.person), "")


PAGE: Final = People(
    "People to keep away from", WHAT_IT_DOES, "Keep me away from …", listed=_blocked, put=_block, take=_unblock
)
