"""What Discord refuses, by class: dropped, posted again, or told in words; nothing is tried for ever."""

import logging

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.enums import OverwriteType

from matches.api import Lost, MatchId, Status
from tests.cogs.table import Clocked, Table, at_match
from tests.cogs.test_healing import dms, posts


def asked(room: Table, method: str, path: str) -> int:
    """How many requests there have been."""
    return sum((request.method, request.path) == (method, path) for request in room.env.http_requests)


def board_path(room: Table) -> str:
    return f"/channels/{room.channel.id}/messages"


@pytest.fixture
async def gambo(timed2: Clocked) -> Clocked:
    """A match of two has begun."""
    await timed2.begin("gambo", 2)
    return timed2


async def refuse(clocked: Clocked, status: int, code: int) -> tuple[int, int]:
    """Start a match and move while every post is refused. Return the requests of the first minute, and
    of three days.
    """
    await clocked.begin("gambo", 2, pace="none")  # no reminder and no vote is announced besides the board
    clocked.env.inject_error("POST", board_path(clocked), status=status, code=code, times=None)
    before = asked(clocked, "POST", board_path(clocked))
    await clocked.move()
    first = asked(clocked, "POST", board_path(clocked)) - before
    for _ in range(72):
        await clocked.later(hours=1)
    return first, asked(clocked, "POST", board_path(clocked)) - before


# FOUND E2


@pytest.mark.parametrize(("status", "code"), [(403, 350000), (400, 40058), (400, 987654)])
async def test_a_board_that_is_refused_for_good_is_tried_once_and_its_people_hear_where_to_go_on(
    timed2: Clocked, status: int, code: int
) -> None:
    assert await refuse(timed2, status, code) == (1, 1)
    assert (await timed2.match()).lost is Lost.PLACE
    assert dms(timed2, "I can't post in") == [1, 1]


async def test_what_comes_between_us_and_discord_is_asked_less_and_less(timed2: Clocked) -> None:
    first, days = await refuse(timed2, 403, 0)
    assert first == 1
    assert 5 <= days <= 30
    assert (await timed2.match()).lost is None


async def test_a_malformed_board_is_one_error_in_the_log_and_comes_without_its_picture(
    gambo: Clocked, caplog: pytest.LogCaptureFixture
) -> None:
    gambo.env.inject_error("POST", board_path(gambo), status=413, code=40005)
    await gambo.move()
    board = gambo.latest("Play")
    assert not board.attachments
    assert "```" in board.content
    assert [record.levelname for record in caplog.records if "refuses a picture" in record.message] == ["ERROR"]
    await gambo.move()
    assert gambo.latest("Play").attachments


async def test_a_board_that_is_malformed_in_words_too_is_dropped_with_one_error(
    timed2: Clocked, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    assert await refuse(timed2, 400, 50035) == (2, 2)
    assert (await timed2.match()).lost is None
    dropped = [record for record in caplog.records if "is dropped" in record.message]
    assert [record.levelname for record in dropped] == ["ERROR"]
    assert "match 1: telling board" in dropped[0].message


@pytest.mark.parametrize(("status", "code"), [(403, 50005), (400, 50083), (400, 987654)])
async def test_a_board_that_cannot_be_edited_is_posted_again(room4: Table, status: int, code: int) -> None:
    await room4.begin("saboteur", 4)
    board = room4.latest("Play")
    mover = room4.mover(board)
    room4.env.inject_error("PATCH", f"{board_path(room4)}/{board.id}", status=status, code=code, times=None)
    idle = next(person for person in room4.people if mover is not None and person.id != mover.id)
    question = await at_match(idle, room4.channel, "leave")
    await idle.click(question.response, label="Yes, leave")
    assert room4.latest("Play").id != board.id
    assert asked(room4, "PATCH", f"{board_path(room4)}/{board.id}") == 1
    assert posts(room4.channel) == 2


async def test_a_lobby_that_cannot_be_edited_is_posted_again_with_its_picture(room2: Table) -> None:
    await room2.open("saboteur")
    lobby = room2.latest("Join")
    await room2.people[1].click(lobby, label="Join")
    room2.env.inject_error("PATCH", f"{board_path(room2)}/{lobby.id}", status=403, code=50005, times=None)
    await at_match(room2.people[1], room2.channel, "leave")
    again = room2.latest("Join")
    assert again.id != lobby.id
    assert again.attachments


async def test_an_archived_thread_in_which_a_match_was_started_is_opened_again(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2, where="thread")
    thread = timed2.place()
    await timed2.open("gambo", channel=thread)
    await timed2.people[1].click(timed2.latest("Join", thread), label="Join")
    before = posts(thread)
    timed2.env.inject_error("POST", f"/channels/{thread.id}/messages", status=400, code=50083)
    await timed2.move()
    assert asked(timed2, "PATCH", f"/channels/{thread.id}") == 1
    assert posts(thread) == before + 1


async def test_a_thread_that_could_not_be_made_for_a_moment_is_made_a_little_later(timed2: Clocked) -> None:
    timed2.env.inject_error("POST", f"{board_path(timed2)}/*/threads", status=503, times=2)
    await timed2.begin("gambo", 2, where="thread")
    assert not timed2.channel.threads
    for _ in range(3):
        await timed2.later(seconds=10)
    assert posts(timed2.place()) == 1
    assert timed2.place() is not timed2.channel


async def test_a_dm_that_fails_for_a_moment_comes_a_little_later(timed_gambo: Clocked) -> None:
    first = (await timed_gambo.bot.host.look.match(MatchId(1))).present[0]
    timed_gambo.env.backend.delete_channel(timed_gambo.channel.id)
    # The first DM fails. If a later one did, SimCord would show the earlier ones twice: it ignores nonces.
    timed_gambo.env.inject_error("POST", f"/channels/{first.dm_channel_id}/messages", status=503, code=0)
    await timed_gambo.move()
    await timed_gambo.later(minutes=1)
    assert dms(timed_gambo, "I can't post in") == [1, 1]


# FOUND W6


async def test_a_board_that_automod_blocks_comes_in_other_words_and_the_next_one_as_always(gambo: Clocked) -> None:
    gambo.env.inject_error("POST", board_path(gambo), status=400, code=200000)
    await gambo.move()
    board, mover = gambo.latest("Play"), (await gambo.match()).mover
    assert (await gambo.match()).lost is None
    assert "AutoMod on this server doesn't let me say more here; `/match` has the log." in board.content
    assert f"It's <@{mover.user_id}>'s turn." in board.content
    assert not [person.name for person in gambo.people if person.name in board.content]
    assert board.attachments
    assert {user.id for user in board.mentions} == {mover.user_id}
    await gambo.move()
    assert "AutoMod" not in gambo.latest("Play").content


async def test_where_automod_blocks_everything_its_people_hear_so_and_a_post_that_comes_through_ends_that(
    gambo: Clocked,
) -> None:
    gambo.env.inject_error("POST", board_path(gambo), status=400, code=200000, times=None)
    await gambo.move()
    assert (await gambo.match()).lost is Lost.PLACE
    why = "AutoMod on this server blocks what I'd write (people who manage the server can exempt my role)"
    assert dms(gambo, f"I can't post in {gambo.channel.mention} any more: {why}. Use `/match match:1`") == [1, 1]
    gambo.env.backend.faults.clear()
    await gambo.move()
    assert (await gambo.match()).lost is None
    assert (await gambo.match()).reason is None


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (10003, "the channel or thread is gone"),
        (50013, "I'm missing a permission"),
        (160005, "the thread is locked"),
        (50009, "the channel wants a higher verification level"),
    ],
)
async def test_people_read_the_reason_that_discord_gave(gambo: Clocked, code: int, why: str) -> None:
    gambo.env.inject_error("POST", board_path(gambo), status=403, code=code, times=None)
    await gambo.move()
    assert dms(gambo, f"I can't post in {gambo.channel.mention} any more: {why}. Use") == [1, 1]


async def test_people_read_which_permission_is_gone(gambo: Clocked) -> None:
    assert gambo.channel.guild is not None
    denied = Overwrite(gambo.env.bot.user.id, OverwriteType.MEMBER, 0, discord.Permissions(send_messages=True).value)
    gambo.env.backend.set_overwrite(gambo.channel.id, denied)
    await gambo.env.settle()
    await gambo.move()
    why = "I need the Send Messages permission in this channel"
    assert dms(gambo, f"I can't post in {gambo.channel.mention} any more: {why}. Use") == [1, 1]


async def test_a_table_whose_post_automod_blocks_is_not_open_and_its_opener_reads_why(room2: Table) -> None:
    room2.env.inject_error("POST", "/interactions/*/callback", status=400, code=200000)
    answer = await room2.people[0].slash(room2.channel, "gambo new")
    assert answer.response.ephemeral
    assert answer.response.content.startswith("I couldn't open the table here: AutoMod on this server blocks")
    assert (await room2.bot.host.look.match(MatchId(1))).status is Status.CANCELLED
    assert await room2.bot.host.look.matches_in(room2.channel.id) == ()
