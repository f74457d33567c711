"""``/settings block|unblock|blocked``, and `block` in a person's menu: the list of people to be kept away from."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands

from cogs.commands.slash import EVERYWHERE, Command, Option
from cogs.press import late_presses, places
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Message, Press, whisper
from matches.api import UserId

IN_MENU: Final = "Keep me away from them"
WHAT_IT_DOES: Final = (
    "Their invitations won't ring for you, I'll ask you before you join a table where they are, and I'll tell you when "
    "they join yours. Tables that you open from now on wait until you press **Start**, whoever joins; `start:full` "
    "changes that. Only you can see your list (`/settings blocked`)."
)


def menu() -> app_commands.ContextMenu:
    """``/settings block`` in the menu of a person."""

    async def callback(interaction: Interaction, person: discord.User) -> None:
        async with answered(interaction) as press:
            await late_presses.refuse(press)
            places.refuse_outside(press)
            await _block(press, person)

    made = app_commands.ContextMenu(name=IN_MENU, callback=callback)
    made.allowed_contexts = EVERYWHERE
    return made


async def _block(press: Press, person: discord.User) -> None:
    await press.host.settings.block(press.person, UserId(person.id))
    await whisper(press, Message(f"I'll keep you away from <@{person.id}>. {WHAT_IT_DOES}"))


async def _unblock(press: Press, person: discord.User) -> None:
    was = await press.host.settings.unblock(press.person, UserId(person.id))
    sentence = "is off your list." if was else "isn't on your list."
    await whisper(press, Message(f"<@{person.id}> {sentence}"))


async def _blocked(press: Press) -> None:
    people = await press.host.settings.blocked(press.person)
    named = " ".join(f"<@{each}>" for each in people)
    text = f"I'm keeping you away from {named}\nTake somebody off with `/settings unblock`."
    await whisper(press, Message(text if people else "Nobody is on your list."))


def _person(explained: str) -> dict[str, Option]:
    return {"person": Option(discord.User, explained, required=True)}


COMMANDS: Final = (
    Command("block", "Keep me away from somebody; they won't be told.", _block, _person("Who to keep away from.")),
    Command("unblock", "Take somebody off your list.", _unblock, _person("Who to take off your list.")),
    Command("blocked", "Your list of people to keep away from, shown only to you.", _blocked),
)
