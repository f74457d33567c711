"""How long news waits for the porter: from the transaction that stores a board's move to the moment it is taken up.

One match alone and many at work by turns, both at a pace of less than 20 boards a second: faster than that the waiting
is for Discord or the processor, which other rows measure.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.host_crowd import crowd, percentiles
from benchmarks.measure import UNDER
from tests.wire.bot_process import Nursery

TAKEN_UP_WITHIN: Final = 300.0
"""Milliseconds after which 99 of 100 boards are taken up at the latest."""

MANY_CEILING: Final = 3.0
"""The median wait with many matches at work, as a multiple of that with one alone."""

BOARDS_A_SECOND: Final = 12.0
ALONE: Final = 4.0
"""Boards a second in the match that is alone: as many as its people make by the panel without haste."""


@dataclass(frozen=True)
class Waits:
    """Milliseconds that boards have waited in one round."""

    each: tuple[float, ...]

    @property
    def half(self) -> float:
        """The median."""
        return percentiles([wait / 1e3 for wait in self.each])[0]

    @property
    def longest(self) -> float:
        """The hundredth that waited longest."""
        return percentiles([wait / 1e3 for wait in self.each])[1]


async def run(nursery: Nursery, folder: Path, played: Path, matches: int, rounds: int, seconds: float) -> bool:
    """Print the rows; whether they keep their ceilings."""
    alone, many = [], []
    for number in range(rounds):
        alone.append(await _round(nursery, folder / f"alone{number}", played, 1, 1 / ALONE, seconds))
        many.append(
            await _round(nursery, folder / f"many{number}", played, matches, matches / BOARDS_A_SECOND, seconds)
        )
    longest = max(each.longest for each in many)
    share = median(more.half / one.half for one, more in zip(alone, many, strict=True))
    late, slow = longest > TAKEN_UP_WITHIN, share > MANY_CEILING
    print(f"\n{'A board waits for the porter':34}{'p50 ms':>9}{'p99 ms':>15}{'/alone':>17}{'ceiling':>9}")
    print(f"{'one match alone':34}{median(each.half for each in alone):9.1f}{max(e.longest for e in alone):15.1f}")
    print(
        f"{f'{matches} matches at work':34}{median(each.half for each in many):9.1f}{longest:15.1f}"
        f"{'':17}{TAKEN_UP_WITHIN:9.0f}{f'  {UNDER}' if late else ''}"
    )
    print(f"{'':34}{'':9}{'':15}{share:17.2f}{MANY_CEILING:9.1f}{f'  {UNDER}' if slow else ''}")
    return not late and not slow


async def _round(nursery: Nursery, folder: Path, played: Path, matches: int, pace: float, seconds: float) -> Waits:
    waits = folder.with_suffix(".waits")
    async with crowd(nursery, folder, played, matches, BENCH_WAITS=str(waits)) as some:
        # What was due when the bot started has waited for that.
        await some.settled()
        await asyncio.to_thread(waits.write_text, "")
        await some.play(seconds, pace)
        await some.settled()
        text = await asyncio.to_thread(waits.read_text)
    return Waits(tuple(float(line) for line in text.splitlines()))
