"""What the table does when Discord has changed under it (P17, P29).

Of people who left Discord tells a bot with few intents nothing, and of what happened while the bot was away neither: it
is noticed when something is sent or somebody is reminded, and mended then: out of an archive, out of a thread that is
gone, or by asking the people.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

import discord

from cogs.client import Client
from cogs.delivery import lobbies, threads
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code, reason
from matches.api import Match, UserId

log = logging.getLogger(__name__)


async def mended(bot: Client, match: Match, error: Exception) -> Match:
    """The match with another place to post in, after a post failed; the error again where there is none.

    An archived thread is opened; a thread that is gone, locked or forbidden is left for its channel.
    """
    if has_code(error, faults.ARCHIVED) and await _taken_out_of_the_archive(bot, match.place_id):
        return match
    if match.thread_id is None or fault_of(error) is not Fault.GONE:
        raise error
    log.info("match %s goes on in its channel: %s", match.id, error)
    await bot.host.outbox.set_thread(match.id, None)
    match = replace(match, thread_id=None)
    with suppress(*faults.FAILURES):
        await lobbies.redraw(bot, match)
    return match


async def _taken_out_of_the_archive(bot: Client, thread_id: int) -> bool:
    try:
        thread = await bot.fetch_channel(thread_id)
        assert isinstance(thread, discord.Thread)
        await thread.edit(archived=False)
    except faults.FAILURES as error:
        log.info("thread %s stays in the archive: %s", thread_id, reason(error))
        return False
    return True


async def has_left(bot: Client, match: Match, user_id: UserId) -> bool:
    """Whether this person is no longer on the match's server."""
    if match.guild_id is None:
        return False
    try:
        guild = bot.get_guild(match.guild_id) or (await threads.channel_of(bot, match)).guild
        if guild is not None:
            await guild.fetch_member(user_id)
    except faults.FAILURES as error:
        return has_code(error, *faults.NO_MEMBER)
    return False


async def board_is_gone(bot: Client, match: Match) -> bool:
    """Whether somebody has deleted the latest board post."""
    if match.board_message_id is None:
        return False
    try:
        await bot.get_partial_messageable(match.place_id).fetch_message(match.board_message_id)
    except faults.FAILURES as error:
        return has_code(error, faults.UNKNOWN_MESSAGE)
    return False
