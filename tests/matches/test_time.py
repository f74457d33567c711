"""The time of a turn (P13): reminders, overdue picks, and a clock that may jump."""

from datetime import timedelta
from random import Random

import pytest

from db import Database
from db.store.leases import LEASE_ALONE as LEASE
from games.core import Stage
from matches.api import Ended, Frozen, Host, Kind, ManualClock, Pace, Status, WrongTime
from matches.table.turn import STAYS_UNASKED
from tests.matches.tables import (
    A_MOMENT,
    DAY,
    PEOPLE,
    Hosted,
    absent,
    digging,
    dump,
    mover_view,
    others,
    play,
    raised,
    run_all,
    run_due,
    running,
    sql,
    tellings,
    told,
    told_kinds,
)


@pytest.mark.parametrize(("pace", "turn"), [(Pace.LIVE, timedelta(minutes=5)), (Pace.DAY, DAY), (Pace.SLOW, 3 * DAY)])
async def test_one_reminder_comes_when_most_of_the_time_is_up_and_the_question_at_its_end(
    host: Host, clock: ManualClock, pace: Pace, turn: timedelta
) -> None:
    match = await running(host, "saboteur", 3, pace=pace)
    assert match.turn_due == clock.now() + turn
    clock.advance(0.8 * turn - A_MOMENT)
    assert not await run_due(host)
    clock.advance(A_MOMENT)
    assert await run_due(host)
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]
    clock.advance(0.2 * turn - A_MOMENT)
    assert not await run_due(host)
    clock.advance(A_MOMENT)
    assert await run_due(host)
    assert await told_kinds(host, match) == [Kind.VOTE]
    assert (await host.look.details(match.id)).asked == 1
    assert (await host.look.match(match.id)).status is Status.RUNNING


async def test_without_a_pace_nothing_happens_by_itself_for_a_month_and_then_it_ends(host: Hosted) -> None:  # FOUND F3
    match = await running(host, "saboteur", 3, pace=Pace.NONE)
    before = await dump(host.database)
    host.clock.advance(STAYS_UNASKED - A_MOMENT)
    assert not await run_due(host)
    # But marks of allowances that recovered long ago go.
    assert await dump(host.database) == {**before, "allowances": []}
    assert match.turn_due is None
    host.clock.advance(A_MOMENT)
    assert await run_due(host)
    assert (await host.look.match(match.id)).ended_by is Ended.ABANDONED


async def test_an_action_begins_a_new_turn_with_its_whole_time(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.9 * DAY)
    await run_due(host)
    match = await play(host, match, Random(1))
    assert (match.turn_ply, match.turn_at, match.turn_due) == (match.ply, clock.now(), clock.now() + DAY)
    assert not (await host.look.details(match.id)).reminded
    await tellings(host)
    clock.advance(0.7 * DAY)
    assert not await run_due(host)


async def test_somebody_else_leaving_does_not_give_more_time(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4)
    clock.advance(0.5 * DAY)
    after = await host.play.resign(match.id, others(match)[0])
    assert (after.turn_ply, after.turn_at, after.turn_due) == (match.turn_ply, match.turn_at, match.turn_due)
    assert after.ply == match.ply + 2
    clock.advance(0.3 * DAY)
    assert await run_due(host)
    assert (Kind.REMIND, match.to_move) in await told(host, match)


async def test_what_a_process_claimed_and_never_did_another_one_does_later(host: Hosted) -> None:
    match = await running(host, "saboteur", 3)
    host.clock.advance(0.8 * DAY)
    await sql(host.database, "UPDATE deadlines SET leased_until = due + :lease", lease=LEASE // A_MOMENT)
    assert not await run_due(host)
    host.clock.advance(LEASE)
    assert await run_due(host)
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]


async def test_a_deadline_that_a_move_replaces_while_it_is_claimed_does_nothing(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.8 * DAY)
    (row,) = await host.time.claim_due()
    await play(host, match, Random(1))
    await host.time.happen(row)
    assert not (await host.look.details(match.id)).reminded
    clock.advance(0.8 * DAY)
    assert await run_due(host), "the deadline of the new turn stays"


async def test_a_clock_that_jumps_back_and_forth_reminds_once(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.8 * DAY)
    assert await run_due(host)
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]
    clock.advance(-0.8 * DAY)
    assert not await run_due(host)
    match = await play(host, match, Random(1))
    assert (await told(host, match))[0] == (Kind.BOARD, None)
    clock.advance(0.8 * DAY)
    assert await run_due(host)
    assert not await run_due(host)
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]


async def test_people_may_remind_once_a_turn_instead_of_the_clock(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    await host.votes.remind(match.id, others(match)[0])
    assert (await host.look.details(match.id)).reminded
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]
    await raised(WrongTime, host.votes.remind(match.id, others(match)[1]), "already")
    clock.advance(0.8 * DAY)
    await run_due(host)
    assert await told(host, match) == []


async def test_a_computer_is_not_reminded(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    match = await host.play.resign(match.id, absent(match))
    await raised(WrongTime, host.votes.remind(match.id, others(match)[0]), "computer")


async def test_an_overdue_pick_of_gold_takes_the_highest_card(host: Host, clock: ManualClock) -> None:
    match, rng = await running(host, "saboteur", 4), Random(3)
    while (await mover_view(host, match)).stage is not Stage.SERIES:
        match = await play(host, match, rng, digging)
    view = await mover_view(host, match)
    highest = max(int(move.text.removeprefix("take ")) for move in view.moves)
    clock.advance(DAY)
    await run_all(host)
    lines = await host.look.history(match.id, absent(match), since=match.ply)
    assert (lines[0].player, lines[0].text) == (match.to_move, f"take {highest}")
    assert Kind.VOTE not in await told_kinds(host, match)


async def test_nothing_is_due_for_a_frozen_match(host: Host, clock: ManualClock, database: Database) -> None:
    match = await running(host, "saboteur", 3)
    await sql(database, "UPDATE log SET action = 'nonsense' WHERE ply = 0")
    clock.advance(0.8 * DAY)
    assert await run_due(Host(database, clock))
    await raised(Frozen, host.votes.remind(match.id, PEOPLE[0].user_id))
    clock.advance(DAY)
    assert not await run_due(host)
