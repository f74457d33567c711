"""What the table does when Discord has changed under it (P17, P29).

With few intents Discord tells a bot nothing of deleted channels or people who left, so it is noticed when something is
sent or somebody is reminded, and mended then: out of an archive, out of a thread that is gone, or by asking the people.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from cogs.client import Client
from cogs.table import lobby_post, words
from cogs.table.reply import Message
from matches import Dm, Match

log = logging.getLogger(__name__)

UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MEMBER: Final = 10007
UNKNOWN_MESSAGE: Final = 10008
ARCHIVED: Final = 50083
LOCKED: Final = 160005
GONE: Final = frozenset({UNKNOWN_CHANNEL, UNKNOWN_MESSAGE})
"""The channel or message does not exist any more."""
REFUSED: Final = frozenset({50001, 50013})
"""A permission is missing."""
CLOSED_DM: Final = frozenset({50007, 50278, 40003})
"""This person takes no DMs, shares no server, or DMs are opened too fast."""


async def mended(bot: Client, match: Match, error: discord.HTTPException) -> Match:
    """The match with another place to post in, after Discord refused a post; the error again where there is none.

    An archived thread is opened; a thread that is gone, locked or forbidden is left for its channel.
    """
    if match.thread_id is None or error.code not in (UNKNOWN_CHANNEL, ARCHIVED, LOCKED, *REFUSED):
        raise error
    if error.code == ARCHIVED and await _taken_out_of_the_archive(bot, match.thread_id):
        return match
    log.info("match %s goes on in its channel: %s", match.id, error)
    await bot.host.set_thread(match.id, None)
    match = replace(match, thread_id=None)
    with suppress(discord.HTTPException):
        await lobby_post.redraw(bot, match)
    return match


async def _taken_out_of_the_archive(bot: Client, thread_id: int) -> bool:
    try:
        thread = await bot.fetch_channel(thread_id)
        assert isinstance(thread, discord.Thread)
        await thread.edit(archived=False)
    except discord.HTTPException as error:
        log.info("thread %s stays in the archive: %s", thread_id, error)
        return False
    return True


async def say_that_nothing_can_be_posted(bot: Client, match: Match) -> None:
    """Tell the people of a match by DM, once, that its place is gone or closed to the bot."""
    if not await bot.host.note_unreachable(match.id, True):
        return
    sentence = (
        f"{words.title(match)}: I can no longer post in <#{match.place_id}>; it is gone, or a permission is missing. "
        f"Use `/match move match:{match.id}` in another channel of the server, and everything is posted there."
    )
    for seat in match.present:
        if seat.user_id is not None and seat.dm is not Dm.CLOSED:
            with suppress(discord.HTTPException):
                await by_dm(bot, seat.user_id, Message(sentence))


async def has_left(bot: Client, match: Match, user_id: int) -> bool:
    """Whether this person is no longer on the match's server."""
    guild = None if match.guild_id is None else bot.get_guild(match.guild_id)
    if guild is None:
        return False
    try:
        await guild.fetch_member(user_id)
    except discord.HTTPException as error:
        return error.code == UNKNOWN_MEMBER
    return False


async def board_is_gone(bot: Client, match: Match) -> bool:
    """Whether somebody has deleted the latest board post."""
    if match.board_message_id is None:
        return False
    try:
        await bot.get_partial_messageable(match.place_id).fetch_message(match.board_message_id)
    except discord.HTTPException as error:
        return error.code == UNKNOWN_MESSAGE
    return False


async def by_dm(bot: Client, user_id: int, message: Message, *, nonce: int | None = None, silent: bool = True) -> bool:
    """A DM; False, and remembered, where this person takes none."""
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        arguments = message.arguments(edit=False)
        if nonce is not None:
            arguments["nonce"] = nonce
        await channel.send(silent=silent, **arguments)
    except discord.Forbidden as error:
        if error.code not in CLOSED_DM:
            raise
        await bot.host.note_dm(user_id, False)
        return False
    return True
