"""Servers that have chosen nothing play each match in a thread, which is made at the second **Join** (P3, P29)."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from matches.api import MatchId, Status, Where
from tests.cogs.table import Table, at_match, behind, cancel, change, labels, private, strip, table
from tests.cogs.test_lobby import play_to_the_end

IN_A_THREAD = " · in a thread\n"
FORBIDDEN = "I'm not allowed to use threads here, so the match stays in the channel"


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Table]:
    """Three people on a server that has chosen nothing, so matches have threads."""
    async with table(tmp_path / "ambit.db", 3, threads=True) as made:
        yield made


def lobby_text(room: Table) -> str:
    """The newest lobby message as it is now."""
    lobby = room.latest("Join")
    return f"{lobby.content}\n{strip(lobby).description}"


def in_the_channel(room: Table) -> bool:
    """Whether the lobby says nothing of a thread, so that the match is played where it stands."""
    return not re.search(r"thread| in <#", lobby_text(room))


def said_in_thread(room: Table) -> list[str]:
    """What was posted in the only thread."""
    (thread,) = room.channel.threads
    return [message.content for message in sorted(thread.history(), key=lambda message: message.id) if message.content]


def archived(room: Table) -> bool:
    """Whether the only thread is in the archive."""
    (thread,) = room.channel.threads
    meta = room.env.backend.channels[thread.id].thread_metadata
    return meta.archived


async def joined(room: Table) -> MatchId:
    """The first person opens a table of Saboteur, and the second joins it."""
    number = await room.open("saboteur")
    await room.people[1].click(room.latest("Join"), label="Join")
    return number


async def test_p03_the_thread_is_made_at_the_second_join_and_the_whole_match_is_played_there(room: Table) -> None:
    ann, bob, cleo = room.people
    number = await room.open("saboteur")
    assert IN_A_THREAD in lobby_text(room)
    assert not room.channel.threads, "a table that nobody joins has no thread"
    lobby = room.latest("Join")
    await bob.click(lobby, label="Join")
    (thread,) = room.channel.threads
    assert f"in {thread.mention}" in lobby_text(room)
    assert "Bob" in lobby_text(room)
    await behind(bob, lobby, "Leave")
    await bob.click(lobby, label="Join")
    await cleo.click(lobby, label="Join")
    assert "Cleo" in lobby_text(room)
    await ann.click(lobby, label="Start")
    assert thread.mention in room.refreshed(lobby).content
    assert "Play" in labels(room.latest("Play", thread))
    await play_to_the_end(room, number)
    assert room.latest("Rematch", thread).attachments
    posts = [each for each in room.newest_first(room.channel) if each.type is not discord.MessageType.thread_created]
    assert [post.id for post in posts] == [lobby.id], "nothing else is there"
    assert "The match is over; " in room.refreshed(lobby).content
    assert [each.id for each in room.channel.threads] == [thread.id]


async def test_p03_a_table_of_two_gets_its_thread_at_the_start(room: Table) -> None:
    await room.begin("gambo", 2)
    (thread,) = room.channel.threads
    assert thread.mention in room.channel.history()[0].content
    assert "Play" in labels(room.latest("Play", thread))


async def test_a_closed_lobby_says_so_in_its_thread_and_archives_it(room: Table) -> None:
    number = await joined(room)
    (thread,) = room.channel.threads
    assert str(number) in private(await room.people[0].slash(thread, "match")).content
    await cancel(room.people[0], room.channel)
    assert said_in_thread(room) == ["**Saboteur #1**: The host closed this table."]
    assert archived(room)
    before = len(room.env.http_requests)
    await room.open("gambo")
    await cancel(room.people[0], room.channel)
    sent = [request.path for request in room.env.http_requests[before:]]
    assert not [path for path in sent if path.endswith("/threads") or str(thread.id) in path]


async def test_whoever_switches_to_the_channel_and_back_finds_the_same_thread(room: Table) -> None:
    number = await joined(room)
    ann = room.people[0]
    await change(ann, room.latest("Join"), "In the channel")
    assert in_the_channel(room)
    assert said_in_thread(room) == [f"**Saboteur #1**: This match is played in {room.channel.mention}."]
    assert archived(room)
    await change(ann, room.latest("Join"), "In a thread")
    (thread,) = room.channel.threads
    assert f"in {thread.mention}" in lobby_text(room)
    assert not archived(room)
    assert (await room.bot.host.look.match(number)).thread_id == thread.id


async def test_p29_without_the_permission_the_match_stays_in_the_channel_and_one_sentence_says_so(
    tmp_path: Path,
) -> None:
    async with table(tmp_path / "ambit.db", 2, denied="create_public_threads", threads=True) as room:
        opened = await room.people[0].slash(room.channel, "gambo new")
        (told,) = [each.content for each in opened.followups if each.ephemeral]
        assert told == f"{FORBIDDEN} (permissions: Create Public Threads, Send Messages in Threads)."
        assert in_the_channel(room)
        await room.people[1].click(room.latest("Join"), label="Join")
        assert "Play" in labels(room.latest("Play"))
        assert not room.channel.threads


async def test_p29_a_permission_lost_after_the_opening_is_told_once(room: Table) -> None:
    number = await room.open("saboteur")
    lobby = room.latest("Join")
    path = f"/channels/{room.channel.id}/messages/{lobby.id}/threads"
    room.env.inject_error("POST", path, status=403, code=50013, times=None)
    for person in room.people[1:]:
        await person.click(lobby, label="Join")
    assert "Cleo" in lobby_text(room)
    assert in_the_channel(room)
    await room.people[0].click(lobby, label="Start")
    assert "Play" in labels(room.latest("Play"))
    assert sum(FORBIDDEN in message.content for message in room.channel.history()) == 1
    assert (await room.bot.host.look.match(number)).where is Where.CHANNEL


async def test_a_lobby_shows_who_joins_while_discord_makes_no_thread_and_links_it_later(room: Table) -> None:
    await room.open("saboteur")
    lobby = room.latest("Join")
    path = f"/channels/{room.channel.id}/messages/{lobby.id}/threads"
    room.env.inject_error("POST", path, status=503, code=0, times=6)
    await room.people[1].click(lobby, label="Join")
    assert "Bob" in lobby_text(room)
    assert not room.channel.threads
    await room.env.advance_time(200)
    (thread,) = room.channel.threads
    assert f"in {thread.mention}" in lobby_text(room)


async def test_a_bot_that_died_before_it_noted_the_thread_finds_it(room: Table) -> None:
    number = await joined(room)
    (thread,) = room.channel.threads
    await room.bot.host.outbox.set_thread(number, None)
    await room.restart()
    await room.people[2].click(room.latest("Join"), label="Join")
    assert [each.id for each in room.channel.threads] == [thread.id]
    assert (await room.bot.host.look.match(number)).thread_id == thread.id
    assert "Cleo" in lobby_text(room)


async def test_a_deleted_thread_of_a_lobby_is_not_made_again(room: Table) -> None:
    number = await joined(room)
    thread = await room.bot.fetch_channel(room.channel.threads[0].id)
    await thread.delete()
    await room.env.settle()
    await room.told()
    assert in_the_channel(room)
    await room.people[2].click(room.latest("Join"), label="Join")
    assert (await room.bot.host.look.match(number)).where is Where.CHANNEL


@pytest.mark.parametrize("started", [False, True])
async def test_a_match_that_moves_says_so_in_its_old_thread(room: Table, started: bool) -> None:
    number = await joined(room)
    if started:
        await room.people[2].click(room.latest("Join"), label="Join")
        await room.people[0].click(room.latest("Join"), label="Start")
    guild = room.channel.guild
    other = guild.create_text_channel("more-games")
    await at_match(room.people[0], other, "move", match=number)
    assert said_in_thread(room)[-1] == f"**Saboteur #1** has moved to {other.mention}."
    assert archived(room)
    match = await room.bot.host.look.match(number)
    assert match.channel_id == other.id
    assert match.status is (Status.RUNNING if started else Status.LOBBY)
    if started:
        assert room.latest("Play", other)
    else:
        (new,) = other.threads
        assert f"in {new.mention}" in room.latest("Join", other).content


# FOUND W6


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (160006, "This server has no room for another thread, so the match stays in the channel."),
        (50024, "That kind of channel doesn't allow it, so the match stays in the channel."),
        (50013, f"{FORBIDDEN} (permissions: Create Public Threads, Send Messages in Threads)."),
    ],
)
async def test_a_thread_that_discord_refuses_is_explained_by_discords_own_reason(
    room: Table, code: int, why: str
) -> None:
    room.env.inject_error("POST", f"/channels/{room.channel.id}/messages/*/threads", status=400, code=code)
    await room.begin("gambo", 2)
    assert [each.content for each in room.channel.history() if "stays in" in each.content] == [f"**Gambo #1**: {why}"]
    assert "Play" in labels(room.latest("Play"))
