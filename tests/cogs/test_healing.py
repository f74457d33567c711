"""Discord changes under a match: the bot notices at the next post or reminder, and repairs it (P17, P29)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from simcord.builders import ChannelHandle

from db.model import schema
from matches.api import Lost, MatchId, Status
from tests.cogs.table import TICK, Table, clocked, labels, play_by_panel, table, with_right
from tests.cogs.test_manners import one_sentence


def posts(channel: ChannelHandle) -> int:
    """How many boards are in a channel."""
    return sum("Play" in labels(message) for message in channel.history())


def dms(room: Table, words: str) -> list[int]:
    """How many DMs with these words each person has."""
    return [sum(words in message.content for message in person.user.dm_channel.history()) for person in room.people]


def delete(room: Table, channel: ChannelHandle) -> None:
    room.env.backend.delete_channel(channel.id)


async def test_p17_a_thread_that_was_deleted_is_left_for_the_channel(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2, where="thread")
        delete(room, room.place())
        await table.move()
        assert room.mover(room.latest("Play", room.channel)) is not None
        assert (await table.match()).thread_id is None
        lobby = room.channel.history()[0]
        assert "The match is under way." in lobby.content
        assert sum(dms(room, "I can't post in")) == 0


async def test_p17_an_archived_thread_is_opened_again(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2, where="thread")
        thread = room.place()
        before = posts(thread)
        # SimCord lets a bot post in archived threads, so Discord's refusal replaces its answer.
        room.env.inject_error("POST", f"/channels/{thread.id}/messages", status=400, code=50083)
        await table.move()
        opened: list[Any] = [
            request.json
            for request in room.env.http_requests
            if request.method == "PATCH" and request.path == f"/channels/{thread.id}"
        ]
        assert [body["archived"] for body in opened] == [False]
        assert posts(thread) == before + 1


async def test_p17_an_archived_thread_that_stays_shut_is_left_for_the_channel(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2, where="thread")
        thread = room.place()
        room.env.inject_error("POST", f"/channels/{thread.id}/messages", status=400, code=50083)
        room.env.inject_error("PATCH", f"/channels/{thread.id}", status=403, code=50013)
        await table.move()
        assert room.mover(room.latest("Play", room.channel)) is not None


async def test_p17_the_people_of_a_deleted_channel_are_told_once_and_play_on_elsewhere(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        guild = room.channel.guild
        other = guild.create_text_channel("other")
        delete(room, room.channel)
        await table.move()
        await table.move()
        assert dms(room, "I can't post in") == [1, 1]
        assert (await table.match()).lost is not None
        assert (await room.people[0].user.slash("match board")).response.attachments, "other places show the match"
        moved = await room.people[1].slash(other, "match move")
        assert "will be played here from now on" in one_sentence(moved)
        board = room.latest("Play", other)
        actor = room.mover(board)
        assert actor is not None
        await play_by_panel(actor, board, random.Random(1))
        assert posts(other) == 2
        assert (await table.match()).lost is None


async def test_p17_p29_a_lost_permission_is_told_once_and_what_was_missed_follows(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        before = posts(room.channel)
        room.env.inject_error("POST", f"/channels/{room.channel.id}/messages", status=403, code=50013, times=None)
        await table.move()
        await table.move()
        assert posts(room.channel) == before
        assert dms(room, "I can't post in") == [1, 1]
        room.env.backend.faults.clear()
        await table.later(minutes=11)
        assert posts(room.channel) == before + 1
        assert (await table.match()).lost is None


async def test_p17_a_deleted_board_is_posted_again_when_somebody_is_to_be_reminded(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        board = room.latest("Play")
        room.env.backend.delete_message(room.channel.id, board.id)
        await table.later(hours=20)
        again = room.latest("Play")
        assert again.id != board.id
        assert again.attachments
        assert room.mover(again) is not None


async def test_p17_a_deleted_lobby_is_posted_again(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("saboteur")
        lobby = room.latest("Join")
        await room.people[1].click(lobby, label="Join")
        room.env.backend.delete_message(room.channel.id, lobby.id)
        await room.people[1].slash(room.channel, "match leave")
        again = room.latest("Join")
        assert again.id != lobby.id
        assert "Bob" not in again.content
        await room.people[1].click(again, label="Join")
        assert "Bob" in room.refreshed(again).content


async def test_p17_for_whoever_has_left_the_server_the_computer_is_offered_after_one_pause(
    tmp_path: Path,
) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room = table.room
        await room.begin("saboteur", 3)
        mover = (await table.match()).mover
        assert mover.user_id is not None
        guild = room.channel.guild
        guild.remove_member(room.person(mover.user_id))
        await table.later(hours=20)
        await table.later(hours=5)
        asked = room.latest("Computer takes over")
        assert "can't play right now" in asked.content
        for person in room.people:
            if person.id != mover.user_id:
                await person.click(asked, label="Computer takes over")
        match = await table.match()
        assert match.seats[mover.seat or 0].computer == "normal"
        assert match.status is Status.RUNNING
        assert not any("the table is waiting for you" in message.content for message in room.channel.history())


async def test_p17_a_lobby_is_moved_with_its_buttons(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("saboteur")
        guild = room.channel.guild
        other = guild.create_text_channel("other")
        await room.people[0].slash(other, "match move", match=1)
        await room.people[1].click(room.latest("Join", other), label="Join")
        assert [seat.name for seat in (await room.bot.host.look.match(MatchId(1))).seats] == ["Ann", "Bob"]
        left_behind = room.channel.history()[0]
        assert labels(left_behind) == []
        assert other.mention in left_behind.content


async def test_a_lobby_that_is_moved_brings_its_picture(tmp_path: Path) -> None:  # FOUND E11
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("saboteur")
        guild = room.channel.guild
        other = guild.create_text_channel("other")
        assert room.latest("Join").attachments
        await room.people[0].slash(other, "match move", match=1)
        assert room.latest("Join", other).attachments


async def test_p17_only_players_and_moderators_move_a_match(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.begin("gambo", 2)
        guild = room.channel.guild
        other = guild.create_text_channel("other")
        assert "There's no match 1" in one_sentence(await room.people[2].slash(other, "match move", match=1))
        moderator = with_right(room, "Mo", manage_messages=True)
        await moderator.slash(other, "match move", match=1)
        assert posts(other) == 1
        assert "already being played here" in one_sentence(await moderator.slash(other, "match move", match=1))


async def test_a_match_whose_log_does_not_replay_tells_its_people_that_it_is_frozen(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        board = room.latest("Play")
        nonsense = schema.log.update().values(action="nonsense")
        await room.bot.database.write(lambda connection: connection.execute(nonsense) and None)
        await room.restart()
        assert "is frozen" in one_sentence(await room.people[0].click(board, label="Play"))
        for _ in range(3):
            await room.env.advance_time(TICK)
        told = [
            each for each in room.channel.history() if each.content.startswith("**Gambo #1**: This match is frozen")
        ]
        assert len(told) == 1


# Events from Discord.


async def test_p17_in_a_server_that_threw_the_bot_out_nothing_is_tried_until_it_is_invited_again(
    tmp_path: Path,
) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        guild = room.channel.guild
        room.env.backend.remove_guild(guild.id)
        await room.env.settle()
        assert (await table.match()).lost is Lost.SERVER
        before = len(room.env.http_requests)
        for _ in range(10):
            await table.later(days=1)
        assert len(room.env.http_requests) == before
        assert (await table.match()).status is Status.RUNNING
        assert not (await table.match()).asked


async def test_p17_a_deleted_channel_is_noticed_at_once_and_its_people_are_told(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        delete(room, room.channel)
        await room.env.settle()
        await room.told()
        assert (await table.match()).lost is Lost.PLACE
        assert dms(room, "I can't post in") == [1, 1]
        before = len(room.env.http_requests)
        await table.later(days=5)
        assert len(room.env.http_requests) == before


async def test_p17_a_deleted_thread_is_left_at_once(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2, where="thread")
        delete(room, room.place())
        await room.env.settle()
        await room.told()
        assert (await table.match()).thread_id is None
        assert room.mover(room.latest("Play", room.channel)) is not None


async def test_p17_what_is_refused_is_tried_less_and_less_and_given_up_after_three_days(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        room.env.inject_error("POST", f"/channels/{room.channel.id}/messages", status=403, code=50001, times=None)
        await table.move()
        path = f"/channels/{room.channel.id}/messages"
        refused = [1]
        for _ in range(5 * 24):
            before = len(room.env.http_requests)
            await table.later(hours=1)
            refused.append(sum(request.path == path for request in room.env.http_requests[before:]))
        assert 8 <= sum(refused) <= 30
        assert sum(refused[:24]) > sum(refused[24:48])
        assert sum(refused[3 * 24 + 8 :]) == 0
        match = await table.match()
        assert (match.status, match.lost) == (Status.RUNNING, Lost.PLACE)
        assert not match.asked
        room.env.backend.faults.clear()
        other = room.channel.guild.create_text_channel("other")
        await room.people[0].slash(other, "match move", match=1)
        assert room.mover(room.latest("Play", other)) is not None
