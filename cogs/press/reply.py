"""Answers to one interaction, always acknowledged in time, secrets only to that person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

import discord

from cogs.client import Client
from cogs.text.words import MAX_CONTENT

Interaction: TypeAlias = discord.Interaction[Client]
"""One press, pick or command of a person, as this bot receives it."""

T = TypeVar("T")

PATIENCE: Final = 0.8
"""Seconds after which slow work is announced to Discord (which waits 3 s for the first answer, however many ask)."""

_PROMISE: Final = "ambit promise"
_STAYS: Final = "ambit stays"


@dataclass
class Message:
    """What a message is to hold; everything that it held before is replaced when it is edited.

    `keeps_pictures`: but for its pictures, which are not sent again.
    """

    content: str
    pictures: list[discord.File] = field(default_factory=list)
    view: discord.ui.View | None = None
    mentions: discord.AllowedMentions = field(default_factory=discord.AllowedMentions.none)
    keeps_pictures: bool = False

    def arguments(self, *, edit: bool) -> dict[str, Any]:
        """The keyword arguments for sending it, or for editing a message into it."""
        arguments: dict[str, Any] = {"content": self.content[:MAX_CONTENT], "allowed_mentions": self.mentions}
        if edit:
            pictures = {} if self.keeps_pictures else {"attachments": self.pictures}
            return arguments | pictures | {"view": self.view}
        if self.pictures:
            arguments["files"] = self.pictures
        if self.view is not None:
            arguments["view"] = self.view
        return arguments


class Promise:
    """Sees to it that Discord hears in time that an answer is coming, wherever the time goes.

    `edit`: the answer will change the pressed message; otherwise it will be a private one.
    """

    def __init__(self, interaction: Interaction) -> None:
        self.edit = False
        self._interaction = interaction
        self._announcing: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._announce)

    def _announce(self) -> None:
        self._announcing = asyncio.ensure_future(self._defer())

    async def _defer(self) -> None:
        response = self._interaction.response
        if not response.is_done():
            await (
                response.defer() if self.edit else response.defer(ephemeral=_vanishes(self._interaction), thinking=True)
            )

    async def settle(self) -> None:
        """Before an answer is sent: none is announced from now on, or it has been. Raises what that has raised."""
        self._timer.cancel()
        if self._announcing is not None:
            await self._announcing


@asynccontextmanager
async def promised(interaction: Interaction) -> AsyncIterator[None]:
    """Around the handling of an interaction: it is acknowledged after `PATIENCE` seconds at the latest."""
    if interaction.type is discord.InteractionType.autocomplete:
        yield
        return
    promise = interaction.extras[_PROMISE] = Promise(interaction)
    try:
        yield
    finally:
        await promise.settle()


async def _settled(interaction: Interaction) -> None:
    if (promise := interaction.extras.get(_PROMISE)) is not None:
        await promise.settle()


def will_edit(interaction: Interaction, edit: bool = True) -> None:
    """Say whether the answer will change the pressed message; until that is said it is taken for a private one."""
    if (promise := interaction.extras.get(_PROMISE)) is not None:
        promise.edit = edit


def stay_in_dms(interaction: Interaction) -> None:
    """Say that what is answered is to be read again later: in a DM, where nobody else is, it is a plain message."""
    if interaction.guild_id is None:
        interaction.extras[_STAYS] = True


def _vanishes(interaction: Interaction) -> bool:
    """Whether a private answer is one that Discord does not keep."""
    return _STAYS not in interaction.extras


async def in_time(interaction: Interaction, work: Awaitable[T], *, edit: bool = False) -> T:
    """The result of `work`; where it takes long, Discord is told first that the answer is coming.

    `edit` keeps the pressed message as the one that is answered into; otherwise the answer is private.
    """
    will_edit(interaction, edit)
    return await work


async def whisper(interaction: Interaction, message: Message) -> None:
    """A new message that only this person sees."""
    await _settled(interaction)
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(**message.arguments(edit=True))
    elif interaction.response.is_done():
        await interaction.followup.send(ephemeral=_vanishes(interaction), **message.arguments(edit=False))
    else:
        hidden = _vanishes(interaction)
        await interaction.response.send_message(ephemeral=hidden, **message.arguments(edit=False))


async def announce(interaction: Interaction, message: Message, promised: str) -> int | None:
    """A new message that everybody sees; its id. `promised` fills a private answer that was announced before."""
    await _settled(interaction)
    if not interaction.response.is_done():
        response = await interaction.response.send_message(**message.arguments(edit=False))
        return response.message_id
    await interaction.edit_original_response(content=promised)
    sent = await interaction.followup.send(wait=True, **message.arguments(edit=False))
    return sent.id


def _is_seen_by_all(pressed: discord.Message | None) -> bool:
    """Whether what was pressed is a message in a server's channel that is not for one person only."""
    return pressed is not None and pressed.guild is not None and not pressed.flags.ephemeral


async def take_buttons(interaction: Interaction) -> None:
    """Take the buttons off the message that was pressed, which is out of date; what is said about it comes after.

    An answer to an interaction is no request that counts. Where one was announced before, they stay.
    """
    await _settled(interaction)
    if not interaction.response.is_done():
        await interaction.response.edit_message(view=None)


async def acknowledge(interaction: Interaction) -> None:
    """Say that the press was heard, and change nothing."""
    await _settled(interaction)
    if not interaction.response.is_done():
        await interaction.response.defer()


async def turn_into(interaction: Interaction, message: Message, *, public: bool = False) -> None:
    """Change the message that was pressed (or the answer already given) into this one.

    What everybody sees is changed only where that is meant (`public`); pages for one person answer in private there.
    """
    await _settled(interaction)
    if not public and _is_seen_by_all(interaction.message):
        await whisper(interaction, message)
    elif interaction.response.is_done():
        await interaction.edit_original_response(**message.arguments(edit=True))
    else:
        await interaction.response.edit_message(**message.arguments(edit=True))
