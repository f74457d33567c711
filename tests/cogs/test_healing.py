"""Discord changes under a match: the bot notices at the next post or reminder, and repairs it (P17, P29)."""

import random
from typing import Any

from simcord.builders import ChannelHandle

from db.model import schema
from matches.api import Lost, MatchId, Status
from tests.cogs.table import TICK, Clocked, Table, at_match, labels, play_by_panel, strip, with_right
from tests.cogs.test_manners import one_sentence


def posts(channel: ChannelHandle) -> int:
    """How many boards are in a channel."""
    return sum("Play" in labels(message) for message in channel.history())


def dms(room: Table, words: str) -> list[int]:
    """How many DMs with these words each person has."""
    return [sum(words in message.content for message in person.user.dm_channel.history()) for person in room.people]


def delete(room: Table, channel: ChannelHandle) -> None:
    room.env.backend.delete_channel(channel.id)


async def test_p17_an_archived_thread_is_opened_again(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2, where="thread")
    thread = timed2.place()
    before = posts(thread)
    # SimCord lets a bot post in archived threads, so Discord's refusal replaces its answer.
    timed2.env.inject_error("POST", f"/channels/{thread.id}/messages", status=400, code=50083)
    await timed2.move()
    opened: list[Any] = [
        request.json
        for request in timed2.env.http_requests
        if request.method == "PATCH" and request.path == f"/channels/{thread.id}"
    ]
    assert [body["archived"] for body in opened] == [False]
    assert posts(thread) == before + 1


async def test_p17_an_archived_thread_that_stays_shut_is_left_for_the_channel(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2, where="thread")
    thread = timed2.place()
    timed2.env.inject_error("POST", f"/channels/{thread.id}/messages", status=400, code=50083)
    timed2.env.inject_error("PATCH", f"/channels/{thread.id}", status=403, code=50013)
    await timed2.move()
    assert timed2.mover(timed2.latest("Play", timed2.channel)) is not None


async def test_p17_the_people_of_a_deleted_channel_are_told_once_and_play_on_elsewhere(timed_gambo: Clocked) -> None:
    guild = timed_gambo.channel.guild
    other = guild.create_text_channel("other")
    delete(timed_gambo, timed_gambo.channel)
    await timed_gambo.env.settle()
    await timed_gambo.told()
    before = len(timed_gambo.env.http_requests)
    await timed_gambo.later(days=5)
    assert len(timed_gambo.env.http_requests) == before
    assert dms(timed_gambo, "I can't post in") == [1, 1], "at once"
    await timed_gambo.move()
    await timed_gambo.move()
    assert dms(timed_gambo, "I can't post in") == [1, 1]
    assert (await timed_gambo.match()).lost is Lost.PLACE
    assert (await at_match(timed_gambo.people[0].user, None, "board")).response.attachments, (
        "other places show the match"
    )
    moved = await at_match(timed_gambo.people[1], other, "move")
    assert "will be played here from now on" in one_sentence(moved)
    board = timed_gambo.latest("Play", other)
    actor = timed_gambo.mover(board)
    assert actor is not None
    await play_by_panel(actor, board, random.Random(1))
    assert posts(other) == 2
    assert (await timed_gambo.match()).lost is None


async def test_p17_p29_a_lost_permission_is_told_once_and_what_was_missed_follows(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2)
    before = posts(timed2.channel)
    timed2.env.inject_error("POST", f"/channels/{timed2.channel.id}/messages", status=403, code=50013, times=None)
    await timed2.move()
    await timed2.move()
    assert posts(timed2.channel) == before
    assert dms(timed2, "I can't post in") == [1, 1]
    timed2.env.backend.faults.clear()
    await timed2.later(minutes=11)
    assert posts(timed2.channel) == before + 1
    assert (await timed2.match()).lost is None


async def test_p17_a_deleted_board_is_posted_again_when_somebody_is_to_be_reminded(timed_gambo: Clocked) -> None:
    board = timed_gambo.latest("Play")
    timed_gambo.env.backend.delete_message(timed_gambo.channel.id, board.id)
    await timed_gambo.later(hours=20)
    again = timed_gambo.latest("Play")
    assert again.id != board.id
    assert again.attachments
    assert timed_gambo.mover(again) is not None


async def test_p17_a_deleted_lobby_is_posted_again(room2: Table) -> None:
    await room2.open("saboteur")
    lobby = room2.latest("Join")
    await room2.people[1].click(lobby, label="Join")
    room2.env.backend.delete_message(room2.channel.id, lobby.id)
    await at_match(room2.people[1], room2.channel, "leave")
    again = room2.latest("Join")
    assert again.id != lobby.id
    assert "Bob" not in strip(again).description
    await room2.people[1].click(again, label="Join")
    assert "Bob" in strip(room2.refreshed(again)).description


async def test_p17_a_lobby_is_moved_with_its_buttons_and_its_picture(room2: Table) -> None:  # FOUND E11
    await room2.open("saboteur")
    assert room2.latest("Join").attachments
    guild = room2.channel.guild
    other = guild.create_text_channel("other")
    await at_match(room2.people[0], other, "move", match=1)
    assert room2.latest("Join", other).attachments
    await room2.people[1].click(room2.latest("Join", other), label="Join")
    assert [seat.name for seat in (await room2.bot.host.look.match(MatchId(1))).seats] == ["Ann", "Bob"]
    left_behind = room2.channel.history()[0]
    assert labels(left_behind) == []
    assert other.mention in left_behind.content


async def test_p17_only_players_and_moderators_move_a_match(room3: Table) -> None:
    await room3.begin("gambo", 2)
    guild = room3.channel.guild
    other = guild.create_text_channel("other")
    assert "There's no match 1" in one_sentence(await room3.people[2].slash(other, "match", match=1))
    assert "not playing" in one_sentence(await at_match(room3.people[2], other, "move", match=1))
    moderator = with_right(room3, "Mo", manage_messages=True)
    await at_match(moderator, other, "move", match=1)
    assert posts(other) == 1
    assert "already being played here" in one_sentence(await at_match(moderator, other, "move", match=1))


async def test_a_match_whose_log_does_not_replay_tells_its_people_that_it_is_frozen(room2: Table) -> None:
    await room2.begin("gambo", 2)
    board = room2.latest("Play")
    nonsense = schema.log.update().values(action="nonsense")
    await room2.bot.database.write(lambda connection: connection.execute(nonsense) and None)
    await room2.restart()
    assert "is frozen" in one_sentence(await room2.people[0].click(board, label="Play"))
    for _ in range(3):
        await room2.env.advance_time(TICK)
    told = [each for each in room2.channel.history() if each.content.startswith("**Gambo #1**: This match is frozen")]
    assert len(told) == 1
    page = await at_match(room2.people[0], room2.channel, "cancel", match=1)
    assert "end this match" in one_sentence(page)
    other = room2.channel.guild.create_text_channel("other")
    for place, moves in ((room2.channel, []), (other, ["Move here"])):
        listed = (await room2.people[0].slash(place, "match", match=1)).response
        assert labels(listed) == ["End …", *moves, "Rules", "Fair deal"]


# Events from Discord.


async def test_p17_in_a_server_that_threw_the_bot_out_nothing_is_tried_until_it_is_invited_again(
    timed_gambo: Clocked,
) -> None:
    guild = timed_gambo.channel.guild
    timed_gambo.env.backend.remove_guild(guild.id)
    await timed_gambo.env.settle()
    assert (await timed_gambo.match()).lost is Lost.SERVER
    before = len(timed_gambo.env.http_requests)
    for _ in range(10):
        await timed_gambo.later(days=1)
    assert len(timed_gambo.env.http_requests) == before
    assert (await timed_gambo.match()).status is Status.RUNNING
    assert not (await timed_gambo.bot.host.look.details(MatchId(1))).asked


async def test_p17_a_deleted_thread_is_left_at_once(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2, where="thread")
    delete(timed2, timed2.place())
    await timed2.env.settle()
    await timed2.told()
    assert (await timed2.match()).thread_id is None
    assert timed2.mover(timed2.latest("Play", timed2.channel)) is not None
    assert "under way" in strip(timed2.channel.history()[0]).description
    assert sum(dms(timed2, "I can't post in")) == 0


async def test_p17_what_is_refused_is_tried_less_and_less_and_given_up_after_three_days(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2)
    timed2.env.inject_error("POST", f"/channels/{timed2.channel.id}/messages", status=403, code=50001, times=None)
    await timed2.move()
    path = f"/channels/{timed2.channel.id}/messages"
    refused = [1]
    for _ in range(5 * 24):
        before = len(timed2.env.http_requests)
        await timed2.later(hours=1)
        refused.append(sum(request.path == path for request in timed2.env.http_requests[before:]))
    assert 8 <= sum(refused) <= 30
    assert sum(refused[:24]) > sum(refused[24:48])
    assert sum(refused[3 * 24 + 8 :]) == 0
    match = await timed2.match()
    assert (match.status, match.lost) == (Status.RUNNING, Lost.PLACE)
    assert not (await timed2.bot.host.look.details(match.id)).asked
    timed2.env.backend.faults.clear()
    other = timed2.channel.guild.create_text_channel("other")
    await at_match(timed2.people[0], other, "move", match=1)
    assert timed2.mover(timed2.latest("Play", other)) is not None
