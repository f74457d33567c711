"""The whole bot under load (`matches/host/host.py` and all around it), against a Discord on this machine.

* What a move costs (`benchmarks.move_cost`).
* The porter: how long a board waits for it at an easy pace.
* With very many open matches: many moves confirmed in the same moment, and the bot's start compared with one on an
  empty file.
* The other modules: what players notice of others (`benchmarks.neighbours`) and of many pledges
  (`benchmarks.pledging`), what grows with the store (`benchmarks.growth`), and what a server costs instead of a file
  (`benchmarks.postgresql`, also the benchmark ``server``).

Moves a second and waits are wall-clock times, so other load of the machine counts. Ratios are taken round by round.
CPU and memory are those of the bot's process and its descendants. Discord's rate limits are switched off: they would be
the only thing measured. Counted requests are those that count against a bot's 50 a second. The requests that a deal
sends to everybody in private don't belong to a move and stand apart.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks import growth, move_cost, neighbours, pledging, postgresql
from benchmarks.crowd import Bench, percentiles, playing, with_bots
from benchmarks.filling import KEYS, PLAYERS, copy_on, fill, nothing_to_tell, sqlite
from benchmarks.measure import Length, quantile_of
from db import Database

ACKNOWLEDGED_WITHIN: Final = 1500.0
"""Milliseconds in which 99 of 100 people get an answer when many confirm at once."""

START_CEILING: Final = 1.5
"""Time of the start with very many open matches, as a multiple of that with none."""

TAKEN_UP_WITHIN: Final = 300.0
"""Milliseconds in which the porter takes up 99 of 100 boards."""

MANY_CEILING: Final = 3.0
"""A board's median wait for the porter in many matches at once, as a multiple of that in one match alone."""

BOARDS_A_SECOND: Final = 12.0
"""The pace of many matches at once. Above 20 a second, boards would wait for Discord or the processor."""

ALONE: Final = 4.0
"""The pace of the match that is alone: what its people manage by the panel without haste."""


@dataclass(frozen=True)
class Size:
    """How much is measured: different matches, rounds, seconds a round, bursts and starts.

    The large file has `open` open matches. People confirm at once in `burst` of them.
    """

    matches: int
    rounds: int
    seconds: float
    bursts: int
    starts: int
    open: int = 10_000
    burst: int = 200


WHOLE: Final = Size(matches=100, rounds=3, seconds=15.0, bursts=3, starts=5)
QUICK: Final = Size(matches=25, rounds=1, seconds=6.0, bursts=1, starts=3)
TINY: Final = Size(len(KEYS), rounds=1, seconds=0.5, bursts=1, starts=1, open=20, burst=len(KEYS))


def run(length: Length) -> bool:
    """Print the tables. Returns whether every figure kept its floor."""
    return with_bots(length, _measure)


async def _measure(bench: Bench) -> None:
    size = bench.length.of(WHOLE, QUICK, TINY)
    played, many = bench.folder / "played.db", bench.folder / "many.db"
    await fill(played, size.matches)
    await move_cost.measure(bench, played)
    await _porter(bench, played, size)
    await asyncio.to_thread(shutil.copy, played, many)
    await copy_on(many, size.open, size.burst)
    await _burst(bench, many, size)
    await neighbours.measure(bench)
    await pledging.measure(bench)
    await growth.measure(bench)
    growth.measure_a_server(bench.report)
    await _starts(bench, many, size)
    # A tiny run of the benchmark `server` does this.
    if bench.length is not Length.TINY:
        await postgresql.measure_if_there(bench)


async def _porter(bench: Bench, played: Path, size: Size) -> None:
    """Measure the time from the transaction that stores a move until the porter takes up its board."""
    waits: dict[int, list[tuple[float, float]]] = {1: [], size.matches: []}
    for number in range(size.rounds):
        for matches, pace in ((1, 1 / ALONE), (size.matches, size.matches / BOARDS_A_SECOND)):
            name = f"porter{number}-{matches}"
            async with bench.crowd(name, played, playing(matches), orders={"BENCH_NOTE": "waits"}) as some:
                # Rows that were due at the bot's start have waited for the start.
                await some.settled()
                some.noted()
                await some.play(size.seconds, pace)
                await some.settled()
                noted = some.noted()
                waits[matches].append((quantile_of(noted, 50), quantile_of(noted, 99)))
    alone, many = waits.values()
    longest = max(most for _, most in many)
    share = median(more / one for (one, _), (more, _) in zip(alone, many, strict=True))
    report = bench.report
    report.head("A board waits for the porter", "p50 ms", "p99 ms", "/alone", "ceiling")
    report.row("one match alone", f"{median(half for half, _ in alone):.1f}", f"{max(most for _, most in alone):.1f}")
    cells = f"{median(half for half, _ in many):.1f}", f"{longest:.1f}", "", f"{TAKEN_UP_WITHIN:.0f}"
    enough = bench.length is Length.WHOLE
    report.row(f"{size.matches} matches at work", *cells, kept=longest <= TAKEN_UP_WITHIN, enough=enough)
    report.row("", "", "", f"{share:.2f}", f"{MANY_CEILING:.1f}", kept=share <= MANY_CEILING)


async def _burst(bench: Bench, many: Path, size: Size) -> None:
    """Let many people press **Confirm** in the same moment, on a bot with very many open matches."""
    bursts = []
    for number in range(size.bursts):
        async with bench.crowd(f"burst{number}", many, playing(size.burst)) as some:
            answers = await some.confirm_at_once(await some.panels())
            bursts.append(percentiles([answer.interaction.waited for answer in answers]))
    half, most = median(each[0] for each in bursts), median(each[1] for each in bursts)
    bench.report.head(f"{size.burst} moves confirmed at once", "p50 ms", "p99 ms", "ceiling")
    cells = f"{half:.0f}", f"{most:.0f}", f"{ACKNOWLEDGED_WITHIN:.0f}"
    bench.report.row(f"with {size.open:,} open matches", *cells, kept=most <= ACKNOWLEDGED_WITHIN)


async def _starts(bench: Bench, many: Path, size: Size) -> None:
    """Measure the time from the start of the process, without its imports, until a command is answered."""
    nothing_to_tell(many)
    none = bench.folder / "none.db"
    await (await Database.open(sqlite(none))).close()
    async with (
        bench.crowd("starts-none", none, {1: PLAYERS}) as with_none,
        bench.crowd("starts-many", many, {1: PLAYERS}) as with_many,
    ):
        # By now both have sent their commands to Discord.
        await with_none.bot.close()
        await with_many.bot.close()
        seconds: dict[int, list[float]] = {0: [], size.open: []}
        memory = dict.fromkeys(seconds, 0.0)
        for _ in range(size.starts):
            for some, (number, times) in zip((with_none, with_many), seconds.items(), strict=True):
                begun = perf_counter()
                await some.bot.start()
                await some.tables[1].people[0].command(some.tables[1].channel, "match")
                times.append(perf_counter() - begun)
                memory[number] = some.used().memory / 1e6
                await some.bot.close()
    share = median(many / none for none, many in zip(*seconds.values(), strict=True))
    report = bench.report
    report.head("Start, and memory", "ms", "MB", "/none", "ceiling")
    report.row("no match", f"{1e3 * median(seconds[0]):.0f}", f"{memory[0]:.0f}")
    took, used = f"{1e3 * median(seconds[size.open]):.0f}", f"{memory[size.open]:.0f}"
    cells = took, used, f"{share:.2f}", f"{START_CEILING:.1f}"
    report.row(f"{size.open:,} open matches", *cells, kept=share <= START_CEILING)
