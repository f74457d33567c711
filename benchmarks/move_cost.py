"""What a move costs, and how large a bot gets by that: a part of ``host``, and the benchmark ``moves``.

Many people play matches of all games at once by the panel. The bot and a *plain* variant of it take turns, each on a
copy of the same file. The variant saves RGB pictures with Pillow's defaults and commits every statement by itself
(`benchmarks.measured_bot`). Both have played for a while before anything is measured, so their caches are full, and the
process that draws is there.

Our bot then also plays games without hands alone, and those with hands. From what a move of these costs follows how
many moves a second one processor, two processors, or Discord's limit of requests allow. Requests that tidy up old
messages don't count there, because they give way to all others. A whole run writes this into the page `DOCUMENT`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import attrgetter
from pathlib import Path
from statistics import mean, median
from typing import Final, NamedTuple

from benchmarks import growth
from benchmarks.crowd import (
    DEALS,
    DRAWING,
    LOOKS,
    MOVES,
    PLACES,
    TIDYING,
    Bench,
    Crowd,
    Round,
    percentiles,
    playing,
    ratio,
    with_bots,
)
from benchmarks.filling import fill, game_of, sqlite
from benchmarks.measure import Length, Report
from benchmarks.page import Block, row, write
from cogs.process.pace import A_SECOND
from games import GAMES

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "scaling.md"

MOVES_FLOOR: Final = 2.0
"""Moves a second, as a multiple of the plain variant's."""

REQUESTS: Final = {False: 1.0, True: 2.0}
"""Counted requests a move, in games without hands and in games with hands."""

TIDIED: Final = 1.0
"""Counted requests a move for which nobody waits: they tidy up old messages."""

LOOKED: Final = 0.1
"""Counted requests a move that ask whether somebody is still on the server."""

OURS, PLAIN = "ours", "plain"
KINDS: Final = {"games without hands": False, "games with hands": True}
BOTH: Final = "half of each"

PROCESSOR: Final = "CPU ms"
Cost = Mapping[str, float]
"""What a move costs, by the names of the columns."""

MACHINES: Final = {
    "one processor": (1, A_SECOND),
    "two processors": (2, A_SECOND),
    f"{A_SECOND} requests a second": (inf, A_SECOND),
    f"{10 * A_SECOND} requests a second": (inf, 10 * A_SECOND),
}
"""By column of the page, how many processors there are, and how many requests Discord accepts from one bot."""

PEAK: Final = 3
"""How busy the busiest hour is, as a multiple of the mean: an assumption."""

A_DAY: Final = 20
"""Moves on a day on which somebody plays: an assumption."""

A_SERVER: Final = 5
"""People who play on a server on a day: an assumption."""


@dataclass(frozen=True)
class Size:
    """How much is measured: different matches, rounds, and seconds to warm up and of a round."""

    matches: int
    rounds: int
    warming: float
    seconds: float


WHOLE: Final = Size(matches=100, rounds=5, warming=20.0, seconds=10.0)
QUICK: Final = Size(matches=25, rounds=1, warming=8.0, seconds=6.0)
TINY: Final = Size(len(GAMES), rounds=1, warming=0.0, seconds=0.5)


class Asked(NamedTuple):
    """A round and the requests of its moves (`Crowd.counted`)."""

    round: Round
    requests: Counter[tuple[str, str]]


def run(length: Length) -> bool:
    """Print the tables. Returns whether every figure kept its floor."""

    async def filled(bench: Bench) -> None:
        await fill(played := bench.folder / "played.db", length.of(WHOLE, QUICK, TINY).matches)
        await measure(bench, played)

    return with_bots(length, filled)


async def measure(bench: Bench, played: Path) -> None:
    """Let all tables play, by turns on our bot and on the plain variant, and print what that costs."""
    size = bench.length.of(WHOLE, QUICK, TINY)
    tables = playing(size.matches)
    async with (
        bench.crowd(OURS, played, tables) as ours,
        bench.crowd(PLAIN, played, tables, orders={"BENCH_PLAIN": "yes"}) as plain,
    ):
        crowds = {OURS: ours, PLAIN: plain} | {kind: _only(ours, hands) for kind, hands in KINDS.items()}
        for some in (ours, plain):
            await some.play(size.warming)
            await some.settled()
        made: dict[str, list[Asked]] = {way: [] for way in crowds}
        for _ in range(size.rounds):
            for way, some in crowds.items():
                before = some.counted()
                found = await some.round(size.seconds)
                await some.settled()
                made[way].append(Asked(found, some.counted() - before))
    _print_ways(bench.report, {way: [each.round for each in made[way]] for way in (OURS, PLAIN)}, size)
    costs = {way: _cost(rounds) for way, rounds in made.items()}
    costs[BOTH] = {name: mean(costs[kind][name] for kind in KINDS) for name in costs[OURS]}
    bench.report.head("A move", *costs[OURS])
    for way, cost in costs.items():
        bench.report.row(way, *_cells(cost))
    _print_requests(bench.report, made[OURS])
    if bench.length is Length.WHOLE:
        over = await growth.finished(sqlite(bench.folder / "over.db"), played=8, copies=100)
        write("capacity", _page({kind: costs[kind] for kind in (*KINDS, BOTH)}, over), document=DOCUMENT)


def _only(some: Crowd, hands: bool) -> Crowd:
    """The same bot with only the tables that play games with hands, or those without."""
    tables = {each: table for each, table in some.tables.items() if GAMES[game_of(each)].info.hands == hands}
    return replace(some, tables=tables, made=Counter())


def _print_ways(report: Report, rounds: Mapping[str, Sequence[Round]], size: Size) -> None:
    print(f"{size.matches} matches of all games at once, medians of {size.rounds} rounds by turns, both warm")
    report.head("", "moves/s", "CPU ms a move", "answered p50 ms", "p99 ms")
    for way, made in rounds.items():
        half, most = percentiles([wait for each in made for wait in each.waits])
        rate, cost = median(each.rate for each in made), median(each.milliseconds for each in made)
        report.row(way, f"{rate:.1f}", f"{cost:.1f}", f"{half:.0f}", f"{most:.0f}")
    rate = ratio(rounds[OURS], rounds[PLAIN], attrgetter("rate"))
    cost = ratio(rounds[PLAIN], rounds[OURS], attrgetter("milliseconds"))
    report.row("ours, times as good as plain", f"{rate:.2f}", f"{cost:.2f}", kept=rate >= MOVES_FLOOR)


def _cost(made: Sequence[Asked]) -> Cost:
    """What a move of these rounds costs."""
    rounds, asked = [each.round for each in made], sum((each.requests for each in made), Counter())
    used = sum((each.processor for each in rounds), Counter())
    sums = {
        "requests": sum(many for (_, purpose), many in asked.items() if purpose != TIDYING),
        "statements": sum(each.statements for each in rounds),
        "transactions": sum(each.transactions for each in rounds),
        "writing": sum(each.writing for each in rounds),
        "kB of pictures": sum(each.uploaded for each in rounds) / 1e3,
        PROCESSOR: used.total(),
        **{place: used[place] for place in PLACES},
    }
    return {name: each / sum(made.moves for made in rounds) for name, each in sums.items()}


def _cells(cost: Cost) -> list[str]:
    return [f"{each:.2f}" if name == "requests" else f"{each:.1f}" for name, each in cost.items()]


def _print_requests(report: Report, made: Sequence[Asked]) -> None:
    moves, asked = sum((each.round.made for each in made), Counter()), sum((each.requests for each in made), Counter())
    report.head("Counted requests a move", "", "ceiling", "besides, for deals")
    for key, game in GAMES.items():
        for_moves, for_deals = (asked[key, purpose] / max(moves[key], 1) for purpose in (MOVES, DEALS))
        ceiling = REQUESTS[game.info.hands]
        report.row(game.info.name, f"{for_moves:.2f}", f"{ceiling:.0f}", f"{for_deals:.2f}", kept=for_moves <= ceiling)
    for name, which, most in (("tidying", TIDYING, TIDIED), ("looks at people", LOOKS, LOOKED)):
        many = sum(many for (_, purpose), many in asked.items() if purpose == which) / max(moves.total(), 1)
        report.row(f"{name}, which nobody awaits", f"{many:.2f}", f"{most:.3g}", "", kept=many <= most)


# What follows.


def _page(costs: Mapping[str, Cost], over: growth.Finished) -> list[Block]:
    """The tables of the page: what a move costs, and how large a bot gets."""
    limits = {kind: [_limit(cost, *machine) for machine in MACHINES.values()] for kind, cost in costs.items()}
    cost, rates = costs[BOTH], [rate for rate, _ in limits[BOTH]]
    days = [rate * 86_400 / PEAK for rate in rates]

    def line(what: str, figures: Sequence[float], form: str = ",.0f") -> str:
        return row(what, *(format(float(f"{each:.2g}"), form) for each in figures))

    rows = [
        *(row(f"moves a second, {kind}", *(f"{rate:.0f} ({why})" for rate, why in limits[kind])) for kind in costs),
        line("moves a day", days),
        line("people who play on a day", [each / A_DAY for each in days]),
        line(f"servers, if {A_SERVER} people play on each", [each / A_DAY / A_SERVER for each in days]),
        line("matches a day", [each / over.moves for each in days]),
        line("GB a day more in the database", [each / over.moves * over.whole / 1e9 for each in days], ".2g"),
        line("pictures sent, Mbit/s", [each * cost["kB of pictures"] * 8 / 1000 for each in rates]),
        line("transactions a second", [each * cost["transactions"] for each in rates]),
        line("processors at work", [each * cost[PROCESSOR] / 1000 for each in rates], ".2g"),
    ]
    return [
        Block([], row("a move in", *cost), [row(kind, *_cells(each)) for kind, each in costs.items()], by_game=False),
        Block([], row("", *MACHINES), rows, by_game=False),
    ]


def _limit(cost: Cost, processors: float, requests: float) -> tuple[float, str]:
    """How many moves a second there can be, and whether Discord or the processor allows no more.

    Of two processors one draws. With more of them there are more processes, as many as it takes.
    """
    busiest: dict[float, float] = {1: cost[PROCESSOR], 2: max(cost[PROCESSOR] - cost[DRAWING], cost[DRAWING])}
    by_processors = 1e3 / busiest[processors] if processors in busiest else inf
    return min((requests / cost["requests"], "Discord"), (by_processors, "processor"))
