"""Tells servers the day's puzzle, and later how it went. Nobody at a table waits for that, so other requests go first.

`matches/puzzles/posting.py` decides who is told what, and when.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

import discord

from cogs import drawing
from cogs.client import Client
from cogs.post import pictures, puzzle_pages
from cogs.post.puzzle_pages import SOLVER
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code, may_pass, reason
from cogs.process.pace import on_behalf
from matches.api import Person, PlayerSettings, Telling, UserId
from matches.engine.fair_queue import Rank
from matches.host.scheduler import Undelivered
from matches.puzzles import calendar
from matches.puzzles.attempt import Attempt
from matches.puzzles.puzzle import Puzzle
from matches.records.exercise_view import view
from render.illustrate import PEOPLE

log = logging.getLogger(__name__)


class PuzzlePosts:
    """Posts a day's puzzle in a server's channel, without a ping, and edits that post when its time is over."""

    def __init__(self, bot: Client) -> None:
        self._bot = bot

    async def post(self, row: Telling) -> None:
        """Post the puzzle whose number is the row's ply, unless that is out of date. Raises Undelivered."""
        guild_id, channel_id, number = row.guild_id, row.channel_id, int(row.ply)
        host = self._bot.host
        if guild_id is None or channel_id is None:
            return
        puzzle = host.puzzles.day(number)
        wanted = (await host.settings.guild_settings(guild_id)).puzzles
        if puzzle is None or wanted != channel_id or host.now() >= calendar.closes_at(number):
            return
        sent = await self._tried(row, lambda: self._sent(row, puzzle))
        if sent is not None:
            await host.puzzle_posts.note_post(guild_id, number, sent.channel.id, sent.id)

    async def _sent(self, row: Telling, puzzle: Puzzle) -> discord.Message:
        assert row.channel_id is not None
        channel = self._bot.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        message = puzzle_pages.day_post(int(row.ply), puzzle)
        server = await self._bot.servers.described(row.guild_id)
        if server is None or server.may_attach(row.channel_id) is not False:
            message.pictures = [await _picture(puzzle)]
        try:
            return await channel.send(nonce=row.id, silent=True, **message.arguments(edit=False))
        except faults.FAILURES as error:
            if not message.pictures or not has_code(error, *faults.NO_PICTURES):
                raise
        message.pictures = []
        return await channel.send(nonce=row.id, silent=True, **message.arguments(edit=False))

    async def end(self, row: Telling) -> None:
        """Say in the post how it went. Raises Undelivered."""
        if row.guild_id is None or row.channel_id is None or row.message_id is None:
            return
        result = await self._bot.host.puzzle_posts.result(row.guild_id, int(row.ply))
        if result is None:
            return
        channel = self._bot.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
        post, message = channel.get_partial_message(row.message_id), puzzle_pages.day_over(result)
        await self._tried(row, lambda: post.edit(**message.arguments(edit=True)))

    async def _tried(self, row: Telling, ask: Callable[[], Awaitable[discord.Message]]) -> discord.Message | None:
        """Send a request, ranked below those of tables; ``None`` if no retry can succeed. Raises Undelivered."""
        on_behalf(row.guild_id, Rank.WATCHED)
        try:
            return await ask()
        except faults.FAILURES as error:
            if fault_of(error) is Fault.TRANSIENT or may_pass(error):
                raise Undelivered(reason(error), soon=fault_of(error) is Fault.TRANSIENT) from error
            log.info("server %s: %s %d is dropped: %s", row.guild_id, row.kind, row.ply, error)
            if has_code(error, faults.UNKNOWN_CHANNEL) and row.channel_id is not None and row.guild_id is not None:
                await self._bot.host.puzzle_posts.lose_channel(row.guild_id, row.channel_id)
            return None


async def _picture(puzzle: Puzzle) -> discord.File:
    """The position as everybody may see it. It is drawn once for all servers."""
    seen = view(Attempt.begin(puzzle), Person(UserId(0), SOLVER), PEOPLE, PlayerSettings())
    with drawing.in_background():
        drawing.share_pictures()
        return await pictures.position(seen.match, puzzle.start.observation(None))
