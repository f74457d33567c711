"""Answers to one interaction: always acknowledged in time, every error a sentence, secrets only to that person."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

import discord

from cogs.client import Client
from cogs.table.ids import Ref
from cogs.table.words import MAX_CONTENT
from matches import HostError

Interaction: TypeAlias = discord.Interaction[Client]
"""One press, pick or command of a person, as this bot receives it."""

log = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE: Final = 1.5
"""Seconds after which slow work is announced to Discord (which waits 3 s for the first answer)."""

ANSWERED_ELSEWHERE: Final = frozenset({10062, 40060, 50027})
"""Unknown interaction, already acknowledged, token expired: nobody is waiting for this answer any more."""


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


@asynccontextmanager
async def answered(interaction: Interaction) -> AsyncIterator[None]:
    """Around the handling of one interaction: whatever goes wrong becomes one private sentence."""
    try:
        with interaction.client.at_work():
            yield
    except HostError as error:
        await _tell(interaction, Message(str(error), view=rule_button(error, interaction)))
    except discord.HTTPException as error:
        if error.code in ANSWERED_ELSEWHERE:
            log.info("interaction %s was answered elsewhere or too late (%s)", interaction.id, error.code)
            return
        log.warning("Discord refused an answer to interaction %s: %s", interaction.id, error)
        await _tell(interaction, Message("Discord refused my answer. What you did is stored; the board shows it."))
    except Exception as error:  # The boundary: discord.py would only log it and leave the person without an answer.
        number = secrets.token_hex(3)
        log.exception("error %s in interaction %s", number, interaction.id, exc_info=error)
        await _tell(
            interaction,
            Message(f"Something went wrong on my side; the newest board shows what counts. (Error {number})"),
        )


async def _tell(interaction: Interaction, message: Message) -> None:
    """The last word to a person after an error; where even that fails it stands in the log."""
    if interaction.type is discord.InteractionType.autocomplete:
        return
    try:
        await whisper(interaction, message)
    except discord.HTTPException as error:
        log.warning("interaction %s could not be answered: %s", interaction.id, error)


def rule_button(error: HostError, interaction: Interaction) -> discord.ui.View | None:
    """A button that opens the rules at the section which a refusal names, where it names one."""
    from cogs.table import router, rules

    section = rules.section_for_refusal(str(error))
    if section is None:
        return None
    return router.view(router.button(Ref("rules", None, None, section), "Read this rule"))
