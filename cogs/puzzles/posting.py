"""Tells servers the day's puzzle, and later how it went. Nobody at a table waits for that, so other requests go first.

`matches/puzzles/posting.py` decides who is told what, and when.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final

import discord

from cogs import drawing
from cogs.client import Client
from cogs.commands.setting_pages import Choice, Kept, Setting
from cogs.commands.settings import NONE, channels_in
from cogs.post import pictures
from cogs.press import places, rights
from cogs.press.reply import Press
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code, may_pass, reason
from cogs.process.pace import on_behalf
from cogs.puzzles import puzzle_pages
from cogs.puzzles.puzzle_pages import SOLVER
from matches.api import NotAllowed, Person, PlayerSettings, Telling, UserId
from matches.engine.fair_queue import Rank
from matches.host.scheduler import Undelivered
from matches.puzzles import Puzzles, calendar
from matches.puzzles.attempt import Attempt
from matches.puzzles.puzzle import Puzzle
from matches.records.exercise_view import view
from render.illustrate import PEOPLE

log = logging.getLogger(__name__)


async def post(bot: Client, row: Telling) -> None:
    """Post the puzzle whose number is the row's ply, without a ping, unless that is out of date. Raises Undelivered."""
    guild_id, channel_id, number, host = row.guild_id, row.channel_id, int(row.ply), bot.host
    if guild_id is None or channel_id is None:
        return
    puzzles = host.part(Puzzles)
    puzzle = puzzles.day(number)
    wanted = await puzzles.posts.channel(guild_id)
    if puzzle is None or wanted != channel_id or host.now() >= calendar.closes_at(number):
        return
    sent = await _tried(bot, row, lambda: _sent(bot, row, puzzle))
    if sent is not None:
        await puzzles.posts.note_post(guild_id, number, sent.channel.id, sent.id)


async def _sent(bot: Client, row: Telling, puzzle: Puzzle) -> discord.Message:
    assert row.channel_id is not None
    channel = bot.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
    message = puzzle_pages.day_post(int(row.ply), puzzle)
    server = await bot.servers.described(row.guild_id)
    if server is None or server.may_attach(row.channel_id) is not False:
        message.pictures = [await _picture(puzzle)]
    try:
        return await channel.send(nonce=row.id, silent=True, **message.arguments(edit=False))
    except faults.FAILURES as error:
        if not message.pictures or not has_code(error, *faults.NO_PICTURES):
            raise
    message.pictures = []
    return await channel.send(nonce=row.id, silent=True, **message.arguments(edit=False))


async def end(bot: Client, row: Telling) -> None:
    """Say in the post how it went. Raises Undelivered."""
    if row.guild_id is None or row.channel_id is None or row.message_id is None:
        return
    result = await bot.host.part(Puzzles).posts.result(row.guild_id, int(row.ply))
    if result is None:
        return
    channel = bot.get_partial_messageable(row.channel_id, guild_id=row.guild_id)
    post, message = channel.get_partial_message(row.message_id), puzzle_pages.day_over(result)
    await _tried(bot, row, lambda: post.edit(**message.arguments(edit=True)))


async def _tried(bot: Client, row: Telling, ask: Callable[[], Awaitable[discord.Message]]) -> discord.Message | None:
    """Send a request, ranked below those of tables; ``None`` if no retry can succeed. Raises Undelivered."""
    on_behalf(row.guild_id, Rank.WATCHED)
    try:
        return await ask()
    except faults.FAILURES as error:
        if fault_of(error) is Fault.TRANSIENT or may_pass(error):
            raise Undelivered(reason(error), soon=fault_of(error) is Fault.TRANSIENT) from error
        log.info("server %s: %s %d is dropped: %s", row.guild_id, row.kind, row.ply, error)
        if has_code(error, faults.UNKNOWN_CHANNEL) and row.channel_id is not None and row.guild_id is not None:
            await bot.host.part(Puzzles).posts.lose_channel(row.guild_id, row.channel_id)
        return None


async def _picture(puzzle: Puzzle) -> discord.File:
    """The position as everybody may see it. It is drawn once for all servers."""
    seen = view(Attempt.begin(puzzle), Person(UserId(0), SOLVER), PEOPLE, PlayerSettings())
    with drawing.in_background():
        drawing.share_pictures()
        return await pictures.position(seen.match, puzzle.start.observation(None))


# Where a server wants the posts.


def _read(text: str) -> int | None:
    """The one channel that a text names; ``None`` for none. Raises NotAllowed."""
    found = channels_in(text)
    if text.strip().casefold() == NONE:
        return None
    if len(found) != 1:
        raise NotAllowed("I couldn't tell which channel you mean: mention one like #games, or write “none”.")
    return found[0]


async def _keep(press: Press, word: str | None) -> Kept:
    """Store the channel that a word names, if it can be used. Raises NotAllowed."""
    posts, guild = press.host.part(Puzzles).posts, rights.server(press)
    channel = await posts.channel(guild)
    wanted = channel if word is None else _read(word)
    if wanted not in (None, channel):
        server = await press.bot.servers.described(guild)
        if server is None or not server.has_channel(wanted):
            raise NotAllowed("I can't write in that channel. Pick one of this server's text channels.")
        if why := await places.closed(press.bot, guild, wanted):
            raise NotAllowed(f"I can't write in that channel: {why}.")
    if word is not None:
        await posts.set_channel(guild, wanted)
    return Kept(wanted, "" if wanted is None else f"in <#{wanted}>, one a day, without a ping")


SETTING: Final = Setting(
    "The day's puzzle",
    "Where I post the day's puzzle, without a ping: mention a channel, or write “none”.",
    "The day's puzzle is posted {}",
    "",
    (Choice(NONE, "Nowhere", None, "nowhere", "`/puzzle` shows it to whoever asks"),),
    _read,
    channels=1,
    keep=_keep,
)
