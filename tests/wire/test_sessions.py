"""A restart resumes the sessions of the process before: the bot is soon back, and misses nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cogs.servers import TRIES
from db.matches.gaps import NOTED_EVERY

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Spec
from .stored import Stored
from .table import Table, labels
from .test_servers import lost, said


async def restart(bot: BotProcess) -> None:
    """Stop the bot in order, and start it again."""
    code, _ = await bot.stop()
    assert code == 0
    await bot.start()


def identified_and_resumed(discord: Discord) -> tuple[int, int]:
    """How many sessions clients began, and how many they resumed."""
    return len(discord.gateway.identifies), discord.gateway.resumed


def asked(discord: Discord, since: int) -> list[str]:
    """The requests about servers themselves after the first `since` requests."""
    return [each.path for each in discord.requests[since:] if each.path.startswith("/guilds/{guild_id}")]


async def test_after_a_restart_everything_works_although_no_server_was_described(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    await restart(bot)
    assert identified_and_resumed(discord) == (1, 1)
    since = len(discord.requests)
    await table.turn()
    await table.turn(by_command="saboteur")
    await table.turn(from_dm=True)
    assert asked(discord, since) == [], "what is played where one presses needs nothing else"
    ann = table.people[0]
    # A second table gets a thread, and the server is asked for, once. If the new thread changes the server while it is
    # being asked for, all four requests are repeated.
    other = Table(discord, table.people, table.channel)
    await other.begin("gambo", where="thread")
    await discord.until(lambda: other.place is not table.channel)
    await other.called()
    await other.turn()
    listed = await ann.command(table.channel, "match open")
    assert listed.message is not None
    described = asked(discord, since)
    assert len(described) in range(4, 4 * TRIES + 1, 4)
    lobby = await table.opened("ambush")
    await ann.press(lobby, "Cancel")
    await discord.until(lambda: "Join" not in labels(lobby), place=table.channel)
    assert asked(discord, since) == described


async def test_after_a_restart_a_reminder_comes_as_much_later_as_nobody_could_press(
    table: Table, bot: BotProcess
) -> None:
    discord, stored = table.discord, Stored(bot.database)
    await discord.until(lambda: not stored.to_tell(1))
    before = stored.match(1)
    await bot.stop()
    bot.ahead(60.0)
    await bot.start()
    assert identified_and_resumed(discord) == (1, 1)
    await discord.until(lambda: stored.match(1)["turn_at"] > before["turn_at"])
    after = stored.match(1)
    given = (after["turn_at"] - before["turn_at"]) / 1e6
    # At most the time since the last note is given back besides.
    assert 60 <= given < 60 + NOTED_EVERY.total_seconds() + 5
    assert after["turn_due"] - after["turn_at"] == before["turn_due"] - before["turn_at"]
    bot.ahead(given + 0.8 * 24 * 3600)
    await discord.until(lambda: said(table, "is waiting for you") == 1)
    assert said(table, "has run out of time") == 0


async def test_a_press_while_no_process_runs_is_answered_by_the_next(table: Table, bot: BotProcess) -> None:
    board, person = await table.called(), table.mover()
    assert person is not None
    discord = table.discord
    await bot.stop()
    await bot.start(connect=False)
    answer = await person.press(board, "Play")
    assert answer.message is not None
    assert identified_and_resumed(discord) == (1, 1)
    await table.turn()


async def test_what_happens_to_servers_meanwhile_is_noticed(table: Table, bot: BotProcess) -> None:
    discord, guild_id = table.discord, table.channel.guild_id
    assert guild_id is not None
    await bot.stop()
    await discord.throw_out(guild_id)
    await bot.start()
    await discord.until(lambda: lost(bot) == "server")
    board = table.latest()
    await bot.stop()
    await discord.invite(guild_id)
    await bot.start()
    await discord.until(lambda: lost(bot) is None)
    await discord.until(lambda: table.latest() is not board, place=table.channel)
    await bot.stop()
    discord.world.delete_channel(table.channel)
    await discord.channel_event("CHANNEL_DELETE", table.channel)
    await bot.start()
    await discord.until(lambda: lost(bot) == "place")
    assert identified_and_resumed(discord) == (1, 3)


async def test_a_session_that_discord_has_forgotten_is_begun_anew(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    await bot.stop()
    discord.gateway.sessions.clear()
    await bot.start()
    assert identified_and_resumed(discord) == (2, 0)
    await table.turn()


async def test_old_sessions_and_those_of_killed_processes_are_not_tried(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    await bot.stop()
    bot.ahead(600)
    await bot.start()
    assert (identified_and_resumed(discord), sessions(bot)) == ((2, 0), [])
    await bot.stop()
    assert len(sessions(bot)) == 1
    await bot.start()
    assert (identified_and_resumed(discord), sessions(bot)) == ((2, 1), [])
    bot.kill()
    await bot.gone()
    await bot.start()
    assert identified_and_resumed(discord) == (3, 1)
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
