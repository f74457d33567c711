"""A lane loses nothing that it is handed, whenever that happens."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from matches.api import ManualClock, Unavailable
from matches.engine.lanes import Lane


class Row(NamedTuple):
    number: int
    match_id: int = 1


def lane_of(carry_out: Callable[[Row], Awaitable[None]], **options: Any) -> Lane[Row, int]:
    async def claim(room: int) -> Sequence[Row]:
        return []

    async def work(row: Row, *_: object) -> None:
        await carry_out(row)

    return Lane(
        "messages",
        options.pop("claim", claim),
        options.pop("work", work),
        key=lambda row: row.match_id,
        number=lambda row: row.number,
        width=2,
        **{"now": lambda: datetime.now(UTC)} | options,
    )


async def finished(lane: Lane[Row, int]) -> None:
    while lane.tasks:
        await asyncio.wait(lane.tasks)


async def test_what_comes_in_the_moment_in_which_the_row_before_is_done_is_carried_out() -> None:
    done: list[int] = []

    async def carry_out(row: Row) -> None:
        done.append(row.number)
        if row.number == 1:
            # Hand it over after this chain has nothing left, and before its task is known to have ended.
            asyncio.get_running_loop().call_soon(lane.hand, [Row(2)])

    lane = lane_of(carry_out)
    lane.hand([Row(1)])
    await finished(lane)
    assert done == [1, 2]
    assert not lane.in_hand


async def test_what_comes_while_a_row_that_is_given_up_ends_is_carried_out() -> None:
    done: list[int] = []
    never = asyncio.Event()

    async def carry_out(row: Row) -> None:
        if row.number == 1:
            try:
                await never.wait()
            finally:
                lane.hand([Row(3)])
        done.append(row.number)

    lane = lane_of(carry_out)
    lane.hand([Row(1)])
    await asyncio.sleep(0)
    lane.hand([Row(2)])
    lane.drop(1)
    await finished(lane)
    assert done == [3]
    assert not lane.in_hand


async def test_a_row_that_is_given_up_before_it_has_started_is_not_carried_out() -> None:
    done: list[int] = []

    async def carry_out(row: Row) -> None:
        done.append(row.number)

    lane = lane_of(carry_out)
    lane.hand([Row(1)])
    lane.drop(1)
    lane.hand([Row(2)])
    await finished(lane)
    assert done == [2]
    assert not lane.in_hand


async def test_whoever_gives_up_their_own_chain_from_within_it_is_not_cut_off() -> None:
    done: list[int] = []

    async def carry_out(row: Row) -> None:
        if row.number == 1:
            lane.drop(1)
            await asyncio.sleep(0)
        done.append(row.number)

    lane = lane_of(carry_out)
    lane.hand([Row(1), Row(2)])
    await finished(lane)
    assert done == [1, 2]


@pytest.mark.parametrize("stopped", [False, True])
async def test_what_stands_behind_a_fault_of_the_store_or_a_stop_is_left_to_the_next_look(stopped: bool) -> None:
    done: list[int] = []

    async def carry_out(row: Row) -> None:
        if stopped:
            lane.stop()
            asyncio.get_running_loop().call_soon(lane.hand, [Row(2)])
            return
        raise Unavailable

    lane = lane_of(carry_out)
    lane.hand([Row(1)] if stopped else [Row(1), Row(2)])
    await finished(lane)
    assert done == []
    assert not lane.in_hand


# FOUND E1


async def test_a_chain_that_waits_for_discord_takes_no_place() -> None:
    done: list[int] = []
    answered, four, silent = asyncio.Event(), asyncio.Event(), set[asyncio.Task[Any]]()

    async def carry_out(row: Row) -> None:
        if row.match_id <= 2:
            task = asyncio.current_task()
            assert task is not None
            silent.add(task)
            await answered.wait()
            silent.discard(task)
        done.append(row.match_id)
        if len(done) == 4:
            four.set()

    lane = lane_of(carry_out, waits=silent.__contains__)
    lane.hand([Row(number, number) for number in range(1, 6)])
    await asyncio.sleep(0)
    # Nobody reports that a request has fallen silent: the next handover, or the next look, finds it.
    lane.hand([Row(6, 6)])
    await asyncio.wait_for(four.wait(), 20)
    assert sorted(done) == [3, 4, 5, 6]
    answered.set()
    await finished(lane)
    assert sorted(done) == [1, 2, 3, 4, 5, 6]
    assert not lane.in_hand


async def test_a_lane_that_is_full_for_ten_seconds_is_a_line_of_the_log_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, go_on = ManualClock(), asyncio.Event()

    async def carry_out(row: Row) -> None:
        await go_on.wait()

    caplog.set_level(logging.WARNING, "matches.engine")
    lane = lane_of(carry_out, now=clock.now)
    lane.hand([Row(number, number) for number in range(1, 6)])
    for _ in range(90):
        lane.look()
        clock.advance(timedelta(seconds=1))
    lines = [record.message for record in caplog.records]
    assert lines[0] == (
        "messages: all 2 places have been taken for 10 s and 3 more wait; longest at work is 1, for 10 s"
    )
    assert len(lines) == 2
    go_on.set()
    await finished(lane)


async def test_what_is_due_in_the_store_is_taken_up_when_discord_falls_silent() -> None:
    done: list[int] = []
    answered, third, silent = asyncio.Event(), asyncio.Event(), set[asyncio.Task[Any]]()
    due = [Row(number, number) for number in (1, 2, 3)]

    async def claim(room: int) -> Sequence[Row]:
        taken = due[:room]
        del due[:room]
        return taken

    async def carry_out(row: Row) -> None:
        if row.number <= 2:
            await answered.wait()
        done.append(row.number)
        third.set()

    lane = lane_of(carry_out, claim=claim, waits=silent.__contains__)
    lane.wake()
    await asyncio.wait([task for task in lane.tasks if "claiming" in task.get_name()])
    lane.wake()
    assert len(due) == 1
    silent.update(lane.tasks)
    await asyncio.wait_for(third.wait(), 20)
    assert done == [3]
    answered.set()
    await finished(lane)


async def never(row: Row) -> None:
    raise AssertionError


async def test_what_was_just_read_reaches_only_a_row_that_begins_at_once() -> None:
    known: dict[int, Any] = {}
    go_on = asyncio.Event()

    async def work(row: Row, read: Any, behind: Sequence[Row]) -> Any:
        known[row.number] = read
        await go_on.wait()
        return f"after {row.number}" if row.number == 1 else None

    lane = lane_of(never, work=work)
    lane.hand([Row(1, 1), Row(2, 1), Row(3, 1)], "fresh")
    lane.hand([Row(4, 2)], "fresh")
    lane.hand([Row(5, 3), Row(6, 1)], "fresh")
    await asyncio.sleep(0)
    go_on.set()
    await finished(lane)
    assert known == {1: "fresh", 2: "after 1", 3: None, 4: "fresh", 5: None, 6: None}
