"""Updates the lobby message of a match: edits it, or posts it again if it is gone (P1)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from cogs.client import Client
from cogs.lobby import lobby_picture, lobby_post
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code
from matches.api import Match, Status


async def redraw(bot: Client, match: Match, nonce: int | None = None) -> None:
    """Edit the lobby message when no press does so as its answer. If it is gone, post an open lobby again.

    `nonce`: Discord takes a second message under the same nonce for the first one.
    """
    channel = bot.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
    if match.lobby_message_id is not None:
        post = channel.get_partial_message(match.lobby_message_id)
        message = await lobby_post.message(bot, match)
        await lobby_picture.add_to_posted(bot, message, match)
        try:
            await _sent(bot, match, message, lambda content: post.edit(**content.arguments(edit=True)))
            return
        except faults.FAILURES as error:
            is_gone = has_code(error, faults.UNKNOWN_MESSAGE, faults.UNKNOWN_CHANNEL)
            if not is_gone and fault_of(error) is not Fault.UNEDITABLE:
                raise
        await bot.host.outbox.set_lobby_message(match.id, None)
    if match.status is Status.LOBBY:
        message = await lobby_post.message(bot, match)
        # A new message has no picture to keep.
        lobby_picture.forget(bot, match)
        await lobby_picture.add_to_posted(bot, message, match)
        named: dict[str, Any] = {} if nonce is None else {"nonce": nonce}
        sent = await _sent(bot, match, message, lambda content: channel.send(**named, **content.arguments(edit=False)))
        await bot.host.outbox.set_lobby_message(match.id, sent.id)


async def _sent(
    bot: Client, match: Match, content: Message, send: Callable[[Message], Awaitable[discord.Message]]
) -> discord.Message:
    """Send the lobby message by `send`, and return it. Where files are forbidden, send it without its picture (P29)."""
    try:
        sent = await send(content)
    except faults.FAILURES as error:
        if not (content.pictures and has_code(error, *faults.NO_PICTURES)):
            raise
        content = content.without_pictures()
        sent = await send(content)
    lobby_picture.remember(bot, content, match)
    return sent
