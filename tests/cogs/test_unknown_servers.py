"""A server that Discord hasn't described is asked for when something depends on it, and no event of it is missed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cogs import internals, servers
from matches.api import MatchId, Status
from tests.cogs.table import Table, table


def questions(room: Table) -> list[str]:
    """The requests of the bot about the server itself."""
    guild = room.channel.guild
    begin = f"/guilds/{guild.id}"
    return [each.path.removeprefix(begin) for each in room.env.http_requests if each.path.startswith(begin)]


def forget(room: Table) -> int:
    """Forget all servers. Return the id of the room's."""
    room.drop_servers()
    guild = room.channel.guild
    return guild.id


async def test_all_who_depend_on_a_server_share_one_question(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        guild, known = forget(room), room.bot.servers
        assert known.known(guild) is None
        await asyncio.gather(*(known.described(guild) for _ in range(3)))
        me = f"/members/{room.env.bot.user.id}"
        assert sorted(questions(room)) == ["", "/channels", me, "/threads/active"]
        found = await known.described(guild)
        assert found.is_open(room.channel.id)
        assert found.may_attach(room.channel.id)
        assert len(questions(room)) == 4


async def test_a_server_that_changes_while_it_is_asked_for_is_asked_for_again(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        guild = forget(room)
        asking = asyncio.create_task(room.bot.servers.described(guild))
        for _ in range(2):  # The task begins, and the question that others may share.
            await asyncio.sleep(0)
        internals.parsers(room.bot)["GUILD_ROLE_DELETE"]({"guild_id": str(guild), "role_id": "1"})
        assert await asking is not None
        assert len(questions(room)) == 8


async def test_a_server_that_refuses_to_tell_is_not_asked_with_every_press(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        guild = forget(room)
        room.env.inject_error("GET", f"/guilds/{guild}", status=403, code=50001, times=None)
        for _ in range(2):
            refused = await room.people[0].slash(room.channel, "settings barred")
            assert "Only people who can manage messages" in refused.response.content
        assert questions(room).count("") == 1
        room.bot.servers._refused[guild] -= servers.REFUSED_FOR
        await room.people[0].slash(room.channel, "settings barred")
        assert questions(room).count("") == 2


async def test_a_match_is_played_where_nothing_is_known_and_nothing_asked(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        await room.told()
        room.forget_servers()
        actor, board = room.to_play()
        for label in ("Play", "More", "Rules"):
            await actor.click(board, label=label)
        for command in ("match board", "match log", "gambo rules"):
            await actor.slash(room.channel, command)
        assert questions(room) == []


@pytest.mark.parametrize("where", ["channel", "thread"])
async def test_a_channel_or_thread_that_is_deleted_on_an_unknown_server_is_noticed(tmp_path: Path, where: str) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2, where=where)
        await room.told()
        place = room.place()
        forget(room)
        room.env.backend.delete_channel(place.id)
        await room.env.settle()
        match = await room.bot.host.look.match(MatchId(1))
        assert (match.lost is not None, match.thread_id) == (where == "channel", None)


async def test_being_removed_from_an_unknown_server_is_noticed_and_an_outage_is_not_that(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        await room.told()
        guild = forget(room)
        internals.parsers(room.bot)["GUILD_DELETE"]({"id": str(guild), "unavailable": True})
        await room.bot.http.edit_guild(guild, name="another name")
        await room.env.settle()
        assert (await room.bot.host.look.match(MatchId(1))).lost is None
        forget(room)
        await room.bot.http.leave_guild(guild)
        await room.env.settle()
        match = await room.bot.host.look.match(MatchId(1))
        assert (match.lost is not None, match.status) == (True, Status.RUNNING)


async def test_a_new_session_forgets_servers_that_it_does_not_name(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        await room.told()
        bot, guild = room.bot, room.channel.guild
        assert bot.servers.on_shard(0) == {guild.id}
        user = {"id": str(bot.user.id), "username": "Ambit", "discriminator": "0", "avatar": None}
        bot.servers._on_ready({"shard": [0, 1], "user": user, "guilds": []})
        assert bot.servers.on_shard(0) == set()
