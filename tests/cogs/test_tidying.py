"""Old messages on Discord: no old board has **Play**, no call outlives its turn, no DM asks for what is over."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from db.model import schema
from matches.api import MatchId, Status
from matches.table.tidying import DM_STAYS
from tests.cogs.table import Clocked, Table, clocked, labels, play_by_panel


async def calm(table: Clocked) -> None:
    """Let the time pass after which nothing is left to be tidied up."""
    await table.later(seconds=DM_STAYS.total_seconds())
    await table.later(seconds=1)


def with_play(room: Table) -> list[Any]:
    """The messages in the channel that have **Play**, newest first."""
    return [message for message in room.newest_first(room.channel) if "Play" in labels(message)]


def tidying(room: Table, since: int) -> Counter[str]:
    """How often the bot has changed or deleted each message since a request."""
    asked = room.env.http_requests[since:]
    return Counter(each.path for each in asked if each.method in ("PATCH", "DELETE") and "/messages/" in each.path)


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_an_old_board_loses_play_and_what_always_works_stays(tmp_path: Path, game: str) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room, rng = table.room, random.Random(1)
        await room.begin(game, 3 if game == "saboteur" else 2)
        boards = [room.latest("Play")]
        for _ in range(3):
            await play_by_panel(room.mover(boards[-1]), boards[-1], rng)
            boards.append(room.latest("Play"))
        await calm(table)
        assert [message.id for message in with_play(room)] == [boards[-1].id]
        kept = ["My hand", "Rules", "More"] if game == "saboteur" else ["Rules", "More"]
        assert all(labels(room.refreshed(board)) == kept for board in boards[:-1])
        changes = tidying(room, 0)
        assert [changes[f"/channels/{room.channel.id}/messages/{board.id}"] for board in boards] == [1, 1, 1, 0]
        # FOUND W8
        for board, following in pairwise(boards):
            happened, turn = board.content.rsplit("\n", 1)
            assert turn.startswith(f"<@{room.mover(board).id}>, it's your turn. Play by <t:")
            now = room.refreshed(board).content
            assert now.startswith(f"{happened}\n-# Then: ")
            then = now.removeprefix(f"{happened}\n-# Then: ")
            assert re.sub(r"\*\*\d\*\* · ", "", following.content).splitlines()[1] == then
            assert "<t:" not in now
        assert room.refreshed(boards[-1]).content == boards[-1].content
        assert all(room.refreshed(board).attachments for board in boards)
        shown = (await room.people[0].click(boards[0], label="More")).response
        assert "Log" in labels(shown)


async def test_the_dm_of_a_match_says_whose_turn_it_is_after_ones_own_and_who_won_at_the_end(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room = table.room
        await room.begin("saboteur", 3)
        actor = room.mover(room.latest("Play"))
        await play_by_panel(actor, room.latest("Play"), random.Random(1))
        following = room.mover(room.latest("Play"))
        dm = actor.user.dm_channel
        assert "it's your turn" in dm.last_message.content.lower()
        await calm(table)
        first, _, secret = dm.last_message.content.partition("\n")
        assert first.endswith(f"): it's {following.name}'s turn.")
        assert secret.startswith("||")
        assert labels(dm.last_message)[:3] == ["In advance", "My hand", "Board"]
        assert len(dm.last_message.attachments) == 1
        assert "Play" in labels(following.user.dm_channel.last_message)
        for person in room.people:
            await room.bot.host.play.resign(MatchId(1), person.id)
        await room.told()
        await calm(table)
        for person in room.people:
            last = person.user.dm_channel.last_message
            assert last.content.endswith("The match is over: nobody is left at the table.")
            assert (labels(last), last.attachments) == ([], [])
        assert with_play(room) == []


async def test_a_dm_is_changed_once_however_many_turns_it_missed(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room, rng = table.room, random.Random(1)
        await room.begin("saboteur", 3)
        for _ in range(6):
            board = room.latest("Play")
            await play_by_panel(room.mover(board), board, rng)
        since, dms = len(room.env.http_requests), {str(each.user.dm_channel.id) for each in room.people}
        await calm(table)
        changed = {path: many for path, many in tidying(room, since).items() if path.split("/")[2] in dms}
        assert list(changed.values()) == [1, 1]
        since = len(room.env.http_requests)
        await calm(table)
        assert not tidying(room, since)


async def test_a_reminder_goes_with_its_turn(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        board = room.latest("Play")
        await table.later(hours=20)
        assert "the table is waiting for you" in room.latest("Play").content
        await calm(table)
        assert "the table is waiting for you" in room.latest("Play").content
        await play_by_panel(room.mover(board), board, random.Random(1))
        await calm(table)
        assert not [each for each in room.newest_first(room.channel) if "the table is waiting" in each.content]
        assert len(with_play(room)) == 1


async def test_somebody_who_is_called_by_dm_has_one_message_of_the_match_there(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room, rng = table.room, random.Random(1)
        ann = room.people[0]
        await ann.slash(room.channel, "settings me", ping="dm")
        await room.begin("gambo", 2)
        for _ in range(4):
            mover = (await table.match()).mover
            await play_by_panel(room.person(mover.user_id or 0), room.latest("Play"), rng)
            await table.later(seconds=1)
        mine = [each for each in ann.user.dm_channel.history() if each.content.startswith("**Gambo #1**")]
        assert len(mine) == 1
        if (await table.match()).waits_for(ann.id):
            await table.later(hours=20)
            (own,) = [each for each in ann.user.dm_channel.history() if each.content.startswith("**Gambo #1**")]
            assert "the table is waiting for you" in own.content


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (429, 30046), (403, 50001), (403, 50013)])
async def test_an_old_board_that_cannot_be_changed_stays_and_the_match_goes_on(
    tmp_path: Path, status: int, code: int
) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        board = room.latest("Play")
        path = f"/channels/{room.channel.id}/messages/{board.id}"
        room.env.inject_error("PATCH", path, status=status, code=code, times=None)
        await play_by_panel(room.mover(board), board, random.Random(1))
        since = len(room.env.http_requests)
        for _ in range(3):
            await table.later(minutes=2)
        assert tidying(room, since) == {path: 1}
        assert (await table.match()).lost is None
        assert room.latest("Play").id != board.id


async def test_while_requests_wait_nothing_is_tidied_up_and_after_three_tries_it_is_left(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        board = room.latest("Play")
        room.bot.is_crowded = lambda: True
        await play_by_panel(room.mover(board), board, random.Random(1))
        since = len(room.env.http_requests)
        for _ in range(4):
            await table.later(seconds=timedelta(minutes=1).total_seconds())
        room.bot.is_crowded = lambda: False
        await calm(table)
        assert not tidying(room, since)
        assert not await room.bot.host.outbox.owes()


def then(room: Table, board: Any) -> list[str]:
    """What an old board says became of its turn, after what it said when it was posted."""
    now, posted = room.refreshed(board).content, board.content.splitlines()[:-1]
    assert "it's your turn" not in now
    assert "<t:" not in now
    assert now.splitlines()[: len(posted)] == posted
    return [line.removeprefix("-# ") for line in now.splitlines()[len(posted) :]]


# FOUND W8


async def test_old_boards_say_what_became_of_their_turn_however_it_ended(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room, votes = table.room, table.room.bot.host.votes
        await room.begin("gambo", 2)
        for _ in range(2):
            board = room.latest("Play")
            await play_by_panel(room.mover(board), board, random.Random(1))
        undone = room.latest("Play")
        for person in room.people:
            await votes.undo(MatchId(1), person.id)
        await room.told()
        await calm(table)
        assert then(room, undone) == ["Then: The last move was taken back."]
        board, guild = room.latest("Play"), room.channel.guild
        other = guild.create_text_channel("other")
        await room.people[0].slash(other, "match move")
        await calm(table)
        assert then(room, board) == [f"The match goes on in {other.mention}."]
        room.channel = other
        last = room.latest("Play")
        await room.bot.host.play.resign(MatchId(1), room.people[0].id)
        await room.told()
        await calm(table)
        assert then(room, last) == [f"Then: {room.people[0].name} has resigned."]
        assert labels(room.refreshed(last)) == []


# FOUND W8


@pytest.mark.parametrize("remembered", [True, False])
async def test_an_old_board_says_who_plays_after_a_vote_also_after_a_restart(tmp_path: Path, remembered: bool) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room = table.room
        await room.begin("saboteur", 3)
        board = room.latest("Play")
        late = room.mover(board)
        if not remembered:
            await table.restart()
        await table.later(hours=30)
        await table.later(hours=30)
        another = next(person for person in room.people if person.id != late.id)
        await another.click(room.latest("Computer takes over"), label="Computer takes over")
        await calm(table)
        told = [f"Then: A normal computer takes over for {late.name}."]
        if remembered:
            assert then(room, board) == told
        else:
            assert room.refreshed(board).content == f"**Saboteur #1**\n-# {told[0]}"


# FOUND W8


async def test_the_board_of_a_frozen_match_does_not_go_on_counting(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        board = room.latest("Play")
        nonsense = schema.log.update().values(action="nonsense")
        await room.bot.database.write(lambda connection: connection.execute(nonsense) and None)
        await table.restart()
        await room.people[0].click(board, label="Play")
        await calm(table)
        assert room.refreshed(board).content == f"**Gambo #1**\n-# {(await table.match()).reason}"
        assert labels(room.refreshed(board)) == []


# FOUND W8


async def test_where_automod_blocks_what_became_of_a_turn_the_board_still_loses_play(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        board = room.latest("Play")
        path = f"/channels/{room.channel.id}/messages/{board.id}"
        room.env.inject_error("PATCH", path, status=400, code=200000)
        await play_by_panel(room.mover(board), board, random.Random(1))
        await calm(table)
        assert "Play" not in labels(room.refreshed(board))
        assert room.refreshed(board).content == board.content


# FOUND W8


@pytest.mark.parametrize("ends", [True, False])
async def test_the_question_about_who_is_late_goes_on_counting_no_longer_than_it_is_open(
    tmp_path: Path, ends: bool
) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room = table.room
        await room.begin("saboteur", 3)

        def asked(place: Any) -> list[Any]:
            return [each for each in room.newest_first(place) if "has run out of time" in each.content]

        for hours in (20, 10, 30):
            await table.later(hours=hours)
            await calm(table)
        assert len(asked(room.channel)) == 2
        guild = room.channel.guild
        other = guild.create_text_channel("other")
        await room.people[0].slash(other, "match move")
        await calm(table)
        assert (len(asked(room.channel)), len(asked(other))) == (0, 1)
        if ends:
            late = (await table.match()).mover
            another = next(person for person in room.people if late is not None and person.id != late.user_id)
            await another.click(asked(other)[0], label="End the match")
            assert (await table.match()).status is Status.OVER
        else:
            await table.move()
        await calm(table)
        assert asked(other) == []
