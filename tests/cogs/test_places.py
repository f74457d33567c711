"""Before a table opens, everything that later posts need is asked, and what is missing is named."""

import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import discord
import pytest
import simcord
from simcord.backend import serializers

from cogs import HANDLERS, internals
from cogs.press import places
from cogs.press.custom_ids import Ref
from cogs.process.registering import payloads
from matches.api import MatchId, Where
from tests.cogs.table import AT_REST, Table, at_match, make_bot, table
from tests.cogs.test_faults import ROOT
from tests.cogs.test_rights import FORGED, change_presses, commands, said, scene

NOT_HERE = "I'm not a member of this server, so I can't host matches here. Somebody who manages it can [add me]("


def brought_by_a_person(room: Table) -> None:
    """From now on every press says that somebody has installed the bot for themselves, and the server hasn't."""
    change_presses(room, lambda data: data.update(authorizing_integration_owners={"1": "5"}))


def invited_without_bot(room: Table) -> None:
    """From now on the server has the bot's commands, but not the bot: another server is all that Discord has listed."""
    other = room.env.create_guild("Another")
    (this,) = {guild.id for guild in room.bot.guilds} - {other.id}

    def press(data: dict[str, Any]) -> None:
        data.update(authorizing_integration_owners={"0": str(this)})
        if (listed := room.bot.get_guild(this)) is not None:
            internals.drop_guild(room.bot, listed)

    change_presses(room, press)


def as_a_modal(data: dict[str, Any]) -> None:
    data.update(type=discord.InteractionType.modal_submit.value, data={"custom_id": "old", "components": []})


# FOUND W1


@pytest.mark.parametrize("arrange", [brought_by_a_person, invited_without_bot])
async def test_whatever_is_used_where_the_bot_is_not_is_answered_by_one_sentence_and_does_nothing(
    tmp_path: Path, arrange: Callable[[Table], None]
) -> None:
    async with scene(tmp_path / "ambit.db") as at:
        ann, before = at.room.people[0], await at.state()
        arrange(at.room)
        for command in commands(at.room.bot.tree):
            kinds = {discord.AppCommandOptionType.user: at.stranger, discord.AppCommandOptionType.integer: 1}
            given = {each.name: kinds.get(each.type, "2 days") for each in command.parameters if each.required}
            given |= {each.name: each.choices[0].value for each in command.parameters if each.required and each.choices}
            answer = await ann.slash(at.private, command.qualified_name, **given)
            assert said(answer).startswith(NOT_HERE), command.qualified_name
            assert answer.response.ephemeral
            assert not answer.followups
        assert said(await ann.context_menu(at.private, "Keep me away from them", at.stranger)).startswith(NOT_HERE)
        for verb in sorted(HANDLERS):
            for kind in FORGED:
                answer = await at.forge(ann, verb, place=at.private, kind=kind)
                assert said(answer).startswith(NOT_HERE), verb
        change_presses(at.room, as_a_modal)
        assert said(await at.forge(ann, "play", place=at.private)).startswith(NOT_HERE)
        assert await at.state() == before


# FOUND W1


async def test_nothing_opens_where_only_a_person_has_the_bot_and_the_sentence_says_what_to_do(room1: Table) -> None:
    brought_by_a_person(room1)
    told = said(await room1.people[0].slash(room1.channel, "gambo new"))
    number = places.INVITED_WITH.value
    assert f"&scope=bot+applications.commands&permissions={number}>)." in told
    assert await room1.bot.host.look.matches_in(room1.channel.id) == ()
    assert "You have no matches right now" in said(await room1.people[0].user.slash("match"))


# FOUND W1


async def test_a_resumed_process_opens_no_table_where_discord_says_that_the_bot_is_not(room1: Table) -> None:
    room1.forget_servers()
    room1.env.inject_error("GET", f"/guilds/{room1.channel.guild.id}", status=403, code=50001)
    assert said(await room1.people[0].slash(room1.channel, "gambo new")).startswith(NOT_HERE)


# FOUND W1


async def test_every_command_is_for_servers_that_have_the_bot_and_for_its_direct_messages(room1: Table) -> None:
    for payload in payloads(room1.bot):
        assert (payload["integration_types"], payload["contexts"]) == ([0], [0, 1]), payload["name"]


# FOUND O9


async def test_a_bot_on_no_server_says_at_its_start_how_to_add_it_to_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cogs.delivery.porter")
    async with simcord.run(make_bot(tmp_path / "ambit.db"), shard_count=1, settle_timeout=AT_REST) as env:
        await env.settle()
        assert env.bot.application_id is not None
        link = places.invitation(env.bot.application_id)
        assert f"the bot is on no server yet; add it to yours: {link}" in caplog.text
        assert f"client_id={env.bot.application_id}&scope=bot+applications.commands" in link


def test_documents_invite_the_bot_with_what_it_asks_for_and_say_who_may_install_it() -> None:
    for name in ("README.md", "docs/listing.md"):
        assert f"&permissions={places.INVITED_WITH.value}`" in (ROOT / name).read_text("utf-8"), name
    assert "*User Install*" in (ROOT / "README.md").read_text("utf-8")


class Spot(NamedTuple):
    """As much of a channel or thread as decides whether the bot can post there."""

    type: discord.ChannelType
    id: int = 5
    locked: bool = False


KINDS = discord.ChannelType
NEEDED = {
    **dict.fromkeys((KINDS.text, KINDS.news), ("view_channel", "send_messages")),
    **dict.fromkeys((KINDS.voice, KINDS.stage_voice), ("view_channel", "send_messages", "connect")),
    **dict.fromkeys(places.THREAD_KINDS, ("view_channel", "send_messages_in_threads")),
}
"""Where a match can be played, and which permissions it takes there."""


# FOUND W2


async def test_in_every_kind_of_place_everything_that_later_posts_need_is_asked_and_named(room1: Table) -> None:
    guild = room1.channel.guild.id
    for kind in FORGED:
        spot = Spot(kind, room1.channel.id)
        if kind not in NEEDED:
            found = await places.hindrances(room1.bot, guild, spot, discord.Permissions.all())
            assert found == ["I can't post in this kind of channel"], kind
            continue
        for name in NEEDED[kind]:
            granted = discord.Permissions(**dict.fromkeys(set(NEEDED[kind]) - {name}, True))
            (hindered,) = await places.hindrances(room1.bot, guild, spot, granted)
            words = name.replace("_", " ").title().replace(" In ", " in ")
            assert hindered == f"I need the {words} permission in this channel", kind
        every = discord.Permissions(**dict.fromkeys(NEEDED[kind], True))
        outside = ["somebody has to add me to this private thread, by mentioning me in it"]
        expected = outside if kind is KINDS.private_thread else []
        assert await places.hindrances(room1.bot, guild, spot, every) == expected, kind
        if kind in places.THREAD_KINDS:
            (hindered,) = await places.hindrances(room1.bot, guild, spot._replace(locked=True), every)
            assert hindered == "I need the Manage Threads (the thread is locked) permission in this channel"


def without(room: Table, **denied: bool) -> None:
    """From now on the bot lacks these permissions wherever somebody presses."""
    lacking = discord.Permissions(**denied).value
    change_presses(room, lambda data: data.update(app_permissions=str(int(data.get("app_permissions", 0)) & ~lacking)))


# FOUND W2


async def test_whatever_opens_or_moves_a_table_asks_first_and_names_connect(room2: Table) -> None:
    ann = room2.people[0]
    await room2.begin("gambo", 2)
    asked = await at_match(room2.people[1], room2.channel, "resign")
    await room2.people[1].click(asked.response, label="Yes, call it off")
    final = room2.latest("Rematch")
    await room2.open("abissal")
    guild = room2.channel.guild
    voice = guild.create_voice_channel("voice")
    without(room2, connect=True)
    needs = "I can't host a match here: I need the Connect permission in this channel."
    assert said(await ann.slash(voice, "gambo new")) == needs
    assert said(await at_match(ann, voice, "move", match=2)) == needs
    page = (await ann.click((await ann.slash(voice, "tables")).response, label="I'd play …")).response
    assert said(await ann.select(page, ["gambo"], custom_id=Ref("want").custom_id("s"))) == needs
    # A text channel needs no Connect, and a rematch asks as a new table does.
    without(room2, send_messages=True)
    assert "I need the Send Messages permission" in said(await ann.click(final, label="Rematch"))
    assert {match.id for match in await room2.bot.host.look.matches_of(ann.id)} == {2}


# FOUND W2


@pytest.mark.parametrize("denied", [None, "manage_threads"])
async def test_a_private_thread_is_joined_where_that_is_possible_or_the_bot_asks_to_be_added(
    tmp_path: Path, denied: str | None
) -> None:
    async with table(tmp_path / "ambit.db", 2, denied=denied) as room:
        ann = room.people[0]
        secret = room.env.backend.create_thread(
            room.channel.id, "secret", ann.id, type=discord.ChannelType.private_thread.value
        )
        await room.env.settle()
        thread = next(each for each in room.channel.threads if each.id == secret.id)
        told = said(await ann.slash(thread, "gambo new"))
        if denied is None:
            assert room.env.bot.user.id in secret.thread_members
            assert "Gambo #1" in told
        else:
            assert "somebody has to add me to this private thread, by mentioning me in it" in told
            assert await room.bot.host.look.matches_of(ann.id) == ()


# FOUND W2


@pytest.mark.parametrize(
    ("code", "why"), [(50083, "the thread is in the archive"), (30033, "that thread has room for no more members")]
)
async def test_a_private_thread_that_cannot_be_joined_says_why(room1: Table, code: int, why: str) -> None:
    ann = room1.people[0]
    secret = room1.env.backend.create_thread(
        room1.channel.id, "secret", ann.id, type=discord.ChannelType.private_thread.value
    )
    await room1.env.settle()
    thread = next(each for each in room1.channel.threads if each.id == secret.id)
    room1.env.inject_error("PUT", f"/channels/{secret.id}/thread-members/@me", status=400, code=code)
    assert said(await ann.slash(thread, "gambo new")) == f"I can't host a match here: {why}."


# FOUND W2


async def test_a_bot_that_is_timed_out_says_until_when_and_opens_nothing(room1: Table) -> None:
    until = room1.bot.host.now() + timedelta(minutes=10)
    member = room1.env.backend.guilds[room1.channel.guild.id].members[room1.env.bot.user.id]
    data = dict(serializers.member_payload(room1.env.backend, room1.env.backend.guilds[room1.channel.guild.id], member))
    data |= {"guild_id": str(room1.channel.guild.id), "communication_disabled_until": until.isoformat()}
    internals.parsers(room1.bot)["GUILD_MEMBER_UPDATE"](data)
    told = said(await room1.people[0].slash(room1.channel, "gambo new"))
    assert f"I'm timed out on this server until <t:{int(until.timestamp())}:f>" in told
    assert await room1.bot.host.look.matches_in(room1.channel.id) == ()


# FOUND W2


async def test_a_voice_channel_is_said_to_have_no_threads_instead_of_blaming_a_permission(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1, threads=True) as room:
        guild = room.channel.guild
        opened = await room.people[0].slash(guild.create_voice_channel("voice"), "gambo new")
        (told,) = [each.content for each in opened.followups if each.ephemeral]
        assert told == "There are no threads in this kind of channel, so the match stays in the channel."
        assert (await room.bot.host.look.match(MatchId(1))).where is Where.CHANNEL
