"""Where the posts of a match go: its channel, or a thread of its own that is made with the first post (P3)."""

from __future__ import annotations

import logging
from typing import Final, TypeAlias

import discord

from cogs.client import Client
from matches import Match, Status, Where

log = logging.getLogger(__name__)

ARCHIVE_MINUTES: Final = 10080


async def place_of(bot: Client, match: Match) -> discord.PartialMessageable:
    """The channel or thread to post in; the thread is made when the first post of a match needs it."""
    if match.thread_id is None and match.board_message_id is None and await _wants_thread(bot, match):
        assert match.lobby_message_id is not None
        try:
            post = (await channel_of(bot, match)).get_partial_message(match.lobby_message_id)
            thread = await post.create_thread(
                name=f"{match.info.name} #{match.id}", auto_archive_duration=ARCHIVE_MINUTES
            )
        except discord.HTTPException as error:
            # No permission, or a place where threads cannot be: the channel does as well (P29).
            log.info("match %s stays in its channel: %s", match.id, error)
        else:
            await bot.host.outbox.set_thread(match.id, thread.id)
            return bot.get_partial_messageable(thread.id)
    return bot.get_partial_messageable(match.place_id)


Channel: TypeAlias = (
    discord.PartialMessageable | discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread
)
"""Where matches can be played."""


async def channel_of(bot: Client, match: Match) -> Channel:
    """The match's channel, of which its server is known, whichever process carries that: if need be Discord is asked.

    Raises HTTPException.
    """
    if match.guild_id is None or bot.get_guild(match.guild_id) is not None:
        return bot.get_partial_messageable(match.channel_id, guild_id=match.guild_id)
    channel = await bot.fetch_channel(match.channel_id)
    assert isinstance(channel, (discord.TextChannel, discord.VoiceChannel, discord.StageChannel, discord.Thread))
    return channel


async def _wants_thread(bot: Client, match: Match) -> bool:
    """Whether a thread is to be made. The store knows that, so any process can say it, whatever it has in memory."""
    if match.lobby_message_id is None or match.status is not Status.RUNNING or match.guild_id is None:
        return False
    if match.in_thread:
        return False  # a thread cannot have threads of its own
    return match.where is Where.THREAD or await bot.host.look.is_taken(match.channel_id, match.id)
