"""How long the bot's loop is busy at a stretch while it brings tables together from the pledges of one large server.

A thousand people have pledged. In one case they could all play together, and many are asked. In the other, nobody can
play with anybody, because everybody has pledged in a channel of their own. The figure is the longest CPU time of the
loop's thread between two turns of the loop, from reading the pledges until everybody is asked.
"""

from __future__ import annotations

import gc
from datetime import timedelta
from random import Random
from statistics import median
from typing import Final

from benchmarks.crowd import Bench
from benchmarks.filling import host_on, sqlite
from benchmarks.measure import longest_stretch
from db import Connection, Database
from db.model.enums import Pace
from db.model.ids import UserId
from db.pledges import kept as pledges
from db.pledges.rows import PledgeRow
from games import GAMES
from matches.api import Host
from matches.pledges import Pledges

CEILING: Final = 20.0
"""Most milliseconds at a stretch."""

GUILD: Final = 5
HERE: Final = 7
"""The channel in which people pledge in the case in which they could all play together."""


async def measure(bench: Bench) -> None:
    """Print the table."""
    people, rounds = bench.length.of((1_000, 5), (1_000, 1), (20, 1))
    report = bench.report
    report.head(f"Matching the pledges of {people:,} people", "ms", "ceiling", "asked")
    for title, together in (("if they could all play together", True), ("if nobody could play", False)):
        found = [await _matched(bench, people, number, together=together) for number in range(rounds)]
        longest, asked = median(each[0] for each in found), found[0][1]
        report.row(title, f"{longest:.1f}", f"{CEILING:.0f}", f"{asked:,}", kept=longest <= CEILING)


async def _matched(bench: Bench, people: int, seed: int, *, together: bool) -> tuple[float, int]:
    """Return the milliseconds of the longest stretch of one look at the pledges, and how many people are asked then."""
    async with host_on(sqlite(bench.folder / f"pledges{seed}-{together}.db"), "pledging") as (database, host, _):
        await database.write(_put, host, people, Random(seed), together)
        # The bot freezes what it has imported, too. Otherwise the garbage collector would scan all of that meanwhile.
        gc.collect()
        gc.freeze()
        try:
            return 1e3 * await longest_stretch(host.part(Pledges).go_on(GUILD)), await _asked(database)
        finally:
            gc.unfreeze()


def _put(connection: Connection, host: Host, people: int, rng: Random, together: bool) -> None:
    """Store a pledge of each of this many people, for any game, within the last hours."""
    now = host.now()
    for number in range(1, people + 1):
        game = rng.choice(list(GAMES))
        info = GAMES[game].info
        fewest = rng.randint(info.min_players, info.max_players)
        row = PledgeRow(
            name=f"Person {number}",
            channel_id=HERE if together else HERE + number,
            everywhere=together,
            fewest=fewest,
            most=rng.randint(fewest, info.max_players),
            pace=Pace.LIVE,
            near=rng.random() < 0.5,
            since=now - rng.random() * timedelta(hours=6),
            until=now + timedelta(days=2),
        )
        pledges.put(connection, GUILD, UserId(number), game, row)
    pledges.set_next_check(connection, GUILD, now)


async def _asked(database: Database) -> int:
    rows = await database.read(pledges.page, GUILD, (UserId(0), ""), 1_000_000)
    return sum(each.row.gathering is not None for each in rows)
