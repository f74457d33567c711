"""Servers that remove the bot and invite it again, and processes that don't carry the shard of a server."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from db import Database
from db.store.locks import Lock, LockKind
from tests.db.test_locks import cut
from tests.store import address, of_server, outsider

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Moment, Request, Spec
from .stored import Stored
from .table import Table, labels
from .test_faults import board_post

pytestmark = pytest.mark.wire


def lost(bot: BotProcess) -> str | None:
    (row,) = Stored(bot.database).rows("SELECT lost FROM matches WHERE id = 1")
    found: str | None = row["lost"]
    return found


def due(bot: BotProcess) -> list[str]:
    """The deadlines of the first match."""
    return [
        row["kind"] for row in Stored(bot.database).rows("SELECT kind FROM deadlines WHERE match_id = 1 ORDER BY 1")
    ]


def guild_of(table: Table) -> int:
    assert table.channel.guild_id is not None
    return table.channel.guild_id


def said(table: Table, words: str) -> int:
    """How many messages in the channel say this."""
    return sum(words in message.content for message in table.channel.messages.values())


async def test_what_happened_while_the_bot_was_down_is_found_at_its_start(bot: BotProcess, discord: Discord) -> None:
    alone = Table.of(discord, 2)
    await bot.start()
    await alone.begin("gambo", pace="live")
    await alone.turn()
    # A board is left over: it isn't even tried.
    discord.faults.answer(503, which=board_post)
    await alone.turn(wait=False)
    await discord.until(lambda: Stored(bot.database).rows("SELECT 1 FROM outbox WHERE kind = 'board' AND tries > 0"))
    await bot.close()
    discord.faults.clear()
    await discord.throw_out(guild_of(alone))
    held = discord.gateway.held[0] = asyncio.Event()
    before, requests, identified = len(bot.log()), len(discord.requests), len(discord.gateway.identifies)
    await bot.start(connect=False)
    await discord.until(lambda: len(discord.gateway.identifies) > identified)
    # FOUND O11: the shard is ready before anything is stored about the server.
    with outsider(bot.database) as other:
        other.lock()
        held.set()
        await discord.until(lambda: "shard 0 is ready" in bot.log()[before:])
        assert "could not be noted" not in bot.log()[before:].partition("shard 0 is ready")[0]
        other.let_go()
    await discord.until(lambda: lost(bot) == "server")
    await discord.until(lambda: Stored(bot.database).to_tell(1) == [])
    # Its clocks are paused. Only the end of a match that stays unreachable for long may come.
    assert due(bot) == ["abandon"]
    assert not [request for request in discord.requests[requests:] if str(alone.channel.id) in request.values.values()]
    await bot.close()
    board = alone.latest()
    await discord.invite(guild_of(alone))
    await bot.start()
    await discord.until(lambda: alone.latest() is not board, place=alone.channel)
    assert (lost(bot), due(bot)) == (None, ["overdue", "remind"])
    await alone.turn()


# Several processes.


async def test_a_process_without_the_servers_shard_makes_the_thread_when_the_other_has_died(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, second = two_bots
    table = Table.of(discord, 2, number=3)
    await first.start()
    await second.start()
    lobby = await table.opened("gambo", where="thread")
    # The process of the server dies at the first thing that it sends after the start.
    discord.faults.once(Moment.BEFORE, lambda _: second.kill(), which=lambda request: request.path.endswith("/threads"))
    await table.people[1].press(lobby, "Join", wait=False)
    await second.gone()
    first.ahead(75)
    await discord.until(lambda: table.place is not table.channel)
    await discord.until(lambda: (board := table.latest()) is not None and "Play" in labels(board), place=table.place)


# FOUND C1
async def test_while_the_process_of_a_shard_is_down_no_other_reminds_its_people(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, second = two_bots
    table = Table.of(discord, 4, number=3)
    await first.start()
    await second.start()
    await table.begin("saboteur", pace="live")
    await table.called()
    mover, stored = table.on_turn(), Stored(first.database)
    # Or the process that is left would tell the rest, and look whether their readers are on the server.
    await discord.until(lambda: not stored.to_tell(1))
    await second.close()
    del discord.world.guilds[guild_of(table)].members[mover.id]
    noted = noted_at(stored, shard=0)
    for bot in (first, second):
        bot.ahead(4.5 * 60)
    await discord.until(lambda: noted_at(stored, shard=0) > noted)
    assert due(first) == ["overdue", "remind"]
    starts = stored.match(1)["turn_at"]
    await second.start()
    # Its people have that time back. After the reminder's time somebody asks Discord whether they are still there.
    await discord.until(lambda: stored.match(1)["turn_at"] > starts)
    assert due(first) == ["overdue", "remind"]
    assert said(table, "can't play right now") == 0
    for bot in (first, second):
        bot.ahead(9 * 60)
    await discord.until(lambda: said(table, f"{mover.user.global_name} can't play right now") == 1)
    assert said(table, "is waiting for you") == said(table, "has run out of time") == 0


def noted_at(stored: Stored, shard: int) -> int:
    """When the process of a shard last noted that people there can press."""
    (row,) = stored.rows("SELECT since FROM gaps WHERE shard = ? AND until IS NULL", shard)
    return int(row["since"])


async def test_shards_identify_in_turn_a_second_process_is_refused_and_a_dead_ones_successor_starts_at_once(
    two_bots: tuple[Discord, BotProcess, BotProcess], nursery: Nursery
) -> None:
    discord, first, second = two_bots
    discord.gateway.identify_every = 0.5
    for bot in (first, second):
        bot.settings["WIRE_IDENTIFY"] = "0.6"
        await bot.start(connect=False)
    await discord.until(lambda: discord.gateway.connected() == 2)
    identified = len(discord.gateway.identifies)
    assert (identified, discord.gateway.too_soon) == (2, 0), "they identify one after another"
    asked = len(discord.requests)
    twins = {
        "shard 0": BotProcess(discord, first.folder, nursery, name="twin", **first.settings),
        "the shards": BotProcess(discord, first.folder, nursery, name="all"),
    }
    for shard, twin in twins.items():
        await twin.start(connect=False)
        assert await twin.gone() == 2
        assert ": Another process " in twin.log().rstrip().splitlines()[-1]
        assert shard in twin.log()
    assert len(discord.gateway.identifies) == identified
    assert len(discord.requests) == asked
    second.kill()
    await second.gone()
    await second.start()


@of_server
async def test_a_process_whose_shard_another_has_taken_meanwhile_ends_with_a_sentence(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    _, first, second = two_bots
    await first.start()
    await second.start()
    async with await Database.open(address(second.database)) as other:
        # Whoever asks first has the lock. Cut the connection that holds it until we get it.
        while await other.locks.take([Lock(LockKind.SHARD, 1)]) is not None:
            await other.write(cut)
        await other.locks.keep()
        assert await second.gone() == 2
    assert second.log().rstrip().splitlines()[-1].startswith("Another process carries shard 1")


def board_at(place: str, request: Request) -> bool:
    """The public board of a turn, in this channel."""
    return board_post(request) and place in request.values.values()


async def test_what_a_dead_bot_left_over_comes_as_soon_as_the_servers_own_shard_is_ready(
    spec: Spec | None, nursery: Nursery, tmp_path: Path
) -> None:  # FOUND E10
    async with Discord(spec=spec, shards=2) as discord:
        bot = BotProcess(discord, tmp_path, nursery, sessions=2, AMBIT_SHARD_COUNT="2", AMBIT_LOG_LEVEL="INFO")
        tables = [Table.of(discord, 2, number=number) for number in (2, 3)]
        await bot.start()
        for table in tables:
            await table.begin("gambo")
            board = await table.called()
            discord.faults.answer(503, which=partial(board_at, str(table.channel.id)))
            person = table.on_turn()
            await person.press(await table.panel_before_confirm(person, board), "Confirm")
        bot.kill()
        await bot.gone()
        discord.faults.clear()
        boards = [table.latest() for table in tables]
        discord.gateway.held[1] = asyncio.Event()
        bot.ahead(60)  # so that everything left over is overdue, too
        await bot.start(connect=False)
        await discord.until(lambda: tables[0].latest() is not boards[0], place=tables[0].channel)
        await discord.until(lambda: "shard 0 is ready: 1 of 2 are" in bot.log())
        await tables[0].turn()
        assert tables[1].latest() is boards[1]
        discord.gateway.held[1].set()
        await discord.until(lambda: tables[1].latest() is not boards[1], place=tables[1].channel)
        assert "shard 1 is ready: 2 of 2 are" in bot.log()
        assert "on no server" not in bot.log()
        await bot.close()
        assert bot.complaints() == []
        assert discord.violations == []
