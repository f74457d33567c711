"""At what pace a process asks Discord."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cogs.process.pace import A_SECOND, WINDOW, Pace


class Time:
    """A clock that nothing moves but who sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    def tell(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


async def sent(share: Fraction, count: int) -> list[float]:
    """When so many are sent one after another, each as early as it may."""
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
