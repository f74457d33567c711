"""Archives threads in which no match is played any more, with a last message."""

from __future__ import annotations

import logging

import discord

from cogs.client import Client
from cogs.process import faults
from cogs.process.faults import is_transient
from matches.api import Match

log = logging.getLogger(__name__)


async def close(bot: Client, match: Match, thread_id: int, sentence: str, nonce: str) -> None:
    """Say a sentence in a thread of the match, and archive it, as far as the bot may.

    A retry has the same nonce, so Discord refuses to post the sentence twice. Raises one of `faults.FAILURES` if a
    retry may succeed soon.
    """
    try:
        await bot.get_partial_messageable(thread_id).send(sentence, nonce=nonce, silent=True)
        server = bot.servers.known(match.guild_id)
        thread = (server and server.thread(thread_id)) or await bot.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=True)
    except faults.FAILURES as error:
        if is_transient(error):
            raise
        log.info("thread %s stays open: %s", thread_id, error)
