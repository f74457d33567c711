"""The porter: rung by the commit, in lanes that do not wait for each other, patient with a store that fails."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bot import Ambit
from cogs.delivery.porter import Porter
from db import Database
from db.matches.leases import LEASE_ALONE
from matches.api import Due, Frozen, Host, ManualClock, Pace, Unavailable
from matches.delivery.scheduler import TICK, WATCHED_AT_ONCE, Scheduler
from matches.engine.lanes import LONGEST_PAUSE, Lane
from matches.table.limits import WATCHED_TABLES
from matches.table.news import WATCHED_EVERY
from tests.cogs.table import buttons, labels, make_bot, play_by_panel, table
from tests.matches.tables import PEOPLE, SlowComputers, absent, lobby, play, running, watched
from tests.store import SERVER

BROKEN = (
    ("CREATE TRIGGER broken BEFORE UPDATE ON outbox BEGIN SELECT RAISE(FAIL, 'the disk is full'); END",)
    if SERVER is None
    else (
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$",
        "CREATE TRIGGER broken BEFORE UPDATE ON outbox EXECUTE FUNCTION full_disk()",
    )
)
MENDED = ("DROP TRIGGER broken" if SERVER is None else "DROP TRIGGER broken ON outbox",)


def porter_of(bot: Ambit) -> Porter:
    porter = bot.get_cog("Porter")
    assert isinstance(porter, Porter)
    return porter


def scheduler_of(bot: Ambit) -> Scheduler:
    return porter_of(bot).scheduler


@asynccontextmanager
async def unconnected(path: Path, clock: ManualClock, computers: Any = None) -> AsyncIterator[tuple[Ambit, Scheduler]]:
    """The bot with its cogs and its store, not connected to Discord: its lanes are woken by hand."""
    async with make_bot(path, clock=clock, computers=computers) as bot:
        await bot.open()
        await bot.add_cogs()
        yield bot, scheduler_of(bot)


async def done(*lanes: Lane[Any, Any]) -> None:
    """Until these lanes have nothing in hand."""
    while tasks := [task for lane in lanes for task in lane.tasks]:
        await asyncio.wait(tasks)


# The ring.


async def test_a_board_is_told_by_the_ring_of_the_commit_alone(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("gambo", 2)
        porter_of(room.bot).tick.cancel()
        rng = random.Random(1)
        for number in range(1, 4):
            board = room.latest("Play")
            await play_by_panel(room.on_turn(board), board, rng)
            assert sum("Play" in labels(message) for message in room.channel.history()) == 1 + number


async def test_computers_move_by_the_ring_alone_and_so_is_the_board_told_that_follows(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        number = await room.open("saboteur")
        for _ in range(2):
            await room.bot.host.lobby.add_computer(number, room.people[0].id)
        porter_of(room.bot).tick.cancel()
        await room.people[0].click(room.latest("Join"), label="Start")
        await room.told()
        rng = random.Random(2)
        for _ in range(3):
            board = room.latest("Play")
            assert room.on_turn(board) is room.people[0]
            await play_by_panel(room.people[0], board, rng)
            await room.told()
            assert room.latest("Play").id != board.id


async def test_a_match_that_is_moved_over_and_over_is_told_its_present_board_only(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await room.begin("gambo", 2)
        before = len(room.channel.history())
        host = room.bot.host
        for _ in range(5):
            await play(host, await host.look.match(number), random.Random(3))
        await room.told()
        assert (await host.look.match(number)).board_ply == (await host.look.match(number)).ply
        boards = room.channel.history()[before:]
        assert 1 <= len(boards) <= 5
        plays = [button.custom_id for message in boards for button in buttons(message) if button.label == "Play"]
        assert len(set(plays)) == len(plays), "no board is posted twice"


# A store that fails.


async def test_a_store_that_fails_is_asked_after_growing_pauses_and_at_once_when_it_is_mended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock()
    async with unconnected(tmp_path / "ambit.db", clock) as (bot, scheduler):
        bot.host.work.on_commit = None  # nothing is handed over, so all of it has to be claimed
        await lobby(bot.host, "gambo", 2)
        await _execute(bot.database, *BROKEN)
        caplog.set_level(logging.WARNING, "matches.engine")
        tries = 0
        claim = bot.host.outbox.claim

        async def counted(*arguments: Any, **options: Any) -> Any:
            nonlocal tries
            tries += 1
            return await claim(*arguments, **options)

        bot.host.outbox.claim = counted  # type: ignore[method-assign]
        # A hundred looks within a minute, as somebody's loop would make them.
        for _ in range(120):
            scheduler.messages.wake()
            await done(scheduler.messages)
            clock.advance(timedelta(seconds=0.5))
        assert 60 / LONGEST_PAUSE.total_seconds() <= tries <= 20
        assert [record.levelname for record in caplog.records].count("WARNING") <= 2
        assert "Traceback" not in caplog.text
        await _execute(bot.database, *MENDED)
        before = tries
        scheduler.ring(await bot.host.look.match(1), ())
        await done(scheduler.messages)
        assert tries > before
        assert not scheduler.messages.trouble.pausing


async def _execute(database: Database, *statements: str) -> None:
    for statement in statements:
        await database.write(lambda connection, made=statement: connection.execute(text(made)) and None)


async def test_a_fault_that_goes_on_is_one_line_of_the_log_a_minute(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = ManualClock()
    async with unconnected(tmp_path / "ambit.db", clock) as (_, scheduler):
        caplog.set_level(logging.WARNING, "matches.engine")
        for _ in range(180):
            scheduler.time.trouble.warn(Unavailable("The disk is full."))
            clock.advance(timedelta(seconds=1))
        assert len(caplog.records) == 3
        scheduler.time.trouble.warn(Unavailable("The disk can only be read."))
        assert len(caplog.records) == 4


# Thoughts.


async def test_a_thought_that_takes_longer_than_its_lease_is_thought_once(tmp_path: Path) -> None:
    clock, slow = ManualClock(), SlowComputers()
    async with unconnected(tmp_path / "ambit.db", clock, slow) as (bot, scheduler):
        match = await lobby(bot.host, "saboteur", 1, computers=2)
        await bot.host.lobby.start(match.id, PEOPLE[0].user_id)
        match = await _to_a_computer(bot.host, match.id)
        await slow.asked.wait()
        for _ in range(10):
            clock.advance(LEASE_ALONE / 2)
            await bot.host.outbox.renew(set(scheduler.messages.in_hand), set(scheduler.thinking.in_hand))
            scheduler.thinking.wake()
            await asyncio.wait([task for task in scheduler.thinking.tasks if "claiming" in task.get_name()])
        assert len(slow.shown) == 1
        slow.answer.set()


async def _to_a_computer(host: Host, number: int) -> Any:
    match = await host.look.match(number)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, random.Random(1))
    return match


async def test_a_thought_that_nobody_needs_any_more_is_stopped(tmp_path: Path) -> None:
    clock, slow = ManualClock(), SlowComputers()
    async with unconnected(tmp_path / "ambit.db", clock, slow) as (bot, scheduler):
        match = await running(bot.host, "saboteur", 4)
        gone = absent(match)
        await bot.host.play.depart(match.id, gone)
        await slow.asked.wait()
        assert scheduler.thinking.in_hand
        await bot.host.play.take_back(match.id, gone)
        await asyncio.wait_for(done(scheduler.thinking), 20)
        assert not scheduler.thinking.in_hand
        assert not slow.answer.is_set()


# FOUND P1
async def test_thoughts_of_tables_without_people_leave_room_for_those_of_others(tmp_path: Path) -> None:
    clock, slow = ManualClock(), SlowComputers()
    async with unconnected(tmp_path / "ambit.db", clock, slow) as (bot, scheduler):
        host = bot.host
        tables = [await watched(host, person) for person in PEOPLE for _ in range(WATCHED_TABLES)]
        assert len(tables) > WATCHED_AT_ONCE
        await slow.asked.wait()
        match = await running(host, "saboteur", 4)
        await host.play.depart(match.id, absent(match))
        await asyncio.wait([task for task in scheduler.thinking.tasks if "claiming" in task.get_name()])
        assert len(scheduler.watching.in_hand) == WATCHED_AT_ONCE
        assert list(scheduler.thinking.in_hand) == [(match.id, Due.COMPUTER)]
        scheduler.watching.stop()
        slow.answer.set()
        await asyncio.wait_for(done(scheduler.thinking, scheduler.watching), 20)
        assert (await host.look.match(match.id)).ply > match.ply + 1


# FOUND P1
async def test_several_moves_of_a_match_that_only_computers_play_are_one_change_of_its_post(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 1, clock=clock) as room:
        host, person = room.bot.host, room.people[0]
        scheduler_of(room.bot).watching.stop()
        await room.open("abissal", players=2)
        lobby = room.latest("Join")
        await person.click(lobby, label="Host only watches")
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


async def test_clocks_never_wait_for_a_thought(tmp_path: Path) -> None:
    clock, slow = ManualClock(), SlowComputers()
    async with unconnected(tmp_path / "ambit.db", clock, slow) as (bot, scheduler):
        host = bot.host
        thinking = await running(host, "saboteur", 4)
        await host.play.depart(thinking.id, absent(thinking))
        await slow.asked.wait()
        reminded = await running(host, "gambo", pace=Pace.LIVE)
        clock.advance(timedelta(minutes=4.5))
        scheduler.time.wake()
        await asyncio.wait_for(done(scheduler.time), 20)
        assert (await host.look.match(reminded.id)).reminded
        assert scheduler.thinking.in_hand
        slow.answer.set()


# What a press leaves to the porter.


@pytest.mark.parametrize("end", ["rules", "first lines"])
async def test_a_match_that_is_over_is_told_so_at_once(tmp_path: Path, end: str) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        porter_of(room.bot).tick.cancel()
        number = await room.begin("gambo", 2)
        host, rng = room.bot.host, random.Random(1)
        if end == "rules":
            while (match := await host.look.match(number)).mover is not None:
                await play(host, match, rng)
        else:
            mover = (await host.look.match(number)).mover
            assert mover is not None
            await host.play.resign(number, mover.user_id or 0)
        await room.told()
        assert "Rematch" in labels(room.latest("Rematch"))


async def test_two_who_ask_for_a_seat_are_two_questions(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 6) as room:
        await room.begin("saboteur", 4)
        gone = room.people[1]
        question = await gone.slash(room.channel, "match leave")
        await gone.click(question.response, label="Yes, leave")
        for guest in room.people[4:]:
            await guest.slash(room.channel, "match sit")
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
        assert await host.time.run_time()
        await host.play.depart(number, idle.user_id or 0)
        assert ring is not None
        host.work.on_commit = ring
        ring(await host.look.match(number), ())
        await room.told()
        assert any("the table is waiting for you" in message.content for message in room.channel.history())


# What happens in a turn without ending it (P26).


async def test_p26_who_leaves_and_comes_back_rings_nobody_and_the_standing_buttons_still_work(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 4) as room:
        await room.begin("saboteur", 4)
        board = room.latest("Play")
        mover = room.on_turn(board)
        assert mover is not None
        hand = mover.user.dm_channel.last_message
        assert hand is not None
        before = [len(room.channel.history()), len(mover.user.dm_channel.history())]
        for idle in (person for person in room.people if person.id != mover.id):
            question = await idle.slash(room.channel, "match leave")
            gone = await idle.click(question.response, label="Yes, leave")
            await idle.click(gone.response, label="Take my seat back")
        assert [len(room.channel.history()), len(mover.user.dm_channel.history())] == before
        standing = room.latest("Play")
        assert standing.id == board.id
        for actor, message in ((mover, standing), (mover.user, mover.user.dm_channel.last_message)):
            shown = (await actor.click(message, label="Play")).response
            assert "your move" in shown.content
        await play_by_panel(mover, standing, random.Random(4))
        assert room.latest("Play").id != board.id


async def test_p26_a_board_whose_message_is_gone_is_posted_again_instead_of_getting_buttons(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 4) as room:
        await room.begin("saboteur", 4)
        board = room.latest("Play")
        mover = room.on_turn(board)
        room.env.backend.delete_message(room.channel.id, board.id)
        idle = next(person for person in room.people if mover is not None and person.id != mover.id)
        question = await idle.slash(room.channel, "match leave")
        await idle.click(question.response, label="Yes, leave")
        again = room.latest("Play")
        assert again.id != board.id
        posted: Any = next(
            request.json
            for request in reversed(room.env.http_requests)
            if request.method == "POST" and request.path == f"/channels/{room.channel.id}/messages"
        )
        assert not posted["allowed_mentions"].get("users")
        assert posted["allowed_mentions"].get("parse") == []


# What nobody has foreseen.


async def test_a_look_that_fails_in_an_unforeseen_way_is_repeated_no_more_often_than_any_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        looks = 0

        async def broken(*_: Any) -> None:
            nonlocal looks
            looks += 1
            raise ZeroDivisionError

        room.bot.host.outbox.renew = broken  # type: ignore[method-assign]
        await room.env.advance_time(50)
        assert 5 <= looks <= 12
        assert sum(record.levelname == "ERROR" for record in caplog.records) == 1
        del room.bot.host.outbox.renew
        await room.begin("gambo", 2)
        assert room.on_turn(room.latest("Play")) is not None


async def test_a_scheduler_that_is_stopped_between_two_looks_looks_no_more(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        looks = 0

        async def counted(*_: Any) -> None:
            nonlocal looks
            looks += 1

        room.bot.host.outbox.renew = counted  # type: ignore[method-assign]
        await room.env.advance_time(20)
        assert looks > 0
        looks = 0
        scheduler_of(room.bot).stop()
        await room.env.advance_time(20)
        assert looks == 0


async def test_a_thought_that_is_dropped_before_its_first_step_leaves_room_for_the_next(tmp_path: Path) -> None:
    clock, slow = ManualClock(), SlowComputers(answering=True)
    async with unconnected(tmp_path / "ambit.db", clock, slow) as (bot, scheduler):
        match = await running(bot.host, "saboteur", 4)
        bot.host.work.on_commit = None
        await bot.host.play.depart(match.id, absent(match))
        (row,) = await bot.host.time.claim_due((Due.COMPUTER,))
        scheduler.thinking.hand([row])
        scheduler.thinking.drop((row.match_id, row.kind))
        await done(scheduler.thinking)
        assert not scheduler.thinking.in_hand
        scheduler.thinking.hand([row])
        await done(scheduler.thinking)
        assert (await bot.host.look.match(match.id)).ply > match.ply + 1


async def test_a_deadline_that_comes_while_an_older_one_of_its_kind_is_in_hand_is_done_after_it(tmp_path: Path) -> None:
    clock, slow = ManualClock(), SlowComputers()
    async with unconnected(tmp_path / "ambit.db", clock, slow) as (bot, scheduler):
        match = await running(bot.host, "saboteur", 4)
        bot.host.work.on_commit = None
        await bot.host.play.depart(match.id, absent(match))
        (row,) = await bot.host.time.claim_due((Due.COMPUTER,))
        scheduler.thinking.hand([row._replace(ply=row.ply - 1)])
        scheduler.thinking.hand([row])
        slow.answer.set()
        await done(scheduler.thinking)
        assert (await bot.host.look.match(match.id)).ply > match.ply + 1


async def test_a_frozen_match_whose_place_is_forbidden_is_not_tried_at_every_look(tmp_path: Path) -> None:
    clock = ManualClock()
    async with table(tmp_path / "ambit.db", 2, clock=clock) as room:
        number = await room.begin("gambo", 2)
        room.env.inject_error("POST", f"/channels/{room.channel.id}/messages", status=403, code=50001, times=None)
        await _execute(room.bot.database, "UPDATE log SET action = 'nonsense' WHERE player >= -1")
        room.bot.host.work.positions._courses.clear()
        with pytest.raises(Frozen):
            await room.bot.host.look.view(number, room.people[0].id)
        await room.told()
        before = len(room.env.http_requests)
        await room.env.advance_time(60)
        assert len(room.env.http_requests) <= before + 1
