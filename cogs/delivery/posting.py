"""Sends and edits the messages of a match in its place, whatever has become of that place (P17, P29)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import discord

from cogs.client import Client
from cogs.delivery import healing, threads
from cogs.post import boards
from cogs.press import places
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code, is_transient, may_pass, reason
from matches.api import Kind, Match, Telling, UserId, View
from matches.host.scheduler import MovedOn, Undelivered

log = logging.getLogger(__name__)

SILENT: Final = frozenset({Kind.AWAY, Kind.ROUND, Kind.NOT_ENDED, Kind.NOT_UNDONE, Kind.NOT_SEATED})
"""Posts that need no answer. They are sent without a notification."""

T = TypeVar("T")


def put_off(error: BaseException, *, for_long: bool = False) -> None:
    """Raise Undelivered if the same request may succeed within seconds; with `for_long` also within hours or days."""
    if is_transient(error) or (for_long and may_pass(error)):
        raise Undelivered(reason(error), soon=is_transient(error)) from error


class Posting:
    """Sends and edits messages of matches. Every method raises one of `faults.FAILURES` if Discord refuses."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    async def view(self, match: Match, user_id: UserId | None) -> View:
        """Return the match as this person may see it. Raises MovedOn if it is no longer at the ply of `match`."""
        view = await self.bot.host.look.view(match, user_id)
        if view.ply != match.ply:
            raise MovedOn
        return view

    async def post(
        self, match: Match, message: Message, row: Telling, *, nonce: int | str | None = None
    ) -> discord.Message:
        """Post a message in the match's place. If that fails, retry in the place that the match still has.

        The nonce is the row's id, unless the row has another message. So Discord refuses a duplicate after a crash
        between sending and storing.
        """
        try:
            sent = await self._send(match, message, row, nonce)
        except faults.FAILURES as error:
            match = await healing.recover_place(self.bot, match, error)
            _rewind(message)
            sent = await self._send(match, message, row, nonce)
        if match.lost is not None:
            await self.bot.host.reach.find(match.id)
        return sent

    async def _send(self, match: Match, message: Message, row: Telling, nonce: int | str | None) -> discord.Message:
        place = await threads.place_of(self.bot, match)

        async def send(message: Message) -> discord.Message:
            return await _sent(place, message, row, row.id if nonce is None else nonce)

        return await self._accepted(match, message, row, send)

    async def edit_board(self, match: Match, message: Message, row: Telling) -> bool:
        """Turn the match's latest board into this message, and return whether that worked, as `edited` does."""

        async def edit(message: Message) -> bool:
            return await self._changed(match.place_id, match.board_message_id, **message.arguments(edit=True))

        try:
            return await self._accepted(match, message, row, edit)
        except faults.FAILURES as error:
            if fault_of(error) in (Fault.TRANSIENT, Fault.MALFORMED):
                raise
            _rewind(message)
            return False

    async def edited(self, channel_id: int | None, message_id: int | None, **arguments: Any) -> bool:
        """Edit a message of the bot's, and return whether that worked. If not, the caller sends a new one.

        Raises one of `faults.FAILURES` only if a new message would fail, too.
        """
        try:
            return await self._changed(channel_id, message_id, **arguments)
        except faults.FAILURES as error:
            if fault_of(error) in (Fault.TRANSIENT, Fault.MALFORMED):
                raise
            return False

    async def _changed(self, channel_id: int | None, message_id: int | None, **arguments: Any) -> bool:
        if channel_id is None or message_id is None:
            return False
        await self.bot.get_partial_messageable(channel_id).get_partial_message(message_id).edit(**arguments)
        return True

    async def _accepted(
        self, match: Match, message: Message, row: Telling, show: Callable[[Message], Awaitable[T]]
    ) -> T:
        """Show a message. Where AutoMod blocks it, show it without people's words."""
        try:
            return await self._pictured(match, message, row, show)
        except faults.FAILURES as error:
            if fault_of(error) is not Fault.FILTERED:
                raise
            log.info("match %s: AutoMod blocks %s at ply %s: %s", match.id, row.kind, row.ply, error)
        _rewind(message)
        return await show(boards.in_other_words(match, message))

    async def _pictured(
        self, match: Match, message: Message, row: Telling, show: Callable[[Message], Awaitable[T]]
    ) -> T:
        """Show a message. Where pictures are forbidden, show the board in words."""
        in_words = None
        if message.in_words is not None:
            in_words = message.without_pictures()
        if in_words is not None and not places.may_attach_in(self.bot, match):
            return await show(in_words)
        try:
            return await show(message)
        except faults.FAILURES as error:
            forbidden = has_code(error, *faults.NO_PICTURES)
            if in_words is None or not (forbidden or fault_of(error) is Fault.MALFORMED):
                raise
            if not forbidden:
                log.error("match %s: Discord refuses a picture at ply %s: %s", match.id, row.ply, error)
        shown = await show(in_words)
        if forbidden:
            places.note_refused_picture(self.bot, match)
        return shown


async def _sent(place: discord.PartialMessageable, message: Message, row: Telling, nonce: int | str) -> discord.Message:
    """Send a message with this nonce, and return it.

    If the answer to an earlier try was lost, Discord returns the message of that try. If the match has moved on since,
    this edits that message to show the current state, since it will count as delivered.
    """
    sent = await place.send(nonce=nonce, silent=row.kind in SILENT, **message.arguments(edit=False))
    wanted = message.view.to_components() if message.view is not None else []
    if _custom_ids(part.to_dict() for part in sent.components) != _custom_ids(wanted):
        _rewind(message)
        await sent.edit(**message.arguments(edit=True))
    return sent


class Deliverer:
    """Delivers some kinds of news, mostly by `Posting`."""

    def __init__(self, bot: Client, posting: Posting) -> None:
        self.bot = bot
        self.posting = posting


def _rewind(message: Message) -> None:
    """Let the pictures of a message be sent again."""
    for picture in message.pictures:
        picture.reset()


def _custom_ids(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the custom_ids of all buttons in these rows."""
    return [part["custom_id"] for row in rows for part in row.get("components", ()) if "custom_id" in part]
