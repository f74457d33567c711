"""A lane of the porter loses nothing that it was handed, whenever that comes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from cogs.delivery.lanes import Lane
from matches import Unavailable


class Row(NamedTuple):
    number: int
    match_id: int = 1


def lane_of(carry_out: Callable[[Row], Awaitable[None]]) -> Lane[Row, int]:
    async def claim(room: int) -> Sequence[Row]:
        return []

    return Lane(
        "messages",
        claim,
        carry_out,
        key=lambda row: row.match_id,
        number=lambda row: row.number,
        width=2,
        at_work=nullcontext,
        now=lambda: datetime.now(UTC),
    )


async def finished(lane: Lane[Row, int]) -> None:
    while lane.tasks:
        await asyncio.wait(lane.tasks)


async def test_what_comes_in_the_moment_in_which_the_row_before_is_done_is_carried_out() -> None:
    done: list[int] = []

    async def carry_out(row: Row) -> None:
        done.append(row.number)
        if row.number == 1:
            # Handed once nothing is left of this chain, and before its task is known to have ended.
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


async def test_a_row_that_is_given_up_before_it_has_begun_is_not_carried_out() -> None:
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
