"""What commands cost with very many matches in the store, against the same ones with next to none, by turns.

A person who has played thousands of matches uses the commands on a server where very many were played, and on another
bot whose store holds a handful. The loop's processor time at a stretch is that of the bot's main thread between two
moments at which it could turn to somebody else. Animations and hints are left out: `benchmarks.host_crowding` has them.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from benchmarks.host_crowd import KEYS, copy_on, game_of, nothing_to_tell, percentiles, players_of, with_bots
from benchmarks.measure import UNDER
from db import Database
from db.migrations.versions import v0005_tallies
from games import GAMES
from matches.api import Host, Status
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord
from tests.wire.stored import begun
from tests.wire.table import Table

STRETCH_CEILING: Final = 20.0
"""Milliseconds of the processor that a command may keep the loop from others at a stretch."""

SLOWER_CEILING: Final = 1.5
"""How long the hundredth that waits longest waits, as a multiple of what it waits with next to no matches."""

OURS_OF: Final = 20
"""One finished match in so many is the person's own."""

PLAYERS_KNOWN: Final = 2_000
"""So many times the people of a table have played the others."""

SMALL, LARGE = "small", "large"


@dataclass(frozen=True)
class Size:
    """How many matches the large store holds, and how often every command is used on each in a round."""

    finished: int
    open: int
    times: int


SIZES: Final = {False: Size(100_000, 10_000, 100), True: Size(10_000, 1_000, 40)}
ROUNDS: Final = 3

COMMANDS: Final[dict[str, dict[str, Any]]] = {
    "match stats": {},
    "match stats whose:server": {"whose": "server"},
    "match history": {},
    "match history whose:server": {"whose": "server"},
    "match list": {},
    "match board": {},
    "match log": {},
    "match log match:…": {"match": 0},
    "match verify match:…": {"match": 0},
    "match replay match:…": {"match": 0},
}
"""Commands with their options; a match is one that is over. While the last one is typed there are offers, too."""

TYPING: Final = "match board match:▏"


async def fill(folder: Path, size: Size) -> tuple[Path, Path]:
    """The two files: a match of every game that runs and one that is over; the large one has all the others, too."""
    small, large = folder / "store-small.db", folder / "store-large.db"
    nowhere = Discord()
    rng = random.Random("matches of the benchmark of the store")
    async with await Database.open(f"sqlite+aiosqlite:///{small}") as database:
        host = Host(database, entropy=rng.randbytes)
        for number in range(1, len(KEYS) + 1):
            await begun(host, Table.of(nowhere, players_of(number), number=number), game_of(number))
    shutil.copy(small, large)
    await asyncio.to_thread(copy_on, large, size.open, 0)
    for file in (small, large):
        async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
            host = Host(database, entropy=rng.randbytes)
            for number, game in enumerate(KEYS, 1):
                table = Table.of(nowhere, max(2, GAMES[game].info.min_players), number=1)
                match = await begun(host, table, game)
                while match.status is Status.RUNNING and match.mover is not None:
                    user_id = match.mover.user_id
                    assert user_id is not None, number
                    view = await host.look.view(match.id, user_id)
                    match = await host.play.act(match.id, user_id, rng.choice(view.moves).text)
    await asyncio.to_thread(_finished, large, size.finished)
    for file in (small, large):
        await asyncio.to_thread(_move_to_one_server, file)
        await asyncio.to_thread(nothing_to_tell, file)
    return small, large


def _move_to_one_server(file: Path) -> None:
    """The bot is on the first table's server only, and all matches are played there."""
    with closing(sqlite3.connect(file)) as connection:
        for table in ("matches", "deadlines"):
            connection.execute(f"UPDATE {table} SET guild_id = (SELECT guild_id FROM matches WHERE id = 1)")
        connection.commit()


def _finished(file: Path, count: int) -> None:
    """Copies of the finished matches without their logs: of them nobody looks at more than the result."""
    with closing(sqlite3.connect(file)) as connection:
        first, last = connection.execute("SELECT min(id), max(id) FROM matches WHERE status = 'over'").fetchone()
        each = last - first + 1
        copies = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count // each} - 2)"
        number = f"{{id}} + (n.i + 1) * {each}"
        somebody = f"user_id + CASE WHEN n.i % {OURS_OF} THEN (n.i % {PLAYERS_KNOWN} + 100000) << 22 ELSE 0 END"
        for table, key, changed in (
            ("matches", "id", {"id": number.format(id="id"), "ended_at": "ended_at + n.i"}),
            (
                "seats",
                "match_id",
                {"match_id": number.format(id="match_id"), "ended_at": "ended_at + n.i", "user_id": somebody},
            ),
        ):
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(changed.get(name, name) for name in names)
            connection.execute(
                f"INSERT INTO {table} ({', '.join(names)}) {copies} SELECT {values} FROM {table}, n "
                f"WHERE {key} BETWEEN {first} AND {last}"
            )
        for table in ("player_tallies", "guild_tallies", "guild_player_tallies"):
            connection.execute(f"DELETE FROM {table}")
        for statement in v0005_tallies.COUNTING:
            connection.execute(statement)
        connection.commit()


class Asked:
    """A bot on a store, and a person who uses commands there."""

    def __init__(self, discord: Discord, stretches: Path, over: int) -> None:
        self._table = Table.of(discord, players_of(1), number=1)
        self._stretches = stretches
        self._over = over
        self.waits: dict[str, list[float]] = {}
        self.longest: dict[str, float] = {}

    async def use(self, name: str) -> None:
        """One command, or what is offered while one is typed."""
        person, place = self._table.people[0], self._table.channel
        await asyncio.to_thread(self._stretches.write_text, "")
        begun = perf_counter()
        if name == TYPING:
            await person.complete(place, "match board", "match")
        else:
            options = COMMANDS[name] | ({"match": self._over} if "match" in COMMANDS[name] else {})
            await person.command(place, " ".join(name.split(" ")[:2]), how=None, **options)
        self.waits.setdefault(name, []).append(perf_counter() - begun)
        text = await asyncio.to_thread(self._stretches.read_text)
        longest = max((float(line) for line in text.splitlines()), default=0.0)
        self.longest[name] = max(self.longest.get(name, 0.0), longest)


@asynccontextmanager
async def _asked(nursery: Nursery, folder: Path, file: Path) -> AsyncIterator[Asked]:
    await asyncio.to_thread(folder.mkdir)
    stretches = folder / "stretches"
    with closing(sqlite3.connect(file)) as connection:
        (over,) = connection.execute("SELECT min(id) FROM matches WHERE status = 'over'").fetchone()
    async with Discord() as discord:
        asked = Asked(discord, stretches, over)
        bot = BotProcess(discord, folder, nursery, AMBIT_LOG_LEVEL="ERROR", BENCH_STRETCHES=str(stretches))
        await asyncio.to_thread(file.replace, bot.database)
        try:
            await bot.start()
            yield asked
            assert bot.complaints() == [], bot.log()
        finally:
            await bot.close()


def run(quick: bool) -> bool:
    """Print the rows; whether they keep their floors."""
    return with_bots(lambda nursery, folder: _measured(nursery, folder, quick))


async def _measured(nursery: Nursery, folder: Path, quick: bool) -> bool:
    """Print the rows; whether they keep their ceilings."""
    size = SIZES[quick]
    small, large = await fill(folder, size)
    names = [*COMMANDS, TYPING]
    async with (
        _asked(nursery, folder / "store-small", small) as few,
        _asked(nursery, folder / "store-large", large) as many,
    ):
        for asked in (few, many):
            for name in names:
                await asked.use(name)
        shares: dict[str, list[float]] = {name: [] for name in names}
        waits: dict[str, list[float]] = {name: [] for name in names}
        longest: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(ROUNDS):
            few.waits.clear()
            many.waits.clear()
            many.longest.clear()
            for time in range(size.times):
                for name in names:
                    for asked in (few, many) if time % 2 else (many, few):
                        await asked.use(name)
            for name in names:
                shares[name].append(percentiles(many.waits[name])[1] / percentiles(few.waits[name])[1])
                waits[name] += many.waits[name]
                longest[name].append(many.longest[name])
    print(f"\n{f'{size.finished:,} finished, {size.open:,} open matches':34}{'p50 ms':>9}{'p99 ms':>15}", end="")
    print(f"{'p99/few':>17}{'at a stretch ms':>17}")
    kept = True
    for name in names:
        # What else the bot did meanwhile, which may be the longest of one round, is not the command's.
        (half, most), share, stretch = percentiles(waits[name]), median(shares[name]), median(longest[name])
        low = share > SLOWER_CEILING or stretch > STRETCH_CEILING
        kept = kept and not low
        print(f"{name:34}{half:9.1f}{most:15.1f}{share:17.2f}{stretch:17.1f}{f'  {UNDER}' if low else ''}")
    print(f"{'ceilings':34}{'':24}{SLOWER_CEILING:17.1f}{STRETCH_CEILING:17.0f}")
    return kept
