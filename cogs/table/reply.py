"""Answers to one interaction, always acknowledged in time, secrets only to that person."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

import discord

from cogs.client import Client
from cogs.table.words import MAX_CONTENT

Interaction: TypeAlias = discord.Interaction[Client]
"""One press, pick or command of a person, as this bot receives it."""

T = TypeVar("T")

PATIENCE: Final = 1.5
"""Seconds after which slow work is announced to Discord (which waits 3 s for the first answer)."""


@dataclass
class Message:
    """What a message is to hold; everything that it held before is replaced when it is edited."""

    content: str
    pictures: list[discord.File] = field(default_factory=list)
    view: discord.ui.View | None = None
    mentions: discord.AllowedMentions = field(default_factory=discord.AllowedMentions.none)

    def arguments(self, *, edit: bool) -> dict[str, Any]:
        """The keyword arguments for sending it, or for editing a message into it."""
        arguments: dict[str, Any] = {"content": self.content[:MAX_CONTENT], "allowed_mentions": self.mentions}
        if edit:
            return arguments | {"attachments": self.pictures, "view": self.view}
        if self.pictures:
            arguments["files"] = self.pictures
        if self.view is not None:
            arguments["view"] = self.view
        return arguments


async def in_time(interaction: Interaction, work: Awaitable[T], *, edit: bool = False) -> T:
    """The result of `work`; where it takes long, Discord is told first that the answer is coming.

    `edit` keeps the pressed message as the one that is answered into; otherwise the answer is private.
    """
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE)
    if not done and not interaction.response.is_done():
        if edit:
            await interaction.response.defer()
        else:
            await interaction.response.defer(ephemeral=True, thinking=True)
    return await task


async def whisper(interaction: Interaction, message: Message) -> None:
    """A new message that only this person sees."""
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(**message.arguments(edit=True))
    elif interaction.response.is_done():
        await interaction.followup.send(ephemeral=True, **message.arguments(edit=False))
    else:
        await interaction.response.send_message(ephemeral=True, **message.arguments(edit=False))


async def announce(interaction: Interaction, message: Message, promised: str) -> int | None:
    """A new message that everybody sees; its id. `promised` fills a private answer that was announced before."""
    if not interaction.response.is_done():
        response = await interaction.response.send_message(**message.arguments(edit=False))
        return response.message_id
    await interaction.edit_original_response(content=promised)
    sent = await interaction.followup.send(wait=True, **message.arguments(edit=False))
    return sent.id


async def turn_into(interaction: Interaction, message: Message) -> None:
    """Change the message that was pressed (or the answer already given) into this one."""
    if interaction.response.is_done():
        await interaction.edit_original_response(**message.arguments(edit=True))
    else:
        await interaction.response.edit_message(**message.arguments(edit=True))
