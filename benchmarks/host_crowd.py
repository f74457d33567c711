"""The people and matches of the benchmark ``host``: files full of matches, and tables that play them over the wire."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any, Final, NamedTuple

from db import Database
from games import GAMES
from matches.api import Host, Status
from tests.wire.bot_process import BotProcess, Nursery, children
from tests.wire.discord_standin import Answer, Discord, Message, Unanswered
from tests.wire.stored import Stored, begun
from tests.wire.table import Table

KEYS: Final = tuple(GAMES)
PLAYERS: Final = 4
"""How many play each match, where so many can."""

PLAYED: Final = range(4, 13)
"""Moves that have been made in the matches when the bot starts."""

OF_A_MATCH: Final = ("seats", "log", "outbox", "deadlines")
SHIFT: Final = 22
"""The ids of table number n are those of number 1, moved on by (n - 1) << 22."""

DEALT: Final = "the cards have been dealt"
"""What everybody is told in private when a round begins, and at no other time."""

READY_WITHIN: Final = 180.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def game_of(number: int) -> str:
    """The game of match number `number`: all games by turns."""
    return KEYS[(number - 1) % len(KEYS)]


def players_of(number: int) -> int:
    """How many play it."""
    info = GAMES[game_of(number)].info
    return min(max(PLAYERS, info.min_players), info.max_players)


async def fill(file: Path, count: int) -> None:
    """Matches 1 to `count`, each somewhere in its first third; only its last board and hand are left to be told."""
    rng = random.Random("matches of the benchmark host")
    nowhere = Discord()
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        host = Host(database, entropy=rng.randbytes)
        for number in range(1, count + 1):
            match = await begun(host, Table.of(nowhere, players_of(number), number=number), game_of(number))
            assert match.id == number
            left = rng.choice(PLAYED)
            while left and match.status is Status.RUNNING and match.mover is not None:
                user_id = match.mover.user_id
                assert user_id is not None
                view = await host.look.view(match.id, user_id)
                match = await host.play.act(match.id, user_id, rng.choice(view.moves).text)
                left -= 1
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM outbox WHERE ply < (SELECT ply FROM matches WHERE id = match_id)")
        connection.commit()


def copy_on(file: Path, count: int, to_tell: int) -> None:
    """Add copies of the matches, each with a channel and people of its own, until there are `count`.

    Those up to number `to_tell` have their board and hand still to be told, as the first ones have.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        matches = connection.execute("SELECT id FROM matches").fetchall()
        for table in ("matches", *OF_A_MATCH):
            rows = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
            names = [name for name in rows[0] if (table, name) != ("outbox", "id")]
            statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
            most = to_tell if table == "outbox" else count
            for first in range(len(matches), most, len(matches)):
                copies = (_moved(row, first) for row in rows if _number(row) + first <= most)
                connection.executemany(statement, [[row[name] for name in names] for row in copies])
        connection.commit()


def _number(row: dict[str, Any]) -> int:
    return int(row["match_id"] if "match_id" in row else row["id"])


def _moved(row: dict[str, object], by: int) -> dict[str, object]:
    """The row of a match, as that of the match so many numbers on."""
    moved = dict(row)
    for name, step in (("id", by), ("match_id", by)):
        if name in row:
            moved[name] = int(str(row[name])) + step
    for name in ("host_id", "user_id", "guild_id", "channel_id"):
        if row.get(name) is not None:
            moved[name] = int(str(row[name])) + (by << SHIFT)
    return moved


def nothing_to_tell(file: Path) -> None:
    """Everything of these matches has been told."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DELETE FROM outbox")
        connection.commit()


class Usage(NamedTuple):
    """What processes have used: seconds of processors, and bytes of memory that they hold now."""

    seconds: float
    memory: int


def usage(pid: int, *, buried: bool = False) -> Usage:
    """Of a process and of those that it has started, read from the system; with `buried` also of those that ended."""
    fields = _stat(pid)
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    times = fields[11:15] if buried else fields[11:13]
    used = [Usage(sum(map(int, times)) / _TICKS, pages * os.sysconf("SC_PAGE_SIZE"))]
    used += (usage(child, buried=buried) for child in children(pid))
    return Usage(sum(each.seconds for each in used), sum(each.memory for each in used))


def parent(pid: int) -> int:
    """The number of the process that has started this one."""
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Asked(NamedTuple):
    """Requests: for moves (the board, and whose turn it is his hand), and for deals (everybody's new cards)."""

    moves: int
    deals: int


@dataclass
class Crowd:
    """A running bot, or several processes of it, and the tables that play on it."""

    discord: Discord
    bots: list[BotProcess]
    tables: dict[int, Table]
    """By the number of the match."""

    made: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KEYS, 0))
    """Moves made so far, by game."""

    patience: float = READY_WITHIN
    """So many seconds after **Confirm** somebody whose move has made no board begins again, and also where a press is
    not answered in time; by default neither may happen."""
    again: int = 0
    """How often somebody has begun again: people are told where the store can take nothing more."""

    @property
    def bot(self) -> BotProcess:
        """The first process, or the only one."""
        return self.bots[0]

    async def ready(self) -> None:
        """Everybody has his board."""
        await self.discord.until(
            lambda: all(table.latest() is not None for table in self.tables.values()), READY_WITHIN
        )

    async def once(self) -> None:
        """Every table makes one move, and all of it has been told."""
        await self.move_once()
        await self.settled()

    async def move_once(self) -> None:
        """Every table makes one move, and sees it."""
        await asyncio.gather(*(self._one_turn(*each) for each in self.tables.items()))

    async def settled(self) -> None:
        """Everything has been told, by a bot with a file."""
        stored = Stored(self.bot.database)
        await self.discord.until(lambda: not stored.rows("SELECT 1 FROM outbox LIMIT 1"), READY_WITHIN)

    async def play(self, seconds: float, pace: float = 0.0) -> None:
        """All tables play at once until the time is up, and each finishes its move.

        With a `pace` of so many seconds each makes at most one move in that time, and not all of them together.
        """
        begun = perf_counter()
        first = {number: pace * place / len(self.tables) for place, number in enumerate(self.tables)}
        turns = (self._play(*each, begun + first[each[0]], begun + seconds, pace) for each in self.tables.items())
        await asyncio.gather(*turns)

    async def _play(self, number: int, table: Table, next_turn: float, end: float, pace: float) -> None:
        while max(perf_counter(), next_turn) < end and not table.over:
            await asyncio.sleep(next_turn - perf_counter())
            next_turn += pace
            await self._one_turn(number, table)

    async def _one_turn(self, number: int, table: Table) -> None:
        """One move by the panel, told to the table; a turn of several steps counts as the moves that it is."""
        board = await table.called(READY_WITHIN)
        person = table.on_turn()
        if person is None:
            return
        before = len(table.answers)
        try:
            await table.move_by_panel(person, board)
            await self.discord.until(lambda: table.latest() is not board, self.patience, place=table.channel)
        except (TimeoutError, Unanswered):
            if self.patience == READY_WITHIN:
                raise
            self.again += 1
            return
        pressed = [answer.interaction.data["custom_id"] for answer in table.answers[before:]]
        self.made[game_of(number)] += sum(custom_id.startswith("b:confirm:") for custom_id in pressed)

    async def panels(self) -> list[tuple[Table, Message]]:
        """Every table's panel with **Confirm** under it."""

        async def one(table: Table) -> tuple[Table, Message]:
            board, person = await table.called(READY_WITHIN), table.on_turn()
            assert person is not None
            return table, await table.panel_before_confirm(person, board)

        return list(await asyncio.gather(*(one(table) for table in self.tables.values() if not table.over)))

    async def confirm_at_once(self, panels: Sequence[tuple[Table, Message]]) -> list[Answer]:
        """Everybody presses **Confirm** in the same moment; the answers, once all boards are there, too."""

        async def one(table: Table, panel: Message) -> Answer:
            board, person = table.latest(), table.on_turn()
            assert person is not None
            answer = await person.press(panel, "Confirm")
            if not chosen_further(answer):
                await self.discord.until(lambda: table.latest() is not board, READY_WITHIN, place=table.channel)
            return answer

        return list(await asyncio.gather(*(one(*each) for each in panels)))

    def waits(self) -> list[float]:
        """How many seconds people have waited for every acknowledgement so far."""
        return [each.waited for each in self.discord.world.interactions.values() if each.acknowledged is not None]

    def statements(self) -> int:
        """How many statements the bots have made, that were told to count them."""
        return sum(int.from_bytes(_statements(bot).read_bytes(), sys.byteorder) for bot in self.bots)

    def counted(self) -> dict[str, Asked]:
        """Requests so far that count against the bot's 50 a second, by game."""
        places: dict[str, str] = {}
        for number, table in self.tables.items():
            for place in (table.channel, *(person.dm for person in table.people)):
                places[str(place.id)] = game_of(number)
        found = dict.fromkeys(KEYS, Asked(0, 0))
        for request in self.discord.requests:
            whose = places.get(request.values.get("channel_id", ""))
            if request.counted and whose is not None:
                moves, deals = found[whose]
                deal = DEALT in str(request.body.get("content"))
                found[whose] = Asked(moves + (not deal), deals + deal)
        return found


def chosen_further(answer: Answer) -> bool:
    """Whether the person is still in his turn, so that no board follows."""
    return answer.message is not None and "your move" in answer.message.content


def _statements(bot: BotProcess) -> Path:
    return bot.folder / f"{bot.name}.statements"


def with_bots(measured: Callable[[Nursery, Path], Awaitable[bool]]) -> bool:
    """What is measured where bots can be started, in a folder of its own; both are gone afterwards."""

    async def measure(folder: Path) -> bool:
        nursery = Nursery("-m", "benchmarks.host_bot", "--nursery")
        try:
            return await measured(nursery, folder)
        finally:
            nursery.close()

    with tempfile.TemporaryDirectory(prefix="ambit-bench-") as folder:
        return asyncio.run(measure(Path(folder)))


@asynccontextmanager
async def crowd(
    nursery: Nursery,
    folder: Path,
    file: Path,
    count: int,
    *,
    plain: bool = False,
    url: str | None = None,
    processes: int = 1,
    **ways: str,
) -> AsyncIterator[Crowd]:
    """A bot on a copy of the file, or on the store at `url`, and tables for its first `count` matches.

    It has posted their boards. Several `processes` have a shard each. `ways` are further orders to
    `benchmarks.host_bot`.
    """
    await asyncio.to_thread(folder.mkdir)
    if plain:
        ways["BENCH_PLAIN"] = "yes"
    async with Discord(shards=processes) as discord:
        tables = {number: Table.of(discord, players_of(number), number=number) for number in range(1, count + 1)}
        bots = []
        for number in range(processes):
            bot = BotProcess(discord, folder, nursery, name=f"bot{number}")
            bot.settings |= ways | {"AMBIT_LOG_LEVEL": "ERROR", "BENCH_STATEMENTS": str(_statements(bot))}
            if processes > 1:
                bot.settings |= {"AMBIT_SHARD_COUNT": str(processes), "AMBIT_SHARD_IDS": str(number)}
            if url is not None:
                bot.settings["AMBIT_DATABASE"] = url
            bots.append(bot)
        if url is None:
            shutil.copy(file, bots[0].database)
        try:
            for bot in bots:
                await bot.start()
            made = Crowd(discord, bots, tables)
            await made.ready()
            yield made
            assert discord.violations == []
            for bot in bots:
                assert bot.complaints() == [], bot.log()
        finally:
            for bot in bots:
                await bot.close()


def percentiles(waits: Sequence[float]) -> tuple[float, float]:
    """The median and the hundredth that waited longest, in milliseconds."""
    return 1e3 * quantile_of(waits, 50), 1e3 * quantile_of(waits, 99)


def quantile_of(waits: Sequence[float], part: int) -> float:
    """What `part` of 100 have waited at most."""
    return quantiles(waits, n=100, method="inclusive")[part - 1]
