"""How much memory a bot takes after ten minutes and after an hour: the benchmark ``memory``.

People play at many tables, whose matches are at any point of their lives. Where one ends, the next begins. Together
they make a move a second, and here they don't wait in between: the hour is as many moves.
"""

from __future__ import annotations

import asyncio
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.crowd import READY_WITHIN, Bench, Crowd, playing, with_bots
from benchmarks.filling import begun_at, change, game_of, host_on, moved, sqlite
from benchmarks.measure import Length
from matches.api import Status

TEN_MINUTES, HOUR = 600, 3600
"""So many moves are made by then."""

CEILING: Final = 1.05
"""The most memory after an hour, as a multiple of that after ten minutes."""

TABLES: Final = 120
PLAYED: Final = 200
"""A table has made fewer moves than this before, over several matches if they are short."""

STEP: Final = 6
"""How many tables make a move at the same time."""


def run(length: Length) -> bool:
    """Print the memory at each of these times. Returns whether it stays where it is."""

    async def measured(bench: Bench) -> None:
        whole = TABLES, PLAYED, TEN_MINUTES, HOUR
        tables, most, *times = length.of(whole, whole, (STEP, 2, 1, STEP))
        played = bench.folder / "played.db"
        await fill(played, tables, most)
        bench.report.head("", "moves", "begun", "MB", "times as much")
        async with bench.crowd("bot", played, playing(tables)) as crowd:
            await measure(bench, crowd, times)

    return with_bots(length, measured)


async def measure(bench: Bench, crowd: Crowd, times: list[int]) -> None:
    """Let the tables play until each of these numbers of moves is made, and print the memory."""
    turns, begun, first = cycle(crowd.tables.items()), 0, 0
    for moves in times:
        while crowd.made.total() < moves:
            some = [next(turns) for _ in range(STEP)]
            over = [(number, table) for number, table in some if table.over]
            await asyncio.gather(*(table.begin(game_of(number)) for number, table in over))
            begun += len(over)
            await asyncio.gather(*(crowd.take_turn(*each) for each in some))
            # These pictures are in the memory of this process, which stands in for Discord.
            crowd.discord.world.cdn.clear()
        await crowd.discord.until(lambda: crowd.asked("SELECT count(*) FROM outbox") == 0, READY_WITHIN)
        memory = crowd.used().memory
        first = first or memory
        made = f"{crowd.made.total()}", f"{begun}", f"{memory / 1e6:.0f}", f"{memory / first:.2f}"
        bench.report.row(f"after {moves} moves", *made, kept=memory <= CEILING * first)


async def fill(file: Path, tables: int, most: int) -> None:
    """Make fewer than `most` moves at each table, in one match after the other. Nothing is left to tell of the past."""
    async with host_on(sqlite(file), "tables of the benchmark memory") as (_, host, rng):
        for number in range(1, tables + 1):
            match = await begun_at(host, number)
            for _ in range(Random(number).randrange(most)):
                if match.status is not Status.RUNNING:
                    match = await begun_at(host, number)
                match = await moved(host, match, rng)
            if match.status is not Status.RUNNING:
                await begun_at(host, number)
    last = "(SELECT ply FROM matches WHERE id = match_id AND status = 'running')"
    change(file, f"DELETE FROM outbox WHERE ply IS NOT {last}")
