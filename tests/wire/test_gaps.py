"""While nobody can press, no clock runs: a bot that was killed, a shard that is cut, a server that is away (P13)."""

from __future__ import annotations

import asyncio
import re

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord
from .stored import Stored
from .table import Table
from .test_faults import board_post, confirm, confirmable

pytestmark = pytest.mark.wire

MINUTE = 60
TURN, REMINDED = 5 * MINUTE, 4 * MINUTE
SLACK = 15
"""So much more than a gap may be given back: the time since the last note."""

ASLEEP = "I couldn't hear you for a while"
OVERDUE = "has run out of time"
WAITING = "is waiting for you"


def said(table: Table) -> list[str]:
    """What the table was told about the player whose turn it is."""
    posts = (message.content for message in table.place.messages.values())
    return [words for post in posts for words in (WAITING, OVERDUE) if words in post]


def times(bot: BotProcess) -> tuple[float, float]:
    """Since when the first match's turn counts, and until when."""
    match = Stored(bot.database).match(1)
    return match["turn_at"] / 1e6, match["turn_due"] / 1e6


def all_told(bot: BotProcess) -> bool:
    """Whether nobody waits for what the bot has to tell."""
    return not Stored(bot.database).rows("SELECT 1 FROM outbox WHERE kind IN ('board', 'hand', 'secrets', 'remind')")


async def live_table(discord: Discord, bot: BotProcess) -> Table:
    table = Table.of(discord, 2)
    await bot.start()
    await table.begin("gambo", pace="live")
    await table.called()
    await discord.until(lambda: all_told(bot))
    return table


async def is_reminded_then_asked(table: Table, bot: BotProcess) -> None:
    """At its time comes the reminder, alone; at the end of the turn the question."""
    bot.ahead(bot.seconds_ahead + REMINDED)
    await table.discord.until(lambda: said(table), place=table.place)
    assert said(table) == [WAITING]
    await table.discord.until(lambda: all_told(bot))
    bot.ahead(bot.seconds_ahead + TURN - REMINDED)
    await table.discord.until(lambda: len(said(table)) > 1, place=table.place)
    assert said(table) == [WAITING, OVERDUE]


# FOUND C1, C2
async def test_who_could_not_press_while_the_bot_was_killed_and_the_shard_was_cut_loses_no_time(
    discord: Discord, bot: BotProcess
) -> None:
    table = await live_table(discord, bot)
    bot.kill()
    await bot.gone()
    bot.ahead(10 * MINUTE)
    before = times(bot)
    await bot.start()
    await discord.until(lambda: times(bot) != before)
    assert 10 * MINUTE <= times(bot)[0] - before[0] < 10 * MINUTE + SLACK
    mover = table.mover()
    assert mover is not None
    again = await discord.until(lambda: next((each for each in table.boards() if ASLEEP in each.content), None))
    assert again is not None
    assert again.pings == (mover.id,), "at a live table nobody else would know that it goes on"
    discord.gateway.held[0] = asyncio.Event()
    await discord.gateway.drop(gone=True)
    await discord.until(lambda: len(discord.gateway.identifies) == 3)
    before = times(bot)
    bot.ahead(20 * MINUTE)
    discord.gateway.held[0].set()
    await discord.until(lambda: times(bot) != before)
    assert 10 * MINUTE <= times(bot)[0] - before[0] < 10 * MINUTE + SLACK
    assert said(table) == []
    await is_reminded_then_asked(table, bot)


# FOUND C2
async def test_a_server_that_is_away_and_a_session_that_goes_on(discord: Discord, bot: BotProcess) -> None:
    table = await live_table(discord, bot)
    before, guild = times(bot), table.channel.guild_id
    assert guild is not None
    stored = Stored(bot.database)
    noted = stored.rows("SELECT since FROM gaps")
    await discord.gateway.drop()
    await discord.until(lambda: stored.rows("SELECT since FROM gaps") != noted)
    await discord.fail(guild)
    bot.ahead(SLACK)
    await discord.until(lambda: stored.rows("SELECT 1 FROM gaps WHERE guild_id IS NOT NULL"))
    bot.ahead(10 * MINUTE)
    assert times(bot) == before, "a session that goes on has lost no press"
    assert said(table) == []
    await discord.recover(guild)
    await discord.until(lambda: times(bot) != before)
    assert 10 * MINUTE - SLACK <= times(bot)[0] - before[0] < 10 * MINUTE + SLACK
    await is_reminded_then_asked(table, bot)


# FOUND C2
async def test_the_clock_of_a_turn_begins_when_discord_takes_its_board(discord: Discord, bot: BotProcess) -> None:
    table = await live_table(discord, bot)
    board, panel = await confirmable(table)
    discord.faults.answer(503, which=board_post)
    await confirm(table, panel)
    await discord.until(lambda: Stored(bot.database).rows("SELECT 1 FROM outbox WHERE kind = 'board' AND tries > 0"))
    bot.ahead(10 * MINUTE)
    await discord.until(lambda: Stored(bot.database).rows("SELECT 1 FROM outbox WHERE kind = 'board' AND tries > 2"))
    assert said(table) == []
    before = times(bot)
    discord.faults.clear()
    bot.ahead(11 * MINUTE)
    await discord.until(lambda: table.latest() is not board, place=table.place)
    await discord.until(lambda: times(bot) != before)
    assert abs(times(bot)[0] - before[0] - 11 * MINUTE) < SLACK
    latest = table.latest()
    assert latest is not None
    read = re.search(r"Play by <t:(\d+):t>", latest.content)
    assert read is not None, latest.content
    assert abs(int(read[1]) - times(bot)[1]) < 5, "the board says what the clock says"
    assert said(table) == []
    await is_reminded_then_asked(table, bot)
