"""The pace at which a process sends requests to Discord."""

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from fractions import Fraction

import discord
import pytest

from cogs.process.pace import A_SECOND, SAID_EVERY, WINDOW, Pace, on_behalf
from cogs.process.wire import Wire
from matches.engine.fair_queue import Rank


class Time:
    """A clock that only sleeping advances."""

    def __init__(self) -> None:
        self.now = 100.0

    def tell(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def sent(share: Fraction, count: int) -> list[float]:
    """When this many requests are sent, each as early as possible."""
    time = Time()
    pace = Pace.of_share(share, now=time.tell, sleep=time.sleep)
    times = []
    for _ in range(count):
        await pace.take()
        times.append(time.now - 100)
    return times


@pytest.mark.parametrize("share", [Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(3, 7)])
async def test_a_process_asks_no_more_than_its_share_in_any_second_wherever_it_begins(share: Fraction) -> None:
    times = await sent(share, 300)
    most = max(sum(begin <= each < begin + 1 for each in times) for begin in times)
    assert most == int(A_SECOND * share)


async def test_as_long_as_there_is_room_nobody_waits() -> None:
    times = await sent(Fraction(1, 2), 26)
    assert times[:25] == [0.0] * 25
    assert times[25] == pytest.approx(WINDOW)


async def test_a_share_of_less_than_one_a_second_is_one_in_a_longer_time() -> None:
    assert await sent(Fraction(1, 200), 3) == pytest.approx([0, 4 * WINDOW, 8 * WINDOW])


async def test_a_pause_leaves_no_more_room_than_a_second_has() -> None:
    time = Time()
    pace = Pace.of_share(Fraction(1, 10), now=time.tell, sleep=time.sleep)
    for _ in range(5):
        await pace.take()
    await time.sleep(60)
    begun = time.now
    for _ in range(6):
        await pace.take()
    assert time.now == pytest.approx(begun + WINDOW)


# FOUND E10


async def in_order(pace: Pace, asking: Iterable[tuple[int | None, Rank]]) -> list[tuple[int | None, Rank]]:
    """The order in which simultaneous requests of these servers and ranks are let through."""
    order = []

    async def ask(server: int | None, rank: Rank) -> None:
        on_behalf(server, rank)
        await pace.take()
        order.append((server, rank))

    work: list[Awaitable[None]] = [asyncio.create_task(ask(*each)) for each in asking]
    await asyncio.gather(*work)
    return order


async def test_servers_take_turns_and_tables_without_people_come_last() -> None:
    time = Time()
    pace = Pace(1, WINDOW, now=time.tell, sleep=time.sleep)
    await pace.take()
    asking = [(1, Rank.WATCHED)] * 2 + [(1, Rank.TABLE)] * 3 + [(2, Rank.TABLE)]
    order = await in_order(pace, asking)
    assert [server for server, rank in order if rank == Rank.TABLE] == [1, 2, 1, 1]
    assert order[-2:] == [(1, Rank.WATCHED)] * 2


async def test_whoever_gives_up_waiting_uses_nothing_up() -> None:
    time = Time()
    pace = Pace(1, WINDOW, now=time.tell, sleep=time.sleep)
    await pace.take()
    given_up = asyncio.create_task(pace.take())
    await asyncio.sleep(0)
    given_up.cancel()
    await pace.take()
    assert time.now == pytest.approx(100 + WINDOW)


async def test_that_the_pace_delays_requests_is_a_line_of_the_log_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "cogs.process")
    time = Time()
    pace = Pace(10, 1, now=time.tell, sleep=time.sleep)
    await in_order(pace, [(1, Rank.TABLE)] * 1000)
    lines = [record.message for record in caplog.records]
    assert len(lines) == 1 + (100 - 10) // SAID_EVERY
    assert "our own pace (10 requests in 1.0 s) has delayed" in lines[0]
    assert "in the median" in lines[0]


async def test_whoever_lets_others_go_first_takes_no_place_in_a_lane_meanwhile() -> None:
    time, let_through = Time(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        await let_through.wait()
        time.now += seconds

    wire = Wire(Pace(1, WINDOW, now=time.tell, sleep=sleep), now=time.tell)

    async def ask(rank: int) -> None:
        on_behalf(1, rank)
        await wire._take_turn(f"{discord.http.Route.BASE}/channels/1/messages")

    await ask(Rank.TABLE)
    asking = [asyncio.create_task(ask(rank)) for rank in (Rank.TABLE, Rank.WATCHED)]
    await asyncio.sleep(0)
    assert [wire.waits(task) for task in asking] == [False, True]
    let_through.set()
    await asyncio.gather(*asking)
    assert [wire.waits(task) for task in asking] == [False, False]
