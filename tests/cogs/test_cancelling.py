"""``/match cancel`` asks before it ends anything, and does what it has asked about or nothing (P18)."""

import discord
import pytest

from matches.api import MatchId, Status
from tests.cogs.table import Member, Table, at_match, cancel, labels, with_right
from tests.cogs.test_manners import one_sentence


async def status(room: Table) -> Status:
    return (await room.bot.host.look.match(MatchId(1))).status


async def test_nothing_ends_before_the_question_is_answered(room2: Table) -> None:
    ann = room2.people[0]
    await room2.open("gambo")
    asked = (await at_match(ann, room2.channel, "cancel")).response
    assert asked.ephemeral
    assert asked.content == "**Gambo #1**: close this table? Everybody at it will have to leave."
    assert await status(room2) is Status.LOBBY
    closed = await ann.click(asked, label="Yes, close it")
    assert closed.response.id == asked.id
    assert labels(closed.response) == []
    assert await status(room2) is Status.CANCELLED


async def test_whoever_may_not_cancel_is_told_so_and_asked_nothing(room3: Table) -> None:
    _, bob, zoe = room3.people
    await room3.open("gambo")
    refused = await at_match(bob, room3.channel, "cancel")
    assert "Only the host" in one_sentence(refused)
    await bob.click(room3.latest("Join"), label="Join")
    watching = await at_match(zoe, room3.channel, "cancel", match=1)
    assert labels(watching.response) == []
    assert await status(room3) is Status.RUNNING


async def test_a_second_press_does_no_more(room3: Table) -> None:
    ann, bob, _ = room3.people
    await room3.begin("saboteur", 3)
    asked = (await at_match(ann, room3.channel, "cancel")).response
    again = (await at_match(ann, room3.channel, "cancel")).response
    for question in (asked, again):
        counted = await ann.click(question, label="Yes, ask")
        assert "(1 of 3; more than half must agree)" in counted.response.content
    stale = (await at_match(bob, room3.channel, "cancel")).response
    await cancel(bob, room3.channel)
    assert await status(room3) is Status.OVER
    assert "is over" in one_sentence(await bob.click(stale, label="Yes, ask"))


@pytest.mark.parametrize("moderates", [False, True])
async def test_a_question_about_a_lobby_is_no_question_about_the_match(room2: Table, moderates: bool) -> None:
    bob = room2.people[1]
    asking = with_right(room2, "Mo", manage_messages=True) if moderates else room2.people[0]
    await room2.open("gambo")
    asked = (await at_match(asking, room2.channel, "cancel")).response
    await bob.click(room2.latest("Join"), label="Join")
    assert await status(room2) is Status.RUNNING
    assert "has changed since I asked" in one_sentence(await asking.click(asked, label="Yes, close it"))
    match = await room2.bot.host.look.match(MatchId(1))
    assert (match.status, match.ballots) == (Status.RUNNING, ())


async def test_whoever_moderates_no_longer_ends_nothing(at_gambo: Table) -> None:
    guild = at_gambo.channel.guild
    role = guild.create_role("Moderator", permissions=discord.Permissions(manage_messages=True))
    mo = Member(guild.add_member(at_gambo.env.create_user("Mo"), roles=[role]))
    asked = (await at_match(mo, at_gambo.channel, "cancel")).response
    assert asked.content == "**Gambo #1**: end this match now, for everybody? Nobody wins."
    at_gambo.env.backend.remove_member_role(guild.id, mo.id, role.id)
    await at_gambo.env.settle()
    refused = await mo.click(asked, label="Yes, end it")
    assert labels(refused.response) == []
    assert await status(at_gambo) is Status.RUNNING
