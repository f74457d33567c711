"""A server that Discord hasn't described is asked for when something depends on it, and no event of it is missed."""

import asyncio

import pytest

from cogs import internals, servers
from matches.api import MatchId, Status
from tests.cogs.table import Table, at_match, behind


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


async def test_a_server_that_refuses_to_tell_is_not_asked_with_every_press(at_gambo: Table) -> None:
    guild = forget(at_gambo)
    at_gambo.env.inject_error("GET", f"/guilds/{guild}", status=403, code=50001, times=None)
    for _ in range(2):
        refused = await at_gambo.people[0].slash(at_gambo.channel, "settings server")
        assert "permission: Manage Server" in refused.response.content
    assert questions(at_gambo).count("") == 1
    at_gambo.bot.servers._refused[guild] -= servers.REFUSED_FOR
    await at_gambo.people[0].slash(at_gambo.channel, "settings server")
    assert questions(at_gambo).count("") == 2


async def test_a_match_is_played_where_nothing_is_known_and_nothing_asked(at_gambo: Table) -> None:
    await at_gambo.told()
    at_gambo.forget_servers()
    actor, board = at_gambo.to_play()
    await actor.click(board, label="Play")
    await behind(actor, board, "Rules")
    for deed in ("board", "log"):
        await at_match(actor, at_gambo.channel, deed)
    await actor.slash(at_gambo.channel, "gambo rules")
    assert questions(at_gambo) == []


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


async def test_being_removed_from_an_unknown_server_is_noticed_and_an_outage_is_not_that(at_gambo: Table) -> None:
    await at_gambo.told()
    guild = forget(at_gambo)
    internals.parsers(at_gambo.bot)["GUILD_DELETE"]({"id": str(guild), "unavailable": True})
    await at_gambo.bot.http.edit_guild(guild, name="another name")
    await at_gambo.env.settle()
    assert (await at_gambo.bot.host.look.match(MatchId(1))).lost is None
    forget(at_gambo)
    await at_gambo.bot.http.leave_guild(guild)
    await at_gambo.env.settle()
    match = await at_gambo.bot.host.look.match(MatchId(1))
    assert (match.lost is not None, match.status) == (True, Status.RUNNING)


async def test_a_new_session_forgets_servers_that_it_does_not_name(at_gambo: Table) -> None:
    await at_gambo.told()
    bot, guild = at_gambo.bot, at_gambo.channel.guild
    assert bot.servers.on_shard(0) == {guild.id}
    user = {"id": str(bot.user.id), "username": "Ambit", "discriminator": "0", "avatar": None}
    bot.servers._on_ready({"shard": [0, 1], "user": user, "guilds": []})
    assert bot.servers.on_shard(0) == set()
