"""Old messages on Discord: no old board has **Play**, no call outlives its turn, no DM asks for what is over."""

import random
import re
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from db.model import schema
from matches.api import MatchId, Status
from matches.table.tidying import DM_STAYS
from tests.cogs.table import Clocked, Table, at_match, labels, play_by_panel, set_to


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
async def test_an_old_board_loses_play_and_what_always_works_stays(timed3: Clocked, game: str) -> None:
    rng = random.Random(1)
    await timed3.begin(game, 3 if game == "saboteur" else 2)
    boards = [timed3.latest("Play")]
    for _ in range(3):
        await play_by_panel(timed3.mover(boards[-1]), boards[-1], rng)
        boards.append(timed3.latest("Play"))
    await calm(timed3)
    assert [message.id for message in with_play(timed3)] == [boards[-1].id]
    kept = ["My hand", "⋯"] if game == "saboteur" else ["⋯"]
    assert all(labels(timed3.refreshed(board)) == kept for board in boards[:-1])
    changes = tidying(timed3, 0)
    assert [changes[f"/channels/{timed3.channel.id}/messages/{board.id}"] for board in boards] == [1, 1, 1, 0]
    # FOUND W8
    for board, following in pairwise(boards):
        *happened, turn = board.content.split("\n")
        assert turn.startswith(f"<@{timed3.mover(board).id}>, it's your turn. Due <t:")
        now = timed3.refreshed(board).content
        *before, then = now.split("\n")
        assert before == happened
        assert then == f"-# Then: {re.sub(r'[*]{2}[0-9][*]{2} · ', '', following.content).splitlines()[0]}"
        assert "<t:" not in now
    assert timed3.refreshed(boards[-1]).content == boards[-1].content
    assert all(timed3.refreshed(board).attachments for board in boards)
    shown = (await timed3.people[0].click(boards[0], label="⋯")).response
    assert "Log" in labels(shown)


async def test_the_dm_of_a_match_says_whose_turn_it_is_after_ones_own_and_who_won_at_the_end(timed3: Clocked) -> None:
    await timed3.begin("saboteur", 3)
    actor = timed3.mover(timed3.latest("Play"))
    await play_by_panel(actor, timed3.latest("Play"), random.Random(1))
    following = timed3.mover(timed3.latest("Play"))
    dm = actor.user.dm_channel
    assert "it's your turn" in dm.last_message.content.lower()
    await calm(timed3)
    first, _, secret = dm.last_message.content.partition("\n")
    assert first.endswith(f"): it's {following.name}'s turn.")
    assert secret.startswith("||")
    assert labels(dm.last_message) == ["In advance", "I suspect …", "My hand", "Board"]
    assert len(dm.last_message.attachments) == 1
    assert "Play" in labels(following.user.dm_channel.last_message)
    for person in timed3.people:
        await timed3.bot.host.play.resign(MatchId(1), person.id)
    await timed3.told()
    await calm(timed3)
    for person in timed3.people:
        last = person.user.dm_channel.last_message
        assert last.content.endswith("The match is over: nobody is left at the table.")
        assert (labels(last), last.attachments) == ([], [])
    assert with_play(timed3) == []


async def test_a_dm_is_changed_once_however_many_turns_it_missed(timed3: Clocked) -> None:
    rng = random.Random(1)
    await timed3.begin("saboteur", 3)
    for _ in range(6):
        board = timed3.latest("Play")
        await play_by_panel(timed3.mover(board), board, rng)
    since, dms = len(timed3.env.http_requests), {str(each.user.dm_channel.id) for each in timed3.people}
    await calm(timed3)
    changed = {path: many for path, many in tidying(timed3, since).items() if path.split("/")[2] in dms}
    assert list(changed.values()) == [1, 1]
    since = len(timed3.env.http_requests)
    await calm(timed3)
    assert not tidying(timed3, since)


async def test_a_reminder_goes_with_its_turn(timed2: Clocked) -> None:
    await timed2.begin("gambo", 2)
    board = timed2.latest("Play")
    await timed2.later(hours=20)
    assert "the table is waiting for you" in timed2.latest("Play").content
    await calm(timed2)
    assert "the table is waiting for you" in timed2.latest("Play").content
    await play_by_panel(timed2.mover(board), board, random.Random(1))
    await calm(timed2)
    assert not [each for each in timed2.newest_first(timed2.channel) if "the table is waiting" in each.content]
    assert len(with_play(timed2)) == 1


async def test_somebody_who_is_called_by_dm_has_one_message_of_the_match_there(timed2: Clocked) -> None:
    rng = random.Random(1)
    ann = timed2.people[0]
    await set_to(ann, timed2.channel, "settings me", ping="dm")
    await timed2.begin("gambo", 2)
    for _ in range(4):
        mover = (await timed2.match()).mover
        await play_by_panel(timed2.person(mover.user_id or 0), timed2.latest("Play"), rng)
        await timed2.later(seconds=1)
    mine = [each for each in ann.user.dm_channel.history() if each.content.startswith("**Gambo #1**")]
    assert len(mine) == 1
    if (await timed2.match()).waits_for(ann.id):
        await timed2.later(hours=20)
        (own,) = [each for each in ann.user.dm_channel.history() if each.content.startswith("**Gambo #1**")]
        assert "the table is waiting for you" in own.content


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (429, 30046), (403, 50001), (403, 50013)])
async def test_an_old_board_that_cannot_be_changed_stays_and_the_match_goes_on(
    timed_gambo: Clocked, status: int, code: int
) -> None:
    board = timed_gambo.latest("Play")
    path = f"/channels/{timed_gambo.channel.id}/messages/{board.id}"
    timed_gambo.env.inject_error("PATCH", path, status=status, code=code, times=None)
    await play_by_panel(timed_gambo.mover(board), board, random.Random(1))
    since = len(timed_gambo.env.http_requests)
    for _ in range(3):
        await timed_gambo.later(minutes=2)
    assert tidying(timed_gambo, since) == {path: 1}
    assert (await timed_gambo.match()).lost is None
    assert timed_gambo.latest("Play").id != board.id


async def test_while_requests_wait_nothing_is_tidied_up_and_after_three_tries_it_is_left(timed_gambo: Clocked) -> None:
    board = timed_gambo.latest("Play")
    timed_gambo.bot.is_crowded = lambda: True
    await play_by_panel(timed_gambo.mover(board), board, random.Random(1))
    since = len(timed_gambo.env.http_requests)
    for _ in range(4):
        await timed_gambo.later(seconds=timedelta(minutes=1).total_seconds())
    timed_gambo.bot.is_crowded = lambda: False
    await calm(timed_gambo)
    assert not tidying(timed_gambo, since)
    assert not await timed_gambo.bot.host.outbox.owes()


def then(room: Table, board: Any) -> list[str]:
    """What an old board says became of its turn, after what it said when it was posted."""
    now, posted = room.refreshed(board).content, board.content.splitlines()[:-1]
    assert "it's your turn" not in now
    assert "<t:" not in now
    assert now.splitlines()[: len(posted)] == posted
    return [line.removeprefix("-# ") for line in now.splitlines()[len(posted) :]]


# FOUND W8


async def test_old_boards_say_what_became_of_their_turn_however_it_ended(timed2: Clocked) -> None:
    votes = timed2.bot.host.votes
    await timed2.begin("gambo", 2)
    for _ in range(2):
        board = timed2.latest("Play")
        await play_by_panel(timed2.mover(board), board, random.Random(1))
    undone = timed2.latest("Play")
    for person in timed2.people:
        await votes.undo(MatchId(1), person.id)
    await timed2.told()
    await calm(timed2)
    assert then(timed2, undone) == ["Then: The last move was taken back."]
    board, guild = timed2.latest("Play"), timed2.channel.guild
    other = guild.create_text_channel("other")
    await at_match(timed2.people[0], other, "move")
    await calm(timed2)
    assert then(timed2, board) == [f"The match goes on in {other.mention}."]
    timed2.channel = other
    last = timed2.latest("Play")
    await timed2.bot.host.play.resign(MatchId(1), timed2.people[0].id)
    await timed2.told()
    await calm(timed2)
    assert then(timed2, last) == [f"Then: {timed2.people[0].name} has resigned."]
    assert labels(timed2.refreshed(last)) == []


# FOUND W8


@pytest.mark.parametrize("remembered", [True, False])
async def test_an_old_board_says_who_plays_after_a_vote_also_after_a_restart(timed3: Clocked, remembered: bool) -> None:
    await timed3.begin("saboteur", 3)
    board = timed3.latest("Play")
    late = timed3.mover(board)
    if not remembered:
        await timed3.restart()
    await timed3.later(hours=30)
    await timed3.later(hours=30)
    another = next(person for person in timed3.people if person.id != late.id)
    await another.click(timed3.latest("Computer takes over"), label="Computer takes over")
    await calm(timed3)
    told = [f"Then: A normal computer takes over for {late.name}."]
    if remembered:
        assert then(timed3, board) == told
    else:
        assert timed3.refreshed(board).content == f"-# {told[0]}"


# FOUND W8


async def test_the_board_of_a_frozen_match_does_not_go_on_counting(timed_gambo: Clocked) -> None:
    board = timed_gambo.latest("Play")
    nonsense = schema.log.update().values(action="nonsense")
    await timed_gambo.bot.database.write(lambda connection: connection.execute(nonsense) and None)
    await timed_gambo.restart()
    await timed_gambo.people[0].click(board, label="Play")
    await calm(timed_gambo)
    assert timed_gambo.refreshed(board).content == f"-# {(await timed_gambo.match()).reason}"
    assert labels(timed_gambo.refreshed(board)) == []


# FOUND W8


async def test_where_automod_blocks_what_became_of_a_turn_the_board_still_loses_play(timed_gambo: Clocked) -> None:
    board = timed_gambo.latest("Play")
    path = f"/channels/{timed_gambo.channel.id}/messages/{board.id}"
    timed_gambo.env.inject_error("PATCH", path, status=400, code=200000)
    await play_by_panel(timed_gambo.mover(board), board, random.Random(1))
    await calm(timed_gambo)
    assert "Play" not in labels(timed_gambo.refreshed(board))
    assert timed_gambo.refreshed(board).content == board.content


# FOUND W8


@pytest.mark.parametrize("ends", [True, False])
async def test_the_question_about_who_is_late_goes_on_counting_no_longer_than_it_is_open(
    timed_saboteur: Clocked, ends: bool
) -> None:

    def asked(place: Any) -> list[Any]:
        return [each for each in timed_saboteur.newest_first(place) if "has run out of time" in each.content]

    for hours in (20, 10, 30):
        await timed_saboteur.later(hours=hours)
        await calm(timed_saboteur)
    assert len(asked(timed_saboteur.channel)) == 2
    guild = timed_saboteur.channel.guild
    other = guild.create_text_channel("other")
    await at_match(timed_saboteur.people[0], other, "move")
    await calm(timed_saboteur)
    assert (len(asked(timed_saboteur.channel)), len(asked(other))) == (0, 1)
    if ends:
        late = (await timed_saboteur.match()).mover
        another = next(person for person in timed_saboteur.people if late is not None and person.id != late.user_id)
        await another.click(asked(other)[0], label="End the match")
        assert (await timed_saboteur.match()).status is Status.OVER
    else:
        await timed_saboteur.move()
    await calm(timed_saboteur)
    assert asked(other) == []
