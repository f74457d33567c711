"""`/operator status` exists in one server, and answers the owners of the application alone."""

import asyncio
import random
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import simcord
from simcord.backend import serializers

from bot import Ambit
from cogs import internals
from cogs.commands.operator import FOR_OWNERS
from db.store import meta
from matches.host.operating import REREAD
from matches.host.store_state import Enrolled
from tests.cogs.table import AT_REST, Table, buttons, make_bot, play_by_panel

HOME, OTHER = 4242, 4343


def ours(path: Path, guild: int | None) -> Ambit:
    bot = make_bot(path)
    bot.operator_guild = guild
    return bot


@asynccontextmanager
async def at_home(folder: Path) -> AsyncIterator[tuple[Any, Any, Any, Any]]:
    """The bot in its owner's server: with a channel there, the owner, and another administrator."""
    async with simcord.run(ours(folder / "ambit.db", HOME), settle_timeout=AT_REST) as env:
        guild = env.create_guild("Home", id=HOME)
        role = guild.create_role("ops", permissions=discord.Permissions(administrator=True))
        owner, other = (guild.add_member(env.create_user(name), roles=[role]) for name in ("Ann", "Bob"))
        env.bot.owner_id = owner.id
        yield env, guild.create_text_channel("ops"), owner, other
        await env.bot.close()


def told(env: simcord.Env) -> list[tuple[int, int]]:
    """The servers that were told commands of their own, in this order, and how many commands."""
    puts = [request for request in env.http_requests if request.method == "PUT" and "/guilds/" in request.path]
    return [(int(request.path.split("/")[-2]), len(request.json or [])) for request in puts]


async def another(bot: Ambit, name: str, machine: str) -> None:
    """Another process has noted that it runs."""
    noted = Enrolled(name, "0.0.9", datetime.now(UTC), machine, "127.0.0.1:1", 2)
    await bot.database.write(meta.put, noted.key, noted.text)


async def test_an_owner_reads_how_the_bot_is_and_nobody_else_does(tmp_path: Path) -> None:
    async with at_home(tmp_path) as (env, channel, owner, other):
        answer = (await owner.slash(channel, "operator status")).response
        assert answer.ephemeral
        assert "**Ambit 0.1.0**, process all" in answer.content
        assert "0 running" in answer.content
        await another(env.bot, "here", socket.gethostname())
        await another(env.bot, "there", "db-two")
        answer = (await owner.slash(channel, "operator status")).response
        assert "**Ambit 0.1.0**, process all" in answer.content
        others = [line for line in answer.content.splitlines() if line.startswith("Process ")]
        assert [re.sub(r" since \S+ \S+ UTC", "", line) for line in others] == [
            "Process here: Ambit 0.0.9: no answer",
            "Process there: Ambit 0.0.9, on the machine db-two: ask there",
        ]
        assert "Problem: Process here doesn't answer at 127.0.0.1:1: " in answer.content
        refused = (await other.slash(channel, "operator status")).response
        assert refused.content == FOR_OWNERS


async def asked(owner: Any, channel: Any, command: str, **options: Any) -> Any:
    """Give `/operator command`, and return its question."""
    question = (await owner.slash(channel, f"operator {command}", **options)).response
    assert question.ephemeral
    assert len(buttons(question)) == 1, question.content
    return question


async def test_an_owner_pauses_bars_and_leaves_after_a_question(tmp_path: Path) -> None:
    async with simcord.run(ours(tmp_path / "ambit.db", HOME), settle_timeout=AT_REST) as env:
        home, other = env.create_guild("Home", id=HOME), env.create_guild("Other", id=OTHER)
        ops, games = home.create_text_channel("ops"), other.create_text_channel("games")
        role = home.create_role("ops", permissions=discord.Permissions(administrator=True))
        ann, bob = (env.create_user(name) for name in ("Ann", "Bob"))
        owner, helper, player = (
            home.add_member(ann, roles=[role]),
            home.add_member(bob, roles=[role]),
            other.add_member(bob),
        )
        env.bot.owner_id = owner.id

        async def yes(question: Any) -> str:
            (button,) = buttons(question)
            return str((await owner.click(question, label=button.label)).response.content)

        async def tried() -> str:
            return str((await player.slash(games, "gambo new")).response.content)

        question = await asked(owner, ops, "pause", why="New  machine.")
        assert question.content.endswith(" Everybody who tries reads this:\nNew machine.")
        assert not await env.bot.host.state.noted("paused"), "it only asks"
        assert (await yes(question)).startswith("No new tables open from now on.")
        assert "“New machine.”" in await tried()
        status = (await owner.slash(ops, "operator status")).response.content
        assert "Problem: No new tables open: paused (New machine.) for " in status
        assert await yes(await asked(owner, ops, "pause"))
        assert "Please try again later." in await tried()
        assert await yes(await asked(owner, ops, "resume")) == "New tables open again."

        question = await asked(owner, ops, "bar", person=bob)
        assert f"<@{bob.id}>" in question.content
        assert "on any server" in await yes(question)
        assert (await tried()).startswith("The people who run this bot have barred you")
        assert await yes(await asked(owner, ops, "unbar", person=bob)) == f"{bob.id} can play again."
        assert "barred" not in await tried()

        assert "carries that once" in await yes(await asked(owner, ops, "announce", text="Back at 8."))
        assert "Back at 8." in str(await env.bot.host.state.noted("announced"))
        question = await asked(owner, ops, "announce")
        assert question.content == "Take the announcement back, so that no board carries it any more?"
        await yes(question)
        assert await env.bot.host.state.noted("announced") is None

        for wrong in ("Other", "-1", "9" * 30):
            refused = (await owner.slash(ops, "operator leave", server=wrong)).response
            assert "isn't a server's number" in refused.content
        await yes(await asked(owner, ops, "leave", server=str(OTHER)))
        await env.advance_time(20)
        left = [each.path for each in env.http_requests if each.method == "DELETE" and "/guilds/" in each.path]
        assert [path.rpartition("/")[2] for path in left] == [str(OTHER)]

        for command, options in (
            ("pause", {}),
            ("resume", {}),
            ("announce", {"text": "x"}),
            ("leave", {"server": "1"}),
        ):
            refused = (await helper.slash(ops, f"operator {command}", **options)).response
            assert refused.content == FOR_OWNERS
        await env.bot.close()


async def test_the_next_board_of_each_match_carries_an_announcement_once(at_gambo: Table) -> None:
    await at_gambo.told()
    await at_gambo.bot.host.operating.announce("Back at 8.")
    await at_gambo.env.advance_time(REREAD.total_seconds())
    boards = []
    for _ in range(3):
        actor, message = at_gambo.to_play()
        await play_by_panel(actor, message, random.Random(1))
        await at_gambo.told()
        boards.append(at_gambo.to_play()[1].content)
    assert ["> The people who run me say: Back at 8." in each for each in boards] == [True, False, False]


async def test_the_command_moves_with_the_setting_and_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "ambit.db"
    url = f"sqlite+aiosqlite:///{path}"
    first = Ambit(database_url=url, shard_count=1)
    async with simcord.run(first, settle_timeout=AT_REST) as env:
        assert told(env) == []
        expected = []
        for guild, news in ((HOME, [(HOME, 1)]), (HOME, []), (OTHER, [(HOME, 0), (OTHER, 1)]), (None, [(OTHER, 0)])):
            await env.bot.close()
            bot = Ambit(database_url=url, shard_count=1)
            bot.operator_guild = guild
            await env.restart_bot(bot)
            expected += news
            assert sorted(told(env)) == sorted(expected)
        await env.bot.close()


# FOUND W3


async def test_the_command_comes_back_with_the_bot_that_had_left_the_server(tmp_path: Path) -> None:
    async with simcord.run(ours(tmp_path / "ambit.db", HOME), settle_timeout=AT_REST) as env:
        guild = env.create_guild("Home", id=HOME)
        assert told(env) == [(HOME, 1)]
        payload: dict[str, Any] = dict(serializers.guild_create_payload(env.backend, env.backend.guilds[guild.id]))
        payload.pop("unavailable", None)
        internals.parsers(env.bot)["GUILD_DELETE"]({"id": str(HOME)})
        env.backend.register_commands(HOME, [])
        internals.parsers(env.bot)["GUILD_CREATE"](dict(payload))
        await asyncio.gather(*(each for each in asyncio.all_tasks() if "guild_join" in each.get_name()))
        assert told(env) == [(HOME, 1), (HOME, 1)]
        # Discord still has it after an outage of the server.
        internals.parsers(env.bot)["GUILD_CREATE"](payload | {"unavailable": False})
        assert not [each for each in asyncio.all_tasks() if "guild_join" in each.get_name()]
        assert told(env) == [(HOME, 1), (HOME, 1)]
        await env.bot.close()


async def test_a_server_that_the_bot_is_not_in_ends_nothing(tmp_path: Path) -> None:
    env = simcord.Env(ours(tmp_path / "ambit.db", HOME), settle_timeout=AT_REST)
    env.inject_error("PUT", f"/applications/*/guilds/{HOME}/commands", status=403, code=50001)
    await env.start()
    assert env.bot.is_ready()
    await env.bot.close()
