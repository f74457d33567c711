"""Answers to one interaction: acknowledged in time, with secrets only for that person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import discord

from cogs.client import Client
from cogs.press.custom_ids import NOTHING, Ref
from cogs.text.words import MAX_CONTENT, fitted
from matches.api import Host, Match, MatchId, Once, UserId

Interaction: TypeAlias = discord.Interaction[Client]
"""One press, pick or command of a person, as this bot receives it."""

PATIENCE: Final = 0.8
"""Seconds after which an unanswered interaction is deferred. Discord waits 3 s for the first response."""


_UNANSWERED: Final = (None, discord.InteractionResponseType.deferred_message_update)
"""The types of response after which the pressed message can still be edited as the answer."""


@dataclass
class Message:
    """The content of a message. An edit replaces everything; with `keeps_pictures` it leaves the attachments alone.

    `in_words`: what the pictures show, for places where the bot may not post pictures.
    """

    content: str
    pictures: list[discord.File] = field(default_factory=list)
    view: discord.ui.View | None = None
    mentions: discord.AllowedMentions = field(default_factory=discord.AllowedMentions.none)
    keeps_pictures: bool = False
    in_words: str | None = None

    def without_pictures(self) -> Message:
        """Return this message with words instead of its pictures."""
        return replace(self, content=fitted("", self.content, self.in_words or ""), pictures=[])

    def arguments(self, *, edit: bool) -> dict[str, Any]:
        """The keyword arguments for sending this message, or for an edit that turns another one into it."""
        arguments: dict[str, Any] = {"content": self.content[:MAX_CONTENT], "allowed_mentions": self.mentions}
        if edit:
            pictures = {} if self.keeps_pictures else {"attachments": self.pictures}
            return arguments | pictures | {"view": self.view}
        if self.pictures:
            arguments["files"] = self.pictures
        if self.view is not None:
            arguments["view"] = self.view
        return arguments


class Instead(Exception):
    """Raised where a person is shown a message instead of what they asked for."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.content)
        self.message = message


class Promise:
    """Defers the interaction if the answer takes longer than `PATIENCE`.

    `edits`: the answer will edit the pressed message; otherwise it will be a private message. `stays`: it won't be
    ephemeral. `settles`: the pressed message is a private question, so the first private answer replaces it.
    """

    def __init__(self) -> None:
        self.edits = self.stays = self.settles = False
        self.adds = ""
        """A sentence that the next private answer adds. It is empty again once Discord has taken that answer."""
        self.added: Callable[[], None] = lambda: None
        """Called once Discord has taken that answer."""
        self.timer: asyncio.TimerHandle | None = None
        self.announcing: asyncio.Task[None] | None = None

    async def settle(self) -> None:
        """Cancel the timer, or wait for a deferral under way. Call it before an answer.

        Raises what the deferral raised.
        """
        if self.timer is not None:
            self.timer.cancel()
        if self.announcing is not None:
            await self.announcing


@dataclass(frozen=True)
class Press:
    """One press, pick or command of a person, which the bot answers.

    `ref` is what the pressed button or menu carries, and `values` are the entries that were picked in the menu, or what
    was written in a form. A command has neither. `match` is the match that `ref` names, if the person may look at it.
    """

    interaction: Interaction
    ref: Ref = NOTHING
    values: tuple[str, ...] = ()
    match: Match | None = None
    promise: Promise = field(default_factory=Promise)

    @property
    def id(self) -> int:
        """The interaction's id. A change is stored with it, so that Discord's redelivery changes nothing."""
        return self.interaction.id

    @property
    def picked(self) -> str:
        """The entry that was picked in a menu; an empty text for a button or a command."""
        return self.values[0] if self.values else ""

    @property
    def written(self) -> str:
        """What was written in a form, or is written again by a button; an empty text for another button."""
        return self.picked or next(iter(self.ref.path), "")

    def once(self, match_id: MatchId) -> Once:
        """This match, for a change that is made only once, however often Discord delivers the press."""
        return Once(match_id, self.id)

    @property
    def person(self) -> UserId:
        return UserId(self.interaction.user.id)

    @property
    def bot(self) -> Client:
        return self.interaction.client

    @property
    def host(self) -> Host:
        return self.bot.host


async def defer(press: Press) -> None:
    """Tell Discord that the answer follows, unless there is one already."""
    promise, response = press.promise, press.interaction.response
    if response.is_done():
        return
    if promise.edits:
        await response.defer()
    else:
        await response.defer(ephemeral=not promise.stays, thinking=True)


@asynccontextmanager
async def promised(press: Press) -> AsyncIterator[None]:
    """Around the handling of an interaction: defer it unless it is answered within `PATIENCE` seconds."""
    promise, interaction = press.promise, press.interaction

    def announce() -> None:
        promise.announcing = asyncio.ensure_future(defer(press))

    if interaction.type is not discord.InteractionType.autocomplete:
        promise.timer = asyncio.get_running_loop().call_later(PATIENCE, announce)
    try:
        yield
    finally:
        await promise.settle()


def stay_in_dms(press: Press) -> None:
    """Let the answer stay if the person pressed in a DM, so that they can read it again later."""
    if press.interaction.guild_id is None:
        press.promise.stays = True


async def whisper(press: Press, message: Message) -> None:
    """A new message that only this person sees."""
    message = _with_addition(press, message)
    await press.promise.settle()
    if press.promise.settles and press.interaction.response.type in _UNANSWERED:
        press.promise.settles = False
        await turn_into(press, message)
    elif press.interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await press.interaction.edit_original_response(**message.arguments(edit=True))
    else:
        response, followup = press.interaction.response, press.interaction.followup
        send: Any = followup.send if response.is_done() else response.send_message
        await send(ephemeral=not press.promise.stays, **message.arguments(edit=False))
    _note_addition(press)


def _with_addition(press: Press, message: Message) -> Message:
    """Return the message with what `promise.adds` says at its end. A long message is cut for that."""
    added = press.promise.adds and f"\n{press.promise.adds}"
    if not added or message.content.endswith(added):
        return message
    return replace(message, content=message.content[: MAX_CONTENT - len(added)] + added)


def _note_addition(press: Press) -> None:
    """Note that Discord has taken an answer with the sentence `promise.adds`."""
    if press.promise.adds:
        press.promise.adds = ""
        press.promise.added()


async def announce(press: Press, message: Message, promised: str) -> int | None:
    """Send a new message that everybody sees; its id. A deferred interaction gets `promised` as its private answer."""
    await press.promise.settle()
    if not press.interaction.response.is_done():
        response = await press.interaction.response.send_message(**message.arguments(edit=False))
        return response.message_id
    await press.interaction.edit_original_response(content=promised)
    sent = await press.interaction.followup.send(wait=True, **message.arguments(edit=False))
    return sent.id


def _is_seen_by_all(press: Press) -> bool:
    """Whether the pressed message is in a server's channel and not ephemeral."""
    pressed = press.interaction.message
    return pressed is not None and press.interaction.guild_id is not None and not pressed.flags.ephemeral


async def take_buttons(press: Press) -> None:
    """Remove the buttons of the pressed message, which is out of date. The answer to the press follows.

    As the interaction's first response this doesn't count against a rate limit. After a deferral the buttons stay.
    """
    await press.promise.settle()
    if not press.interaction.response.is_done():
        await press.interaction.response.edit_message(view=None)


async def ask_in(press: Press, form: discord.ui.Modal) -> None:
    """Open a form. It must be the first answer to a press: Discord opens none after a deferral."""
    await press.promise.settle()
    await press.interaction.response.send_modal(form)


async def acknowledge(press: Press) -> None:
    """Acknowledge the press, and change nothing."""
    await press.promise.settle()
    if not press.interaction.response.is_done():
        await press.interaction.response.defer()


async def turn_into(press: Press, message: Message, *, public: bool = False) -> None:
    """Edit the pressed message (or the answer already given) into this one.

    A message that everybody sees is edited only with `public`; otherwise the person gets a private answer.
    """
    await press.promise.settle()
    if not public and _is_seen_by_all(press):
        await whisper(press, message)
        return
    message = message if public else _with_addition(press, message)
    if press.interaction.response.is_done():
        await press.interaction.edit_original_response(**message.arguments(edit=True))
    else:
        await press.interaction.response.edit_message(**message.arguments(edit=True))
    if not public:
        _note_addition(press)


async def answer(press: Press, message: Message) -> None:
    """Put this in the place of the pressed message if the verb edits it; otherwise tell it in private."""
    await (turn_into if press.promise.edits else whisper)(press, message)
