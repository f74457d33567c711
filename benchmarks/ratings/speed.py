"""How much CPU a server's ratings take: for all results in a worker process, and for one more in the store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.measure import CLOCK, UNDER, Length
from benchmarks.page import Block
from db import Connection, Database
from db.model.ids import MatchId
from db.model.rows import Ladder, ResultRow
from db.results import keyed
from matches.engine.workers import Workers
from matches.ratings import ladder, model, storing
from matches.results import result
from matches.results.result import Entrant, Result

RESULTS: Final = 100_000
PEOPLE: Final = 300
PLAYERS: Final = 3
A_DAY: Final = 100
ALL_AT_MOST: Final = 5.0
"""CPU seconds for `RESULTS` results."""

ONE_AT_MOST: Final = 0.010
"""CPU seconds for one more result."""

_OF: Final = Ladder(1, "abissal", 1, False)
_WHEN: Final = datetime(2030, 1, 1, tzinfo=UTC)


def block(length: Length) -> tuple[bool, Block]:
    """Measure both. Returns whether both are fast enough, and the table."""
    count, many = length.of((RESULTS, 200), (5_000, 200), (50, 2))
    results = list(some_results(count))
    alone = openskill_alone(results)
    whole = asyncio.run(in_a_worker(results))
    single = asyncio.run(one_more(results, many))
    whole_fits, one_fits = whole <= ALL_AT_MOST * count / RESULTS, single <= ONE_AT_MOST
    cells = [
        (f"{count} results from nothing, in a worker", whole, alone, whole_fits),
        (f"one more in a store that has {count}", single, alone / count, one_fits),
    ]
    lines = [
        f"| {what} | {seconds:.4f} s | {seconds / peer:.1f} | {'' if fits else UNDER} |"
        for what, seconds, peer, fits in cells
    ]
    text = [
        f"Results of {PLAYERS} of {PEOPLE} people, the CPU that they take, and how many times what openskill alone "
        "needs to rate as many matches.",
    ]
    return whole_fits and one_fits, Block(text, "| what | time | times openskill alone | |", lines, by_game=False)


def some_results(count: int) -> Iterator[Result]:
    """Results of people who play each other at random."""
    rng = Random("results")
    keys = [f"{number:016x}" for number in range(PEOPLE)]
    for number in range(1, count + 1):
        places = rng.sample(range(1, PLAYERS + 1), PLAYERS)
        entrants = [Entrant(place, key) for place, key in zip(places, rng.sample(keys, PLAYERS), strict=True)]
        yield Result(number, _day(number).date(), tuple(map(result.written, entrants)))


def _day(number: int) -> datetime:
    return _WHEN + timedelta(days=number // A_DAY)


def openskill_alone(results: Sequence[Result]) -> float:
    """CPU seconds of openskill for rating as many matches, all of them among new players."""
    teams = [[model.MODEL.rating()] for _ in range(PLAYERS)]
    begun = CLOCK()
    for _, _, seats in results:
        model.MODEL.rate(teams, ranks=[float(seat["place"]) for seat in seats])
    return CLOCK() - begun


async def in_a_worker(results: Sequence[Result]) -> float:
    """CPU seconds of a worker for computing the ratings from all results, including their transfer."""
    workers = Workers(1)
    try:
        begun = await workers.run(CLOCK)
        await workers.run(ladder.computed, _OF.game, results)
        return await workers.run(CLOCK) - begun
    finally:
        workers.close()


async def one_more(results: Sequence[Result], many: int) -> float:
    """CPU seconds for storing one more result beside all others: the median of `many` times."""
    with TemporaryDirectory() as folder:
        async with await Database.open(f"sqlite+aiosqlite:///{Path(folder)}/ambit.db") as database:
            await database.write(_fill, results)
            taken = []
            for number in range(len(results) + 1, len(results) + many + 1):
                row = ResultRow(MatchId(number), _day(number), tuple(results[number % len(results)].seats))
                begun = CLOCK()
                await database.write(_store, row)
                taken.append(CLOCK() - begun)
            return median(taken)


def _store(connection: Connection, row: ResultRow) -> None:
    storing.follow(connection, keyed.add_result(connection, _OF, row))


def _fill(connection: Connection, results: Sequence[Result]) -> None:
    for number, _, seats in results:
        keyed.add_result(connection, _OF, ResultRow(MatchId(number), _day(number), tuple(seats)))
    storing.replace(connection, _OF, ladder.computed(_OF.game, results), len(results), len(results))
