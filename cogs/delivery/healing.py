"""Finds out what has changed on Discord, and lets the match go on (P17, P29).

Discord doesn't announce what happened while the bot was offline. So the porter finds out when a request fails, or when
a reminder is due. An archived thread is reopened. A match whose thread is gone continues in its channel.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

import discord

from cogs.client import Client
from cogs.delivery import lobbies
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code, reason
from matches.api import Match

log = logging.getLogger(__name__)


async def recover_place(bot: Client, match: Match, error: Exception) -> Match:
    """Return the match with a place where a failed post can be retried. Raises `error` again if there is none.

    An archived thread is reopened. A thread that is gone, locked or forbidden is left for its channel.
    """
    if has_code(error, faults.ARCHIVED) and await _reopened(bot, match.place_id):
        return match
    if match.thread_id is None or fault_of(error) is not Fault.GONE:
        raise error
    log.info("match %s goes on in its channel: %s", match.id, error)
    await bot.host.outbox.set_thread(match.id, None)
    match = replace(match, thread_id=None)
    with suppress(*faults.FAILURES):
        await lobbies.redraw(bot, match)
    return match


async def _reopened(bot: Client, thread_id: int) -> bool:
    """Take a thread out of the archive, and return whether that worked."""
    try:
        thread = await bot.fetch_channel(thread_id)
        assert isinstance(thread, discord.Thread)
        await thread.edit(archived=False)
    except faults.FAILURES as error:
        log.info("thread %s stays in the archive: %s", thread_id, reason(error))
        return False
    return True


async def board_is_gone(bot: Client, match: Match) -> bool:
    """Whether the latest board post was deleted."""
    if match.board_message_id is None:
        return False
    try:
        await bot.get_partial_messageable(match.place_id).fetch_message(match.board_message_id)
    except faults.FAILURES as error:
        return has_code(error, faults.UNKNOWN_MESSAGE)
    return False
