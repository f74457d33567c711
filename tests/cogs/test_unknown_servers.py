"""A server that Discord hasn't described is asked for when something depends on it, and no event of it is missed."""

import asyncio

import pytest

from cogs import internals, servers
from matches.api import MatchId, Status
from tests.cogs.table import Table


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


async def test_all_who_depend_on_a_server_share_one_question(room1: Table) -> None:
    guild, known = forget(room1), room1.bot.servers
    assert known.known(guild) is None
    await asyncio.gather(*(known.described(guild) for _ in range(3)))
    me = f"/members/{room1.env.bot.user.id}"
    assert sorted(questions(room1)) == ["", "/channels", me, "/threads/active"]
    found = await known.described(guild)
    assert found.is_open(room1.channel.id)
    assert found.may_attach(room1.channel.id)
    assert len(questions(room1)) == 4


async def test_a_server_that_changes_while_it_is_asked_for_is_asked_for_again(room1: Table) -> None:
    guild = forget(room1)
    asking = asyncio.create_task(room1.bot.servers.described(guild))
    for _ in range(2):  # The task begins, and the question that others may share.
        await asyncio.sleep(0)
    internals.parsers(room1.bot)["GUILD_ROLE_DELETE"]({"guild_id": str(guild), "role_id": "1"})
    assert await asking is not None
    assert len(questions(room1)) == 8


async def test_a_server_that_refuses_to_tell_is_not_asked_with_every_press(room2: Table) -> None:
    await room2.begin("gambo", 2)
    guild = forget(room2)
    room2.env.inject_error("GET", f"/guilds/{guild}", status=403, code=50001, times=None)
    for _ in range(2):
        refused = await room2.people[0].slash(room2.channel, "settings barred")
        assert "Only people who can manage messages" in refused.response.content
    assert questions(room2).count("") == 1
    room2.bot.servers._refused[guild] -= servers.REFUSED_FOR
    await room2.people[0].slash(room2.channel, "settings barred")
    assert questions(room2).count("") == 2


async def test_a_match_is_played_where_nothing_is_known_and_nothing_asked(room2: Table) -> None:
    await room2.begin("gambo", 2)
    await room2.told()
    room2.forget_servers()
    actor, board = room2.to_play()
    for label in ("Play", "More", "Rules"):
        await actor.click(board, label=label)
    for command in ("match board", "match log", "gambo rules"):
        await actor.slash(room2.channel, command)
    assert questions(room2) == []


@pytest.mark.parametrize("where", ["channel", "thread"])
async def test_a_channel_or_thread_that_is_deleted_on_an_unknown_server_is_noticed(room2: Table, where: str) -> None:
    await room2.begin("gambo", 2, where=where)
    await room2.told()
    place = room2.place()
    forget(room2)
    room2.env.backend.delete_channel(place.id)
    await room2.env.settle()
    match = await room2.bot.host.look.match(MatchId(1))
    assert (match.lost is not None, match.thread_id) == (where == "channel", None)


async def test_being_removed_from_an_unknown_server_is_noticed_and_an_outage_is_not_that(room2: Table) -> None:
    await room2.begin("gambo", 2)
    await room2.told()
    guild = forget(room2)
    internals.parsers(room2.bot)["GUILD_DELETE"]({"id": str(guild), "unavailable": True})
    await room2.bot.http.edit_guild(guild, name="another name")
    await room2.env.settle()
    assert (await room2.bot.host.look.match(MatchId(1))).lost is None
    forget(room2)
    await room2.bot.http.leave_guild(guild)
    await room2.env.settle()
    match = await room2.bot.host.look.match(MatchId(1))
    assert (match.lost is not None, match.status) == (True, Status.RUNNING)


async def test_a_new_session_forgets_servers_that_it_does_not_name(room2: Table) -> None:
    await room2.begin("gambo", 2)
    await room2.told()
    bot, guild = room2.bot, room2.channel.guild
    assert bot.servers.on_shard(0) == {guild.id}
    user = {"id": str(bot.user.id), "username": "Ambit", "discriminator": "0", "avatar": None}
    bot.servers._on_ready({"shard": [0, 1], "user": user, "guilds": []})
    assert bot.servers.on_shard(0) == set()
