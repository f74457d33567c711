"""While nobody can press, no clock runs: a bot that was killed, a shard that is cut, a server that is away (P13)."""

import asyncio

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord
from .stored import Stored
from .table import Table
from .test_servers import guild_of, lost

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


# FOUND C1, C2
async def test_who_could_not_press_while_the_bot_was_killed_the_shard_cut_or_the_server_away_loses_no_time(
    discord: Discord, bot: BotProcess
) -> None:
    table, stored = Table.of(discord, 2), Stored(bot.database)
    await bot.start()
    await table.begin("gambo", pace="live")
    await table.called()
    await discord.until(lambda: all_told(bot))
    bot.kill()
    await bot.gone()
    bot.ahead(10 * MINUTE)
    before, guild = times(bot), guild_of(table)
    await bot.start()
    await discord.until(lambda: times(bot) != before)
    assert 10 * MINUTE <= times(bot)[0] - before[0] < 10 * MINUTE + SLACK
    mover = table.mover()
    again = await discord.until(lambda: next((each for each in table.boards() if ASLEEP in each.content), None))
    assert again.pings == (mover.id,), "at a live table nobody else would know that it goes on"
    discord.gateway.held[0] = asyncio.Event()
    await discord.gateway.drop(gone=True)
    await discord.until(lambda: len(discord.gateway.identifies) == 3)
    before = times(bot)
    bot.ahead(20 * MINUTE)
    discord.gateway.held[0].set()
    await discord.until(lambda: times(bot) != before)
    assert 10 * MINUTE <= times(bot)[0] - before[0] < 10 * MINUTE + SLACK
    before, noted = times(bot), stored.rows("SELECT since FROM gaps WHERE until IS NULL")
    await discord.gateway.drop()
    await discord.until(lambda: stored.rows("SELECT since FROM gaps WHERE until IS NULL") != noted)
    await discord.fail(guild)
    bot.ahead(20 * MINUTE + SLACK)
    await discord.until(lambda: stored.rows("SELECT 1 FROM gaps WHERE guild_id IS NOT NULL"))
    bot.ahead(30 * MINUTE)
    assert times(bot) == before, "a session that goes on has lost no press"
    await discord.recover(guild)
    await discord.until(lambda: times(bot) != before)
    assert 10 * MINUTE - SLACK <= times(bot)[0] - before[0] < 10 * MINUTE + SLACK
    assert lost(bot) is None, "an outage is no removal"
    assert said(table) == []
    # At its time comes the reminder, alone; at the end of the turn the question.
    bot.ahead(bot.seconds_ahead + REMINDED)
    await discord.until(lambda: said(table), place=table.place)
    assert said(table) == [WAITING]
    await discord.until(lambda: all_told(bot))
    bot.ahead(bot.seconds_ahead + TURN - REMINDED)
    await discord.until(lambda: len(said(table)) > 1, place=table.place)
    assert said(table) == [WAITING, OVERDUE]
