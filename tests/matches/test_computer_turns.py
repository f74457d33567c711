"""Turns of computers in the host: due at once, computed outside the lock, stored only if they are still due."""

import asyncio
from pathlib import Path
from random import Random

from db import Database
from db.store.leases import LEASE_ALONE as LEASE
from matches.api import Ended, Host, ManualClock, Match, NotYourTurn, Ply, Stale
from tests.matches.tables import Seeds, SlowComputers, absent, others, play, play_on, raised, run_due, running, texts
from tests.store import fresh


async def test_a_computers_turn_is_due_at_once(host: Host) -> None:
    match, rng = await running(host, "saboteur", 2, computers=1), Random(2)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, rng)
    assert match.turn_due is None
    computer = match.to_move
    assert await run_due(host)
    after = await host.look.match(match.id)
    assert (await host.look.history(match.id, None))[match.ply].player == computer
    assert after.ply > match.ply
    assert not await run_due(host)


async def test_computers_alone_play_a_match_to_its_end(host: Host) -> None:
    match = await play_on(host, await running(host, "gambo", 1, computers=1), Random(1))
    assert match.ended_by is Ended.RULES
    assert (await host.look.verify(match.id)).ok


async def test_a_computer_plays_the_same_again_from_the_same_seed(tmp_path: Path, clock: ManualClock) -> None:
    logs = []
    for name in ("one", "two"):
        async with await Database.open(fresh(tmp_path / f"{name}.db")) as database:
            host = Host(database, clock, Seeds())
            match = await play_on(host, await running(host, "ambush", 1, computers=1), Random(1))
            logs.append(await texts(host, match))
    assert logs[0] == logs[1]


async def at_the_computer(host: Host, people: int = 2) -> Match:
    match, rng = await running(host, "saboteur", people, computers=1), Random(2)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, rng)
    return match


async def test_the_table_is_not_locked_while_a_computer_thinks_and_one_thought_is_enough_for_a_turn(
    database: Database, clock: ManualClock
) -> None:
    computers = SlowComputers()
    host = Host(database, clock, Seeds(), computers)
    match = await at_the_computer(host, 3)
    working = asyncio.create_task(run_due(host))
    await computers.asked.wait()
    after = await asyncio.wait_for(host.play.resign(match.id, others(match)[0]), 20)
    computers.answer.set()
    assert await working
    # Somebody else's resignation doesn't invalidate the computed action.
    assert (await host.look.match(match.id)).ply > after.ply
    assert len(computers.shown) == 1


async def test_a_late_answer_for_somebody_who_has_come_back_is_not_stored(
    database: Database, clock: ManualClock
) -> None:
    computers = SlowComputers()
    host = Host(database, clock, Seeds(), computers)
    match = await running(host, "saboteur", 4)
    gone = absent(match)
    await host.play.depart(match.id, gone)
    working = asyncio.create_task(run_due(host))
    await computers.asked.wait()
    back = await asyncio.wait_for(host.play.take_back(match.id, gone), 20)
    computers.answer.set()
    assert await working
    assert await host.look.match(match.id) == back
    assert not await run_due(host)


async def test_a_computer_is_asked_once_for_each_turn(database: Database, clock: ManualClock, url: str) -> None:
    computers = SlowComputers()
    host = Host(database, clock, Seeds(), computers)
    match = await at_the_computer(host)
    working = asyncio.create_task(run_due(host))
    await computers.asked.wait()
    async with await Database.open(url) as second:
        assert not await run_due(Host(second, clock))
    computers.answer.set()
    await working
    assert len(computers.shown) == 1
    assert (await host.look.match(match.id)).ply > match.ply


async def test_a_computer_is_shown_nothing_that_its_seat_does_not_know(database: Database, clock: ManualClock) -> None:
    computers = SlowComputers(answering=True)
    host = Host(database, clock, Seeds(), computers)
    match, rng = await running(host, "saboteur", 2, computers=1), Random(2)
    cheated = 0
    for _ in range(12):
        if match.mover is not None and match.mover.present:
            match = await play(host, match, rng)
        else:
            true = (await host.work.position(match.id))[1].state
            await run_due(host)
            shown = computers.shown[-1]
            seat = match.to_move
            assert shown.observation(seat) == true.observation(seat)
            cheated += shown == true
            match = await host.look.match(match.id)
    assert len(computers.shown) >= 3
    assert cheated == 0


async def test_a_computer_that_fails_keeps_no_other_match_waiting(database: Database, clock: ManualClock) -> None:
    computers = SlowComputers(answering=True)
    host = Host(database, clock, Seeds(), computers)
    bad, good = await at_the_computer(host, 3), await at_the_computer(host, 2)
    computers.broken_for = 4
    await raised(ExceptionGroup, run_due(host))
    assert (await host.look.match(bad.id)).ply == bad.ply
    assert (await host.look.match(good.id)).ply > good.ply
    # A failing computer isn't retried in a tight loop. Once it works, its turn follows.
    assert not await run_due(host)
    computers.broken_for = None
    clock.advance(LEASE)
    assert await run_due(host)
    assert (await host.look.match(bad.id)).ply > bad.ply


async def test_people_cannot_act_for_a_computer(host: Host) -> None:
    match = await at_the_computer(host)
    for person in others(match):
        await raised(NotYourTurn, host.play.act(match.id, person, "pass", ply=match.ply))
        await raised(Stale, host.play.act(match.id, person, "pass", ply=Ply(match.ply - 1)))
