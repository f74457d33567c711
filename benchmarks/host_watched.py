"""Thirty tables without people, and what somebody who plays a computer at another table notices of them.

Fifteen people on three servers have two such tables each, which is as many as they may. The bot runs with and without
them by turns, each time on a new copy of a file with the same matches of one person against a computer. That person
hears its decisions at once instead of after whole seconds, which would hide how long they took; the computers at the
thirty tables take their seconds, as always.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks.host_crowd import KEYS, READY_WITHIN, chosen_further, nothing_to_tell, quantile_of
from benchmarks.measure import UNDER
from db import Database
from matches.api import Host, Match, NewMatch, Status, UserId
from matches.api import Person as Player
from matches.computers.levels import Level
from matches.computers.thinking import levels_of
from matches.table.limits import WATCHED_TABLES
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord, Message
from tests.wire.stored import Stored
from tests.wire.table import Table

CEILING: Final = 1.5
"""How long 95 of 100 answers take beside the thirty, as a multiple of those without them."""

SERVERS: Final = 3
HOSTS: Final = 5
"""People on each of the servers who watch."""

MATCHES: Final = 4
"""Of the one person, played one after the other."""

ROUNDS: Final = {False: 5, True: 2}
SECONDS: Final = 15.0
"""How long a round lasts, with and without the thirty."""

ANSWERS: Final = 12
"""So often the computer answers at least in a round."""

LONGEST: Final = 60.0
"""So long a board is waited for, and no longer."""

_OF_A_PERSON: Final = range(1, 1 + MATCHES)
_SERVERS: Final = range(1 + MATCHES, 1 + MATCHES + SERVERS)


@dataclass
class _Watched:
    """A running bot, and the matches of the one person; `waits` are seconds from **Confirm** to the board."""

    discord: Discord
    bot: BotProcess
    tables: list[Table]
    waits: list[float] = field(default_factory=list)

    async def ready(self) -> None:
        """Everything is at work: the first moves, which start processes and fill caches, are not counted."""
        await self._turn(self.tables[-1])
        self.waits.clear()

    async def play(self) -> None:
        """The person plays until the time is up and the computer has answered often enough."""
        end = perf_counter() + SECONDS
        for table in self.tables:
            while not table.over and (now := perf_counter()) < end + LONGEST:
                if now > end and len(self.waits) >= ANSWERS:
                    return
                await self._turn(table)

    async def _turn(self, table: Table) -> None:
        """One move, and the board on which the computer has answered."""
        board = await table.called(READY_WITHIN)
        person = table.on_turn()
        if person is None:
            return
        panel = await table.panel_before_confirm(person, board)
        confirmed = perf_counter()
        if not chosen_further(await person.press(panel, "Confirm")):
            await self.discord.until(lambda: _called_again(table, board), LONGEST, place=table.channel)
            self.waits.append(perf_counter() - confirmed)

    def plies(self) -> int:
        """How many lines the matches without people have."""
        rows = Stored(self.bot.database).rows("SELECT SUM(ply) AS plies FROM matches WHERE id > ?", MATCHES)
        return int(rows[0]["plies"] or 0)


def _called_again(table: Table, board: Message) -> bool:
    return table.latest() is not board and (table.over or table.on_turn() is not None)


async def measured(nursery: Nursery, folder: Path, quick: bool) -> bool:
    """Print the table; whether the figure keeps its ceiling."""
    files = {False: folder / "alone.db", True: folder / "watched.db"}
    await _fill(files[False])
    await asyncio.to_thread(shutil.copy, files[False], files[True])
    await _add_watched(files[True])
    waits: dict[bool, list[float]] = {False: [], True: []}
    moves, seconds = 0, 0.0
    for number in range(ROUNDS[quick]):
        for beside, file in files.items():
            async with _watched(nursery, folder / f"watched{number}{beside}", file) as some:
                before, begun = some.plies(), perf_counter()
                await some.play()
                if beside:
                    moves, seconds = moves + some.plies() - before, seconds + perf_counter() - begun
                waits[beside] += some.waits
    tables = SERVERS * HOSTS * WATCHED_TABLES
    print(f"\n{f'Beside {tables} tables without people':34}{'alone ms':>9}{'beside ms':>15}{'share':>17}{'ceiling':>9}")
    kept = True
    for what, part, ceiling in (("p50", 50, None), ("p95", 95, CEILING)):
        alone, beside_them = (quantile_of(waits[beside], part) for beside in (False, True))
        low = ceiling is not None and beside_them / alone > ceiling
        kept = kept and not low
        print(
            f"{f'a computer answers, {what}':34}{1e3 * alone:9.0f}{1e3 * beside_them:15.0f}{beside_them / alone:17.2f}"
            f"{'' if ceiling is None else f'{ceiling:9.1f}'}{f'  {UNDER}' if low else ''}"
        )
    print(f"{'answers':34}{len(waits[False]):9}{len(waits[True]):15}")
    print(f"{'moves a second of the others':34}{'':9}{moves / seconds:15.1f}")
    return kept


async def _fill(file: Path) -> None:
    """The matches of the one person against a computer that thinks for a third of a second."""
    rng, nowhere = random.Random("somebody beside tables without people"), Discord()
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        host = Host(database, entropy=rng.randbytes)
        for number in _OF_A_PERSON:
            table = Table.of(nowhere, 1, number=number)
            (person,) = table.people
            request = NewMatch("gambo", table.channel.id, guild_id=table.channel.guild_id)
            match = await host.lobby.open(request, Player(UserId(person.id), person.user.global_name or ""))
            match = await host.lobby.add_computer(match.id, UserId(person.id), Level.NORMAL)
            assert (match.id, match.status) == (number, Status.RUNNING)


async def _add_watched(file: Path) -> None:
    """As many tables without people as the people may have: of all games by turns, weak and strong ones."""
    rng, nowhere = random.Random("tables without people"), Discord()
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        host = Host(database, entropy=rng.randbytes)
        for number in _SERVERS:
            table = Table.of(nowhere, HOSTS, number=number)
            for place, person in enumerate(table.people * WATCHED_TABLES):
                player = Player(UserId(person.id), person.user.global_name or "")
                await _started(host, table, player, KEYS[place % len(KEYS)], strong=bool(place // len(KEYS)))
    nothing_to_tell(file)


async def _started(host: Host, table: Table, player: Player, game: str, *, strong: bool) -> Match:
    match = await host.lobby.open(NewMatch(game, table.channel.id, guild_id=table.channel.guild_id), player)
    match = await host.lobby.watch(match.id, player.user_id)
    level = levels_of(game, match.options)[-1 if strong else 0]
    match = await host.lobby.fill(match.id, player.user_id, level)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, player.user_id)
    assert match.status is Status.RUNNING
    return match


@asynccontextmanager
async def _watched(nursery: Nursery, folder: Path, file: Path) -> AsyncIterator[_Watched]:
    """A bot on a copy of the file, and whoever has to do with it."""
    await asyncio.to_thread(folder.mkdir)
    async with Discord() as discord:
        tables = [Table.of(discord, 1, number=number) for number in _OF_A_PERSON]
        for number in _SERVERS:
            Table.of(discord, HOSTS, number=number)
        bot = BotProcess(discord, folder, nursery, AMBIT_LOG_LEVEL="ERROR", BENCH_AT_ONCE="people")
        await asyncio.to_thread(shutil.copy, file, bot.database)
        try:
            await bot.start()
            made = _Watched(discord, bot, tables)
            await made.ready()
            yield made
            assert discord.violations == []
            assert bot.complaints() == [], bot.log()
        finally:
            await bot.close()
