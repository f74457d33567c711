"""Finds the place for a match's posts: its channel, or a thread of its own, which the first post creates (P3)."""

from __future__ import annotations

import logging
from typing import Final, TypeAlias

import discord

from cogs.client import Client
from cogs.process import faults
from cogs.process.faults import has_code, is_transient
from matches.api import Match, Status, Where

log = logging.getLogger(__name__)

ARCHIVE_MINUTES: Final = 10080


async def place_of(bot: Client, match: Match) -> discord.PartialMessageable:
    """Return the channel or thread to post in. The first post of a match creates the thread.

    Raises one of `faults.FAILURES` if a retry may soon create the thread.
    """
    if match.thread_id is None and match.board_message_id is None and await _wants_thread(bot, match):
        assert match.lobby_message_id is not None
        try:
            thread_id = await _thread_under(bot, match, match.lobby_message_id)
        except faults.FAILURES as error:
            if is_transient(error):
                raise
            # No permission, or a channel of a kind without threads: post in the channel itself (P29).
            log.info("match %s stays in its channel: %s", match.id, error)
        else:
            await bot.host.outbox.set_thread(match.id, thread_id)
            return bot.get_partial_messageable(thread_id)
    return bot.get_partial_messageable(match.place_id)


async def _thread_under(bot: Client, match: Match, message_id: int) -> int:
    """Return the id of the thread under the lobby message. Create it if it is missing.

    A thread has no nonce. But its id is its message's, and Discord refuses a second one. So a retry finds the thread of
    an earlier try whose answer was lost. Raises one of `faults.FAILURES`.
    """
    post = (await channel_of(bot, match)).get_partial_message(message_id)
    try:
        thread = await post.create_thread(name=f"{match.info.name} #{match.id}", auto_archive_duration=ARCHIVE_MINUTES)
    except faults.FAILURES as error:
        if not has_code(error, *faults.THREAD_EXISTS):
            raise
        return (await bot.fetch_channel(message_id)).id
    return thread.id


Channel: TypeAlias = (
    discord.PartialMessageable | discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
)
"""The kinds of channel in which matches can be played."""


async def channel_of(bot: Client, match: Match) -> Channel:
    """Return the match's channel, with its server. If another process carries the server, this asks Discord.

    Raises HTTPException.
    """
    if match.guild_id is None or bot.get_guild(match.guild_id) is not None:
        return bot.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
    channel = await bot.fetch_channel(match.channel_id)
    assert isinstance(channel, (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread))
    return channel


async def _wants_thread(bot: Client, match: Match) -> bool:
    """Whether to create a thread. This depends on the store alone, so that all processes agree."""
    # A thread can't have threads of its own.
    if match.in_thread or match.lobby_message_id is None or match.status is not Status.RUNNING or not match.guild_id:
        return False
    return match.where is Where.THREAD or await bot.host.look.is_taken(match.channel_id, match.id)
