"""The porter: what the scheduler takes up is on Discord at once, and only once."""

import asyncio
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import Ambit
from cogs.delivery.porter import SHORTEST, Porter
from matches.api import Due, Frozen, ManualClock, MatchId, UserId
from matches.host.scheduler import TICK, Scheduler
from matches.table.news import WATCHED_EVERY
from tests.cogs.table import Table, at_match, buttons, change, entries, labels, play_by_panel, table
from tests.matches.tables import play, raised, run_time, sql


def porter_of(bot: Ambit) -> Porter:
    porter = bot.get_cog("Porter")
    assert isinstance(porter, Porter)
    return porter


def scheduler_of(bot: Ambit) -> Scheduler:
    return porter_of(bot).scheduler


# The wake-up by a commit.


async def test_a_board_is_told_by_the_ring_of_the_commit_alone(at_gambo: Table) -> None:
    porter_of(at_gambo.bot).tick.cancel()
    rng = random.Random(1)
    for number in range(1, 4):
        board = at_gambo.latest("Play")
        await play_by_panel(at_gambo.mover(board), board, rng)
        assert sum("Play" in labels(message) for message in at_gambo.channel.history()) == 1 + number


# FOUND D3
async def test_ticks_are_no_clockwork_by_which_moves_of_orders_could_be_told_apart(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        tick, pauses = porter_of(room.bot).tick, set[float]()
        for _ in range(8):
            await room.env.advance_time(TICK)
            assert tick.seconds is not None
            pauses.add(tick.seconds)
    assert len(pauses) == 8
    assert all(SHORTEST * TICK <= each <= TICK for each in pauses)


async def test_computers_move_by_the_ring_alone_and_so_is_the_board_told_that_follows(room1: Table) -> None:
    number = await room1.open("saboteur")
    for _ in range(2):
        await room1.bot.host.lobby.add_computer(number, room1.people[0].id)
    porter_of(room1.bot).tick.cancel()
    await room1.people[0].click(room1.latest("Join"), label="Start")
    await room1.told()
    rng = random.Random(2)
    for _ in range(3):
        board = room1.latest("Play")
        assert room1.mover(board) is room1.people[0]
        await play_by_panel(room1.people[0], board, rng)
        await room1.told()
        assert room1.latest("Play").id != board.id


async def test_a_match_that_is_moved_over_and_over_is_told_its_present_board_only(at_gambo: Table) -> None:
    before = len(at_gambo.channel.history())
    host = at_gambo.bot.host
    for _ in range(5):
        await play(host, await host.look.match(MatchId(1)), random.Random(3))
    await at_gambo.told()
    assert (await host.look.match(MatchId(1))).board_ply == (await host.look.match(MatchId(1))).ply
    boards = at_gambo.channel.history()[before:]
    assert 1 <= len(boards) <= 5
    plays = [button.custom_id for message in boards for button in buttons(message) if button.label == "Play"]
    assert len(set(plays)) == len(plays), "no board is posted twice"


# FOUND P1
async def test_several_moves_of_a_match_that_only_computers_play_are_one_change_of_its_post(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 1, clock=clock) as room:
        host, person = room.bot.host, room.people[0]
        scheduler_of(room.bot).watching.stop()
        await room.open("abissal", players=2)
        lobby = room.latest("Join")
        await change(person, lobby, "Host only watches")
        for _ in range(2):
            asked = (await person.click(lobby, label="Add computer")).response
            await person.select(asked, ["easy"])
        await room.told()
        post = room.channel.history()[-1]
        for _ in range(4):
            (row,) = await host.time.claim_due((Due.WATCHED,))
            await host.thinking.computers_turn(row)
            await room.told()
        assert room.refreshed(post).edited_at is None
        clock.advance(WATCHED_EVERY)
        await room.env.advance_time(TICK)
        await room.told()
        assert room.refreshed(post).edited_at is not None
        assert room.refreshed(post).content != post.content
        assert room.channel.history()[-1].id == post.id
        assert await host.outbox.claim() == (), "nothing is left to be told"


# What a press leaves to the porter.


@pytest.mark.parametrize("end", ["rules", "first lines"])
async def test_a_match_that_is_over_is_told_so_at_once(room2: Table, end: str) -> None:
    porter_of(room2.bot).tick.cancel()
    number = await room2.begin("gambo", 2)
    host, rng = room2.bot.host, random.Random(1)
    if end == "rules":
        while (match := await host.look.match(number)).mover is not None:
            await play(host, match, rng)
    else:
        mover = (await host.look.match(number)).mover
        await host.play.resign(number, UserId(mover.user_id or 0))
    await room2.told()
    assert "Rematch" in labels(room2.latest("Rematch"))


async def test_two_who_ask_for_a_seat_are_two_questions(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 6) as room:
        await room.begin("saboteur", 4)
        gone = room.people[1]
        question = await at_match(gone, room.channel, "leave")
        await gone.click(question.response, label="Yes, leave")
        for guest in room.people[4:]:
            await at_match(guest, room.channel, "sit")
        asked = [message.content for message in room.channel.history() if "would like to take over" in message.content]
        assert len(asked) == 2
        assert all(any(person.name in question for question in asked) for person in room.people[4:])
        nonces = [
            request.json["nonce"]
            for request in room.env.http_requests
            if isinstance(request.json, dict) and "would like to take" in str(request.json.get("content"))
        ]
        assert len(set(nonces)) == len(nonces) == 2


# Reminders.


async def test_rows_of_a_reminder_outlive_a_line_of_the_hosts_own(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 4, clock=clock) as room:
        number = await room.begin("saboteur", 4)
        host = room.bot.host
        match = await host.look.match(number)
        idle = next(seat for seat in match.present if seat.seat != match.to_move)
        ring, host.work.on_commit = host.work.on_commit, None
        clock.advance(timedelta(hours=20))
        assert await run_time(host)
        await host.play.depart(number, UserId(idle.user_id or 0))
        assert ring is not None
        host.work.on_commit = ring
        ring(await host.look.match(number), ())
        await room.told()
        assert any("the table is waiting for you" in message.content for message in room.channel.history())


# Changes within a turn (P26).


async def test_p26_whoever_leaves_and_comes_back_pings_nobody_and_the_standing_buttons_still_work(room4: Table) -> None:
    await room4.begin("saboteur", 4)
    board = room4.latest("Play")
    mover = room4.mover(board)
    hand = mover.user.dm_channel.last_message
    assert hand is not None
    before = [len(room4.channel.history()), len(mover.user.dm_channel.history())]
    for idle in (person for person in room4.people if person.id != mover.id):
        question = await at_match(idle, room4.channel, "leave")
        gone = await idle.click(question.response, label="Yes, leave")
        await idle.click(gone.response, label="Take my seat back")
    assert [len(room4.channel.history()), len(mover.user.dm_channel.history())] == before
    standing = room4.latest("Play")
    assert standing.id == board.id
    for actor, message in ((mover, standing), (mover.user, mover.user.dm_channel.last_message)):
        shown = (await actor.click(message, label="Play")).response
        assert entries(shown)
    await play_by_panel(mover, standing, random.Random(4))
    assert room4.latest("Play").id != board.id


async def test_p26_a_board_whose_message_is_gone_is_posted_again_instead_of_getting_buttons(room4: Table) -> None:
    await room4.begin("saboteur", 4)
    board = room4.latest("Play")
    mover = room4.mover(board)
    room4.env.backend.delete_message(room4.channel.id, board.id)
    idle = next(person for person in room4.people if mover is not None and person.id != mover.id)
    question = await at_match(idle, room4.channel, "leave")
    await idle.click(question.response, label="Yes, leave")
    again = room4.latest("Play")
    assert again.id != board.id
    posted: Any = next(
        request.json
        for request in reversed(room4.env.http_requests)
        if request.method == "POST" and request.path == f"/channels/{room4.channel.id}/messages"
    )
    assert not posted["allowed_mentions"].get("users")
    assert posted["allowed_mentions"].get("parse") == []


# Unforeseen failures.


async def test_a_look_that_fails_in_an_unforeseen_way_is_repeated_no_more_often_than_any_other(
    room2: Table, caplog: pytest.LogCaptureFixture
) -> None:
    looks = 0

    async def broken(*_: Any) -> None:
        nonlocal looks
        looks += 1
        raise ZeroDivisionError

    room2.bot.host.outbox.renew = broken  # type: ignore[method-assign]
    await room2.env.advance_time(50)
    assert 5 <= looks <= 12
    assert sum(record.levelname == "ERROR" for record in caplog.records) == 1
    del room2.bot.host.outbox.renew
    await room2.begin("gambo", 2)
    assert room2.mover(room2.latest("Play")) is not None


async def test_a_scheduler_that_is_stopped_between_two_looks_looks_no_more(room2: Table) -> None:
    looks = 0

    async def counted(*_: Any) -> None:
        nonlocal looks
        looks += 1

    room2.bot.host.outbox.renew = counted  # type: ignore[method-assign]
    await room2.env.advance_time(20)
    assert looks > 0
    looks = 0
    scheduler_of(room2.bot).stop()
    await room2.env.advance_time(20)
    assert looks == 0


async def test_a_frozen_match_whose_place_is_forbidden_is_not_tried_at_every_look(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 2, clock=clock) as room:
        number = await room.begin("gambo", 2)
        room.env.inject_error("POST", f"/channels/{room.channel.id}/messages", status=403, code=50001, times=None)
        await sql(room.bot.database, "UPDATE log SET action = 'nonsense' WHERE player >= -1")
        room.bot.host.work.positions._courses.clear()
        await raised(Frozen, room.bot.host.look.view(number, room.people[0].id))
        await room.told()
        before = len(room.env.http_requests)
        await room.env.advance_time(60)
        assert len(room.env.http_requests) <= before + 1


async def test_a_stop_waits_for_work_and_not_for_the_task_that_does_some_now_and_then() -> None:
    bot, working, done = Ambit(), asyncio.Event(), asyncio.Event()

    async def go_on_for_ever() -> None:
        with bot.at_work():
            working.set()
            await done.wait()
        await asyncio.Event().wait()

    task = asyncio.create_task(go_on_for_ever())
    await working.wait()
    finishing = asyncio.create_task(bot.finish(60.0))
    await asyncio.sleep(0)
    assert not finishing.done()
    done.set()
    await asyncio.wait_for(finishing, 10.0)
    task.cancel()
