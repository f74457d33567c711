"""Finds the place for a match's posts: its channel, or a thread of its own under the lobby message (P3).

The porter makes the thread when the lobby owes one, or with the first post of the match.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Final

import discord

from cogs.client import Client
from cogs.post import old_threads
from cogs.press import places
from cogs.process import faults
from cogs.process.faults import has_code, is_transient
from cogs.text import words
from matches.api import Match, Status, Where

log = logging.getLogger(__name__)

ARCHIVE_MINUTES: Final = 10080


async def place_of(bot: Client, match: Match) -> discord.PartialMessageable:
    """Return the channel or thread to post in. Create the thread if the match needs it now.

    Raises one of `faults.FAILURES` if a retry may soon create the thread.
    """
    if match.thread_id is None and match.board_message_id is None and await _wants_thread(bot, match):
        assert match.lobby_message_id is not None
        try:
            thread_id = await _thread_under(bot, match, match.lobby_message_id)
        except faults.FAILURES as error:
            if is_transient(error):
                raise
            log.info("match %s stays in its channel: %s", match.id, error)
            await _stay_in_channel(bot, match, error)
        else:
            await bot.host.reach.note_thread(match.id, thread_id, match.lobby_message_id)
            return bot.get_partial_messageable(thread_id)
    return bot.get_partial_messageable(match.place_id)


async def _stay_in_channel(bot: Client, match: Match, error: BaseException) -> None:
    """Play in the channel, and say why if people expect a thread.

    A retry sends the same nonce, and Discord refuses that duplicate.
    """
    if match.where is not Where.THREAD:
        return
    with suppress(*faults.FAILURES):
        sentence = f"{words.title(match)}: {places.no_thread(error)}"
        await bot.get_partial_messageable(match.channel_id).send(sentence, nonce=f"{match.id}-thread", silent=True)
    await bot.host.reach.stay_in_channel(match.id)


async def _thread_under(bot: Client, match: Match, message_id: int) -> int:
    """Return the id of the thread under the lobby message. Create it if it is missing.

    A thread has no nonce. But its id is its message's, and Discord refuses a second one. So a retry finds the thread of
    an earlier try whose answer was lost. Raises one of `faults.FAILURES`.
    """
    assert match.guild_id is not None
    post = bot.get_partial_messageable(match.channel_id).get_partial_message(message_id)
    post.guild = bot.servers.to_ask(match.guild_id)
    try:
        thread = await post.create_thread(name=f"{match.info.name} #{match.id}", auto_archive_duration=ARCHIVE_MINUTES)
    except faults.FAILURES as error:
        if not has_code(error, *faults.THREAD_EXISTS):
            raise
        found = await bot.fetch_channel(message_id)
        if isinstance(found, discord.Thread) and found.archived:
            await found.edit(archived=False)
        return found.id
    return thread.id


async def close_unused(bot: Client, match: Match, nonce: int) -> None:
    """Archive the lobby's thread if the lobby was closed or the match is played elsewhere. Say so in the thread first.

    The thread is looked for among the server's known threads, so a lobby without one costs no request.
    """
    over = match.status is Status.CANCELLED
    thread_id = match.thread_id if over and match.thread_id is not None else match.lobby_message_id
    if thread_id is None or thread_id == (None if over else match.thread_id):
        return
    server = await bot.servers.described(match.guild_id)
    thread = None if server is None else server.thread(thread_id)
    if thread is None or thread.archived:
        return
    said = words.how_it_ended(match) if over else f"This match is played in <#{match.place_id}>."
    await old_threads.close(bot, match, thread.id, f"{words.title(match)}: {said}", f"{nonce}-closed")


async def _wants_thread(bot: Client, match: Match) -> bool:
    """Whether to create a thread. This depends on the store alone, so that all processes agree."""
    if match.owes_thread:
        return True
    # A thread can't have threads of its own.
    if match.in_thread or match.lobby_message_id is None or match.status is not Status.RUNNING or not match.guild_id:
        return False
    return match.where is Where.THREAD or await bot.host.look.is_taken(match.channel_id, match.id)
