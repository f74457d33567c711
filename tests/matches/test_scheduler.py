"""The scheduler: woken by the commit, in independent lanes, patient with a failing store."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from db import Database
from db.matches import outbox
from db.matches.outbox import News
from db.model.ids import NO_LINES
from db.store.leases import LEASE_ALONE
from matches.api import BoardPost, Due, Host, Kind, ManualClock, Match, MatchId, Pace, Ply, Telling, Unavailable
from matches.engine.lanes import FULL, LONGEST_PAUSE, Lane
from matches.host.scheduler import (
    GIVEN_UP,
    LATER,
    MATCHES_AT_ONCE,
    SOON,
    TICK,
    WATCHED_AT_ONCE,
    Deliver,
    MovedOn,
    Scheduler,
    Undelivered,
)
from matches.table.limits import WATCHED_TABLES
from tests.matches.tables import A_MOMENT, PEOPLE, Seeds, SlowComputers, absent, lobby, play, running, sql, watched
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
MENDED = "DROP TRIGGER broken" if SERVER is None else "DROP TRIGGER broken ON outbox"


async def nobody_reads(row: Telling, match: Match) -> None:
    """Deliver to nobody."""


@asynccontextmanager
async def scheduled(host: Host, deliver: Deliver = nobody_reads) -> AsyncIterator[Scheduler]:
    """The scheduler of a host. Commits and the test wake its lanes. At the end it finishes what it has started."""
    scheduler = Scheduler(host, deliver)
    yield scheduler
    scheduler.stop()
    await done(*scheduler.lanes)


async def done(*lanes: Lane[Any, Any]) -> None:
    """Wait until these lanes have nothing to do."""
    while tasks := [task for lane in lanes for task in lane.tasks]:
        await asyncio.wait(tasks)


# A failing store.


async def test_a_store_that_fails_is_asked_after_growing_pauses_and_at_once_when_it_is_mended(
    host: Host, database: Database, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with scheduled(host) as scheduler:
        host.work.on_commit = None  # nothing is handed over, so all of it must be claimed
        await lobby(host, "gambo", 2)
        for statement in BROKEN:
            await sql(database, statement)
        caplog.set_level(logging.WARNING, "matches.engine")
        tries = 0
        claim = host.outbox.claim

        async def counted(*arguments: Any, **options: Any) -> Any:
            nonlocal tries
            tries += 1
            return await claim(*arguments, **options)

        host.outbox.claim = counted  # type: ignore[method-assign]
        # 120 looks within a minute, as if somebody called it in a loop.
        for _ in range(120):
            scheduler.messages.wake()
            await done(scheduler.messages)
            clock.advance(timedelta(seconds=0.5))
        assert 60 / LONGEST_PAUSE.total_seconds() <= tries <= 20
        assert [record.levelname for record in caplog.records].count("WARNING") <= 2
        assert "Traceback" not in caplog.text
        await sql(database, MENDED)
        before = tries
        scheduler.ring(await host.look.match(MatchId(1)), ())
        await done(scheduler.messages)
        assert tries > before
        assert not scheduler.messages.trouble.pausing


async def test_a_fault_that_goes_on_is_one_line_of_the_log_a_minute(
    host: Host, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with scheduled(host) as scheduler:
        caplog.set_level(logging.WARNING, "matches.engine")
        for _ in range(180):
            scheduler.time.trouble.warn(Unavailable("The disk is full."))
            clock.advance(timedelta(seconds=1))
        assert len(caplog.records) == 3
        scheduler.time.trouble.warn(Unavailable("The disk can only be read."))
        assert len(caplog.records) == 4


# Computers' turns.


async def test_a_thought_that_takes_longer_than_its_lease_is_thought_once(
    database: Database, clock: ManualClock
) -> None:
    host = Host(database, clock, Seeds(), slow := SlowComputers())
    async with scheduled(host) as scheduler:
        match = await lobby(host, "saboteur", 1, computers=2)
        await host.lobby.start(match.id, PEOPLE[0].user_id)
        match = await _to_a_computer(host, match.id)
        await slow.asked.wait()
        for _ in range(10):
            clock.advance(LEASE_ALONE / 2)
            await host.outbox.renew(set(scheduler.messages.in_hand), set(scheduler.thinking.in_hand))
            scheduler.thinking.wake()
            await asyncio.wait([task for task in scheduler.thinking.tasks if "claiming" in task.get_name()])
        assert len(slow.shown) == 1
        slow.answer.set()


async def _to_a_computer(host: Host, number: MatchId) -> Any:
    match = await host.look.match(number)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, Random(1))
    return match


async def test_a_thought_that_nobody_needs_any_more_is_stopped(database: Database, clock: ManualClock) -> None:
    host = Host(database, clock, Seeds(), slow := SlowComputers())
    async with scheduled(host) as scheduler:
        match = await running(host, "saboteur", 4)
        gone = absent(match)
        await host.play.depart(match.id, gone)
        await slow.asked.wait()
        assert scheduler.thinking.in_hand
        await host.play.take_back(match.id, gone)
        await asyncio.wait_for(done(scheduler.thinking), 20)
        assert not scheduler.thinking.in_hand
        assert not slow.answer.is_set()


# FOUND P1
async def test_thoughts_of_tables_without_people_leave_room_for_those_of_others(
    database: Database, clock: ManualClock
) -> None:
    host = Host(database, clock, Seeds(), slow := SlowComputers())
    async with scheduled(host) as scheduler:
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


async def test_clocks_never_wait_for_a_thought(database: Database, clock: ManualClock) -> None:
    host = Host(database, clock, Seeds(), slow := SlowComputers())
    async with scheduled(host) as scheduler:
        thinking = await running(host, "saboteur", 4)
        await host.play.depart(thinking.id, absent(thinking))
        await slow.asked.wait()
        reminded = await running(host, "gambo", pace=Pace.LIVE)
        clock.advance(timedelta(minutes=4.5))
        scheduler.time.wake()
        await asyncio.wait_for(done(scheduler.time), 20)
        assert (await host.look.details(reminded.id)).reminded
        assert scheduler.thinking.in_hand
        slow.answer.set()


async def test_a_thought_that_is_dropped_before_its_first_step_leaves_room_for_the_next(
    database: Database, clock: ManualClock
) -> None:
    host = Host(database, clock, Seeds(), SlowComputers(answering=True))
    async with scheduled(host) as scheduler:
        match = await running(host, "saboteur", 4)
        host.work.on_commit = None
        await host.play.depart(match.id, absent(match))
        (row,) = await host.time.claim_due((Due.COMPUTER,))
        scheduler.thinking.hand([row])
        scheduler.thinking.drop((row.match_id, row.kind))
        await done(scheduler.thinking)
        assert not scheduler.thinking.in_hand
        scheduler.thinking.hand([row])
        await done(scheduler.thinking)
        assert (await host.look.match(match.id)).ply > match.ply + 1


async def test_a_deadline_that_comes_while_an_older_one_of_its_kind_is_in_hand_is_done_after_it(
    database: Database, clock: ManualClock
) -> None:
    host = Host(database, clock, Seeds(), slow := SlowComputers())
    async with scheduled(host) as scheduler:
        match = await running(host, "saboteur", 4)
        host.work.on_commit = None
        await host.play.depart(match.id, absent(match))
        (row,) = await host.time.claim_due((Due.COMPUTER,))
        scheduler.thinking.hand([row._replace(ply=Ply(row.ply - 1))])
        scheduler.thinking.hand([row])
        slow.answer.set()
        await done(scheduler.thinking)
        assert (await host.look.match(match.id)).ply > match.ply + 1


# Deliveries that fail.


@pytest.mark.parametrize(("soon", "pauses"), [(True, SOON), (False, LATER)])
async def test_news_that_nobody_takes_is_retried_after_growing_pauses_and_dropped_after_three_days(
    host: Host, clock: ManualClock, soon: bool, pauses: tuple[timedelta, timedelta]
) -> None:
    tries = 0

    async def deliver(row: Telling, match: Match) -> None:
        nonlocal tries
        if row.kind is Kind.BOARD:
            tries += 1
            raise Undelivered("no answer", soon=soon)

    async def look() -> int:
        scheduler.messages.wake()
        await done(scheduler.messages)
        return tries

    async with scheduled(host, deliver) as scheduler:
        await running(host, "gambo")
        assert await look() == 1
        first, longest = pauses
        for number in range(8):
            clock.advance(min(longest, first * 2**number) - A_MOMENT)
            assert await look() == number + 1
            clock.advance(A_MOMENT)
            assert await look() == number + 2
        assert await host.work.read(outbox.any_due, clock.now() + longest)
        clock.advance(GIVEN_UP)
        assert await look() == number + 3
        assert not await host.work.read(outbox.any_due, clock.now() + longest)


async def test_news_about_a_server_goes_to_the_deliverer_of_its_kind_and_is_retried(
    host: Host, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    delivered: list[int | None] = []
    fails = True

    async def deliver(row: Telling) -> None:
        if fails:
            raise Undelivered("no answer", soon=True)
        delivered.append(row.guild_id)

    async def look() -> list[int | None]:
        scheduler.messages.wake()
        await done(scheduler.messages)
        return delivered

    scheduler = Scheduler(host, nobody_reads, to_servers={Kind.END: deliver})
    for kind in (Kind.END, Kind.ROUND):
        await host.work.write(outbox.put, None, 77, NO_LINES, [News(kind)], clock.now())
    assert await look() == []
    assert "server 77: telling end at ply 0, again in 0:00:04: no answer" in caplog.text
    assert "server 77: telling round" in caplog.text, "nobody delivers this kind"
    fails = False
    assert await look() == []
    clock.advance(SOON[0])
    assert await look() == [77]
    clock.advance(GIVEN_UP)
    assert await look() == [77]
    assert not await host.work.read(outbox.any_due, clock.now() + LATER[1])
    scheduler.stop()


async def test_news_about_a_server_is_dropped_with_it(host: Host) -> None:
    for guild_id in (77, 78):
        await host.work.write(outbox.put, None, guild_id, NO_LINES, [News(Kind.END)], host.now())
    await host.reach.lose_server(77)
    assert [row.guild_id for row in await host.outbox.claim()] == [78]


async def test_news_of_a_match_that_moves_on_while_it_is_made_is_made_again(host: Host) -> None:
    seen: list[tuple[Kind, int]] = []

    async def deliver(row: Telling, match: Match) -> BoardPost | None:
        seen.append((row.kind, match.ply))
        if len(seen) == 1:
            await play(host, match, Random(1))
            raise MovedOn
        return BoardPost(match.id, len(seen), match.ply)

    match = await running(host, "gambo")
    async with scheduled(host, deliver) as scheduler:
        match = await play(host, match, Random(1))
        await done(scheduler.messages)
    assert seen[0] == (Kind.BOARD, match.ply)
    assert all(ply > match.ply for _, ply in seen[1:])
    assert (await host.look.match(match.id)).board_ply == seen[-1][1]
    assert not await host.outbox.owes()


async def test_what_was_just_stored_is_told_without_another_look_and_each_further_row_with_one_write(
    host: Host,
) -> None:
    seen: list[tuple[Kind, Match]] = []

    async def deliver(row: Telling, match: Match) -> BoardPost | None:
        seen.append((row.kind, match))
        return BoardPost(match.id, len(seen), match.ply) if row.kind is Kind.BOARD else None

    match = await running(host, "saboteur", 3)
    async with scheduled(host, deliver) as scheduler:
        before = Counter(host.state.transactions)
        told = match = await play(host, match, Random(1))
        await done(scheduler.messages)
        spent = Counter(host.state.transactions) - before
        match = await host.look.match(match.id)
    assert seen == [(Kind.BOARD, told), (Kind.HAND, match)], "each as it was stored at that moment"
    assert spent == {("read", "done"): 1, ("write", "done"): 3}, "a view to move by, the move, the board and the hand"


async def test_a_row_that_another_process_drops_while_the_row_before_it_is_sent_is_not_told(
    database: Database, clock: ManualClock
) -> None:
    here, there = Host(database, clock, Seeds(), name="0"), Host(database, clock, Seeds(), name="1")
    seen: list[Kind] = []

    async def deliver(row: Telling, match: Match) -> None:
        seen.append(row.kind)
        if row.kind is Kind.BOARD:
            await there.play.depart(match.id, absent(match))

    match = await running(here, "saboteur", 3)
    async with scheduled(here, deliver) as scheduler:
        await play(here, match, Random(1))
        await done(scheduler.messages)
    assert seen == [Kind.BOARD]


async def test_what_is_done_at_each_tick_ends_no_tick_when_it_fails_and_is_not_done_after_the_stop(
    host: Host, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    ticks = []

    def fail(now: datetime) -> None:
        ticks.append(now)
        raise OSError("no process can be let go")

    scheduler = Scheduler(host, nobody_reads, each_tick=fail)
    for _ in range(2):
        clock.advance(timedelta(seconds=TICK))
        await scheduler.tick()
        await done(*scheduler.lanes)
    assert len(ticks) == 2
    assert "no process can be let go" in caplog.text
    scheduler.stop()
    await scheduler.tick()
    assert len(ticks) == 2


async def test_a_scheduler_that_goes_on_hears_all_that_it_heard_before(host: Host) -> None:
    scheduler = Scheduler(host, nobody_reads)
    heard = host.work.on_commit
    scheduler.stop()
    assert host.work.on_commit is None
    scheduler.go_on()
    assert host.work.on_commit == heard
    scheduler.stop()


@pytest.mark.parametrize("of_server", [False, True])
async def test_a_full_lane_names_the_match_or_the_server_that_is_longest_at_work(
    host: Host, clock: ManualClock, caplog: pytest.LogCaptureFixture, of_server: bool
) -> None:
    caplog.set_level(logging.WARNING, "matches.engine")
    at_work, changed, answered = set[int | None](), asyncio.Event(), asyncio.Event()

    async def to_server(row: Telling) -> None:
        at_work.add(row.match_id or row.guild_id)
        changed.set()
        await answered.wait()

    async def deliver(row: Telling, match: Match) -> None:
        await to_server(row)

    async def begun(chains: int) -> None:
        scheduler.messages.wake()
        while len(at_work) < chains:
            changed.clear()
            await changed.wait()

    scheduler = Scheduler(host, deliver, to_servers={Kind.END: to_server})
    match = None if of_server else await running(host, "gambo")
    if match is None:
        await host.work.write(outbox.put, None, 76, NO_LINES, [News(Kind.END)], clock.now())
    await begun(1)
    clock.advance(timedelta(seconds=1))
    for guild_id in range(100, 100 + MATCHES_AT_ONCE):
        await host.work.write(outbox.put, None, guild_id, NO_LINES, [News(Kind.END)], clock.now())
    await begun(MATCHES_AT_ONCE)
    scheduler.messages.look()
    clock.advance(FULL)
    scheduler.messages.look()
    answered.set()
    scheduler.stop()
    await done(*scheduler.lanes)
    who = "server 76" if match is None else match.id
    assert f" wait; longest at work is {who}, for 11 s" in caplog.text
