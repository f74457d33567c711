"""A restart resumes the sessions of the process before: the bot is soon back, and misses nothing."""

import time
from pathlib import Path

import pytest

from db.matches.gaps import NOTED_EVERY

from .bot_process import BotProcess, Nursery
from .conftest import shared_bot, shared_table, sharing
from .discord_standin import Discord, Spec
from .stored import Stored
from .table import Table
from .test_servers import lost, said

pytestmark = [pytest.mark.wire, sharing]

bot, table = shared_bot, shared_table


def identified_and_resumed(discord: Discord) -> tuple[int, int]:
    """How many sessions clients began, and how many they resumed."""
    return len(discord.gateway.identifies), discord.gateway.resumed


async def test_a_press_while_no_process_runs_is_answered_by_the_next_which_needs_no_server_described(
    table: Table, bot: BotProcess
) -> None:
    discord, board, person = table.discord, await table.called(), table.mover()
    identified, resumed = identified_and_resumed(discord)
    assert (await bot.stop())[0] == 0
    since = len(discord.requests)
    await bot.start(connect=False)
    answer = await person.press(board, "Play")
    assert answer.message is not None
    assert identified_and_resumed(discord) == (identified, resumed + 1)
    await table.turn()
    await table.turn(by_command="saboteur")
    await table.turn(from_dm=True)
    asked = [each for each in discord.requests[since:] if each.path.startswith("/guilds/{guild_id}")]
    assert asked == [], "what is played where one presses needs nothing else"


async def test_after_a_restart_a_reminder_comes_as_much_later_as_nobody_could_press(
    table: Table, bot: BotProcess
) -> None:
    discord, stored, person = table.discord, Stored(bot.database), table.mover()
    before, ahead, resumed = stored.match(1), bot.seconds_ahead, discord.gateway.resumed
    await bot.stop()
    bot.ahead(ahead + 60)
    await bot.start()
    assert discord.gateway.resumed == resumed + 1
    await discord.until(lambda: stored.match(1)["turn_at"] > before["turn_at"])
    after = stored.match(1)
    given = (after["turn_at"] - before["turn_at"]) / 1e6
    # At most the time since the last note is given back besides.
    assert 60 <= given < 60 + NOTED_EVERY.total_seconds() + 5
    assert after["turn_due"] - after["turn_at"] == before["turn_due"] - before["turn_at"]
    bot.ahead(ahead + given + 0.8 * 24 * 3600)
    await discord.until(lambda: said(table, "is waiting for you") == 1)
    assert said(table, "has run out of time") == 0
    reminder = table.latest()
    assert person is not None
    assert reminder is not None
    await table.move_by_panel(person, reminder)


async def test_what_happens_to_servers_meanwhile_is_noticed(table: Table, bot: BotProcess) -> None:
    discord, guild_id, board = table.discord, table.channel.guild_id, table.latest()
    identified, resumed = identified_and_resumed(discord)
    assert guild_id is not None
    await bot.stop()
    await discord.throw_out(guild_id)
    await bot.start()
    await discord.until(lambda: lost(bot) == "server")
    await bot.stop()
    await discord.invite(guild_id)
    await bot.start()
    await discord.until(lambda: lost(bot) is None)
    await discord.until(lambda: table.latest() is not board, place=table.channel)
    assert identified_and_resumed(discord) == (identified, resumed + 2)


async def test_sessions_that_are_forgotten_or_old_and_those_of_killed_processes_are_begun_anew(
    table: Table, bot: BotProcess
) -> None:
    discord = table.discord
    identified, resumed = identified_and_resumed(discord)
    await bot.stop()
    discord.gateway.sessions.clear()
    await bot.start()
    assert identified_and_resumed(discord) == (identified + 1, resumed)
    await bot.stop()
    bot.ahead(bot.seconds_ahead + 600)
    await bot.start()
    assert (identified_and_resumed(discord), sessions(bot)) == ((identified + 2, resumed), [])
    await bot.stop()
    assert len(sessions(bot)) == 1
    await bot.start()
    assert (identified_and_resumed(discord), sessions(bot)) == ((identified + 2, resumed + 1), [])
    bot.kill()
    await bot.gone()
    await bot.start()
    assert identified_and_resumed(discord) == (identified + 3, resumed + 1)
    await table.turn()


def sessions(bot: BotProcess) -> list[str]:
    """What is stored of sessions."""
    rows = Stored(bot.database).rows("SELECT value FROM meta WHERE key LIKE 'sessions %'")
    return [row["value"] for row in rows]


@pytest.mark.soak
@pytest.mark.parametrize("shards", [1, 20])
async def test_with_sessions_that_go_on_the_last_shard_is_dark_for_a_moment(
    shards: int, spec: Spec | None, nursery: Nursery, tmp_path: Path
) -> None:
    async with Discord(spec=spec, shards=shards) as discord:
        bot = BotProcess(discord, tmp_path, nursery, sessions=shards, WIRE_IDENTIFY="5", AMBIT_LOG_LEVEL="INFO")
        took = {}
        try:
            await bot.start(connect=False)
            await discord.connected(shards, 150.0)
            for way in ("goes on", "begins"):
                before = time.monotonic()
                await bot.stop()
                stopped = time.monotonic()
                if way == "begins":
                    discord.gateway.sessions.clear()
                await bot.start(connect=False)
                await discord.connected(shards, 150.0)
                took[way] = time.monotonic() - before
                starting = time.monotonic() - stopped
                print(f"{shards} shards, session {way}: {took[way]:.1f} s dark, {starting:.1f} s of that starting")
            assert identified_and_resumed(discord) == (2 * shards, shards)
        finally:
            await bot.close()
        assert took["goes on"] < 5.0 < took["begins"] or shards == 1
