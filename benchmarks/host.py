"""The whole bot under load (`matches/host/host.py` and all around it), against a Discord on this machine.

* Moves: many people play matches of all games at once by the panel. The bot and a *plain* variant of it take turns on
  copies of the same file. The variant saves RGB pictures with Pillow's defaults and commits every statement by itself
  (`benchmarks.measured_bot`).
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
from collections import Counter
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks import growth, neighbours, pledging, postgresql
from benchmarks.crowd import DEALS, LOOKS, MOVES, TIDYING, Bench, Round, percentiles, playing, ratio, with_bots
from benchmarks.filling import KEYS, PLAYERS, copy_on, fill, nothing_to_tell, sqlite
from benchmarks.measure import Length, Report, quantile_of
from db import Database
from games import GAMES

MOVES_FLOOR: Final = 2.0
"""Moves a second, as a multiple of the plain variant's."""

ACKNOWLEDGED_WITHIN: Final = 1500.0
"""Milliseconds in which 99 of 100 people get an answer when many confirm at once."""

START_CEILING: Final = 1.5
"""Time of the start with very many open matches, as a multiple of that with none."""

REQUESTS: Final = {False: 1.0, True: 2.0}
"""Counted requests a move, in games without hands and in games with hands."""

TIDIED: Final = 1.0
"""Counted requests a move for which nobody waits: they tidy up old messages."""

LOOKED: Final = 0.1
"""Counted requests a move that ask whether somebody is still on the server."""

TAKEN_UP_WITHIN: Final = 300.0
"""Milliseconds in which the porter takes up 99 of 100 boards."""

MANY_CEILING: Final = 3.0
"""A board's median wait for the porter in many matches at once, as a multiple of that in one match alone."""

BOARDS_A_SECOND: Final = 12.0
"""The pace of many matches at once. Above 20 a second, boards would wait for Discord or the processor."""

ALONE: Final = 4.0
"""The pace of the match that is alone: what its people manage by the panel without haste."""

OURS, PLAIN = "ours", "plain"


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
    await _rounds(bench, played, size)
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


async def _rounds(bench: Bench, played: Path, size: Size) -> None:
    """Let all tables play, by turns on our bot and on the plain variant.

    The first move of each table doesn't count, because its player may already have the hand from the deal.
    """
    rounds: dict[str, list[Round]] = {OURS: [], PLAIN: []}
    asked: Counter[tuple[str, str]] = Counter()
    for number in range(size.rounds):
        for way, made in rounds.items():
            orders = {"BENCH_PLAIN": "yes"} if way == PLAIN else {}
            async with bench.crowd(f"{way}{number}", played, playing(size.matches), orders=orders) as some:
                await some.move_once()
                await some.settled()
                before = some.counted()
                made.append(await some.round(size.seconds))
                await some.settled()
                if way == OURS:
                    asked += some.counted() - before
    _print_rounds(bench.report, rounds, size)
    _print_requests(bench.report, sum((each.made for each in rounds[OURS]), Counter()), asked)


def _print_rounds(report: Report, rounds: dict[str, list[Round]], size: Size) -> None:
    print(f"{size.matches} matches of all games at once, medians of {size.rounds} rounds by turns")
    report.head("", "moves/s", "CPU ms a move", "answered p50 ms", "p99 ms")
    for way, made in rounds.items():
        half, most = percentiles([wait for each in made for wait in each.waits])
        rate, cost = median(each.rate for each in made), median(each.milliseconds for each in made)
        report.row(way, f"{rate:.1f}", f"{cost:.1f}", f"{half:.0f}", f"{most:.0f}")
    rate = ratio(rounds[OURS], rounds[PLAIN], attrgetter("rate"))
    cost = ratio(rounds[PLAIN], rounds[OURS], attrgetter("milliseconds"))
    report.row("ours, times as good as plain", f"{rate:.2f}", f"{cost:.2f}", kept=rate >= MOVES_FLOOR)
    ours = rounds[OURS]
    moves = sum(each.moves for each in ours)
    transactions, writing, uploaded = (
        sum(figures) / moves
        for figures in zip(*((each.transactions, each.writing, each.uploaded) for each in ours), strict=True)
    )
    report.head("A move of ours", "transactions", "of them writing", "kB of pictures")
    report.row("", f"{transactions:.1f}", f"{writing:.1f}", f"{uploaded / 1000:.0f}")


def _print_requests(report: Report, moves: Counter[str], asked: Counter[tuple[str, str]]) -> None:
    report.head("Counted requests a move", "", "ceiling", "besides, for deals")
    for key, game in GAMES.items():
        for_moves, for_deals = (asked[key, purpose] / max(moves[key], 1) for purpose in (MOVES, DEALS))
        ceiling = REQUESTS[game.info.hands]
        report.row(game.info.name, f"{for_moves:.2f}", f"{ceiling:.0f}", f"{for_deals:.2f}", kept=for_moves <= ceiling)
    for name, which, most in (("tidying", TIDYING, TIDIED), ("looks at people", LOOKS, LOOKED)):
        many = sum(many for (_, purpose), many in asked.items() if purpose == which) / max(moves.total(), 1)
        report.row(f"{name}, which nobody awaits", f"{many:.2f}", f"{most:.3g}", "", kept=many <= most)


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
