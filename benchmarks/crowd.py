"""Bots under load, the people who play on them over the wire, and what that costs."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter, time
from typing import Final, NamedTuple

from benchmarks.filling import game_of, players_of, sqlite
from benchmarks.measure import Length, Report, quantile_of
from tests.wire.bot_process import BotProcess, Nursery, children
from tests.wire.discord_standin import Answer, Channel, Discord, Message, Request, Unanswered
from tests.wire.table import DEALT, Table, is_panel, tidies

MOVES, DEALS, TIDYING, LOOKS = "moves", "deals", "tidying", "looks"
"""What a counted request is for; see `Crowd.counted`."""

MEMBER: Final = "/guilds/{guild_id}/members/{user_id}"

DRAWING, LOOP, STORE, REST = PLACES = ("drawing", "event loop", "store", "rest")
"""Where a bot uses the processor: in its process that draws and the threads that draw before there is one, in its main
thread, in the threads of the store, and elsewhere."""

_THREADS: Final = {"asyncio_": DRAWING, "ambit-": STORE}
"""By the first letters of a thread's name (`benchmarks.measured_bot`), what it does for a bot without computers."""

READY_WITHIN: Final = 180.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Usage(NamedTuple):
    """What processes use: CPU seconds so far, and bytes of memory now."""

    seconds: float
    memory: int


def usage(pid: int, *, buried: bool = False) -> Usage:
    """The usage of a process and its descendants; with `buried` also of descendants that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    times = fields[11:15] if buried else fields[11:13]
    own = Usage(sum(map(int, times)) / _TICKS, pages * os.sysconf("SC_PAGE_SIZE"))
    used = [own, *(usage(child, buried=buried) for child in children(pid))]
    return Usage(sum(each.seconds for each in used), sum(each.memory for each in used))


def processor(pid: int) -> Counter[str]:
    """The CPU milliseconds so far of a bot without computers, by `PLACES`."""
    used = Counter({DRAWING: sum(round(1e3 * usage(child).seconds) for child in children(pid))})
    for thread in Path(f"/proc/{pid}/task").iterdir():
        name, _, fields = (thread / "stat").read_text().partition("(")[2].rpartition(")")
        main = thread.name == str(pid)
        place = LOOP if main else next((_THREADS[each] for each in _THREADS if name.startswith(each)), REST)
        used[place] += sum(map(int, fields.split()[11:13])) * 1000 // _TICKS
    return used


@dataclass(frozen=True)
class Round:
    """The moves that a crowd made in this many seconds, by game (`made`), and what they cost.

    `processor` are the CPU milliseconds by `PLACES`, `writing` the transactions that write (counted only for an SQLite
    file), `uploaded` the bytes of pictures.
    """

    made: Counter[str]
    seconds: float
    processor: Counter[str]
    statements: int
    transactions: int
    writing: int
    uploaded: int
    waits: tuple[float, ...]
    """Seconds until each press was acknowledged."""

    @property
    def moves(self) -> int:
        """Moves of all games."""
        return self.made.total()

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    @property
    def milliseconds(self) -> float:
        """CPU milliseconds of a move."""
        return self.processor.total() / self.moves


@dataclass
class Crowd:
    """A running bot, and the tables that play on it."""

    discord: Discord
    bot: BotProcess
    tables: dict[int, Table]
    """Tables by the number of their match."""

    made: Counter[str] = field(default_factory=Counter)
    """Moves made so far, by game."""

    patience: float = READY_WITHIN
    """Seconds to wait for a board after **Confirm**. A person then starts their turn again, and also after a press that
    isn't answered in time. With the default, both are errors."""
    again: int = 0
    """How often a person started their turn again, because the store was too busy."""

    async def move_once(self) -> None:
        """Let every table make one move and see its board."""
        await asyncio.gather(*(self.take_turn(*each) for each in self.tables.items()))

    async def settled(self) -> None:
        """Wait until nothing in the outbox of the bot's file is due."""
        due = "SELECT count(*) FROM outbox WHERE due <= {:.0f}"
        await self.discord.until(lambda: self.asked(due.format(1e6 * time())) == 0, READY_WITHIN)

    def asked(self, query: str) -> int:
        """Query one number from the bot's file."""
        with closing(sqlite3.connect(f"file:{self.bot.database}?mode=ro", uri=True)) as connection:
            return int(connection.execute(query).fetchone()[0] or 0)

    async def play(self, seconds: float, pace: float = 0.0) -> None:
        """Let all tables play at once until the time is up. Each makes at least one move, and finishes its last one.

        With a `pace`, each makes at most one move in that many seconds, and the tables don't all move together.
        """
        begun = perf_counter()
        first = {number: pace * place / len(self.tables) for place, number in enumerate(self.tables)}
        turns = (self._play(*each, begun + first[each[0]], begun + seconds, pace) for each in self.tables.items())
        await asyncio.gather(*turns)

    async def _play(self, number: int, table: Table, next_turn: float, end: float, pace: float) -> None:
        now = next_turn
        while max(now, next_turn) < end and not table.over:
            await asyncio.sleep(next_turn - perf_counter())
            next_turn += pace
            await self.take_turn(number, table)
            now = perf_counter()

    async def take_turn(self, number: int, table: Table) -> None:
        """Make one turn by the panel and wait for its board. Every **Confirm** of the turn counts as a move."""
        board = await table.called(READY_WITHIN)
        person = table.mover()
        if person is None:
            return
        before, shown = len(table.answers), table.shown()
        try:
            await table.move_by_panel(person, board)
            await self.discord.until(lambda: table.shown() != shown, self.patience, place=table.channel)
        except (TimeoutError, Unanswered):
            if self.patience == READY_WITHIN:
                raise
            self.again += 1
            return
        pressed = [answer.interaction.data["custom_id"] for answer in table.answers[before:]]
        self.made[game_of(number)] += sum(custom_id.startswith("b:confirm:") for custom_id in pressed)

    async def round(self, seconds: float) -> Round:
        """Let all tables play for this many seconds. Returns their moves and what they cost."""
        made, waits, stored, uploaded = self.made.copy(), len(self.waits()), self.stored(), self.uploaded()
        used, begun = processor(self.bot.pid), perf_counter()
        await self.play(seconds)
        passed, after = perf_counter() - begun, processor(self.bot.pid)
        statements, transactions, writing = (now - then for now, then in zip(self.stored(), stored, strict=True))
        return Round(
            self.made - made,
            passed,
            after - used,
            statements,
            transactions,
            writing,
            self.uploaded() - uploaded,
            tuple(self.waits()[waits:]),
        )

    async def panels(self) -> list[tuple[Table, Message]]:
        """Take every unfinished table to the panel with **Confirm** under it. Returns these panels."""

        async def one(table: Table) -> tuple[Table, Message] | None:
            board, person = await table.called(READY_WITHIN), table.mover()
            # A table whose last action was offered too long ago ends when the bot starts.
            return None if person is None else (table, await table.panel_before_confirm(person, board))

        taken = await asyncio.gather(*(one(table) for table in self.tables.values() if not table.over))
        return [each for each in taken if each is not None]

    async def confirm_at_once(self, panels: Sequence[tuple[Table, Message]]) -> list[Answer]:
        """Press **Confirm** on all panels in the same moment. Returns the answers once all boards are there."""

        async def one(table: Table, panel: Message) -> Answer:
            shown, person = table.shown(), table.mover()
            assert person is not None
            answer = await person.press(panel, "Confirm")
            if not chosen_further(answer):
                await self.discord.until(lambda: table.shown() != shown, READY_WITHIN, place=table.channel)
            return answer

        return list(await asyncio.gather(*(one(*each) for each in panels)))

    def post(self, place: Channel, label: str, custom_id: str) -> Message:
        """Post a message of the bot with one button under it."""
        button = {"type": 2, "style": 2, "label": label, "custom_id": custom_id}
        return self.discord.world.post(place, {"components": [{"type": 1, "components": [button]}]}, [])

    def used(self) -> Usage:
        """The usage of the bot and its descendants."""
        return usage(self.bot.pid)

    def waits(self) -> list[float]:
        """The seconds that each acknowledgement so far has taken."""
        return [each.waited for each in self.discord.world.interactions.values() if each.acknowledged is not None]

    def stored(self) -> tuple[int, int, int]:
        """How many statements, transactions, and transactions that write the bot has executed."""
        counts = (self.bot.folder / f"{self.bot.name}.statements").read_bytes()
        statements, transactions, writing = (int.from_bytes(counts[at : at + 8], sys.byteorder) for at in (0, 8, 16))
        return statements, transactions, writing

    def uploaded(self) -> int:
        """The bytes of all pictures that the bots have sent."""
        return sum(map(len, self.discord.world.cdn.values()))

    def noted(self) -> list[float]:
        """The milliseconds that the bot has noted since the last call (``BENCH_NOTE`` of `benchmarks.measured_bot`)."""
        notes = self.bot.folder / f"{self.bot.name}.notes"
        text = notes.read_text() if notes.exists() else ""
        notes.write_text("")
        return [float(line) for line in text.splitlines()]

    def counted(self) -> Counter[tuple[str, str]]:
        """The requests so far that count against the bot's 50 a second, by game and by purpose.

        `MOVES`: a board, a call, or the hand of the player whose turn it is. `DEALS`: the hand of another player.
        `TIDYING`: an old message loses its buttons, is deleted, or says that a turn is over. `LOOKS`, without a game:
        the bot looks whether somebody is still on the server.
        """
        games = {
            str(place.id): game_of(number)
            for number, table in self.tables.items()
            for place in (table.channel, *(person.dm for person in table.people))
        }
        asked = Counter(
            (games[place], _purpose(request))
            for request in self.discord.requests
            if request.counted and (place := request.values.get("channel_id", "")) in games
        )
        looks = sum(each.method == "GET" and each.path == MEMBER for each in self.discord.requests)
        return asked + Counter({("", LOOKS): looks})


def _purpose(request: Request) -> str:
    if tidies(request):
        return TIDYING
    return DEALS if DEALT in str(request.body.get("content")) else MOVES


def chosen_further(answer: Answer) -> bool:
    """Whether the person's turn goes on, so that no board follows."""
    return is_panel(answer.message)


@dataclass(frozen=True)
class Bench:
    """What every measurement with bots needs: their nursery, a folder, the length of the run, and the report."""

    nursery: Nursery
    folder: Path
    length: Length
    report: Report

    @asynccontextmanager
    async def crowd(
        self,
        name: str,
        file: Path,
        tables: Mapping[int, int],
        *,
        url: str | None = None,
        orders: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Crowd]:
        """Start a bot on a copy of the file, or on the store at `url`. `tables`: by number, how many people sit there.

        `name` names a new folder. `orders` are environment variables for `benchmarks.measured_bot`.
        """
        folder = self.folder / name
        await asyncio.to_thread(folder.mkdir)
        async with Discord() as discord:
            seated = {number: Table.of(discord, people, number=number) for number, people in tables.items()}
            bot = BotProcess(discord, folder, self.nursery, AMBIT_LOG_LEVEL="ERROR")
            bot.settings |= {"AMBIT_DATABASE": url or sqlite(bot.database), **(orders or {})}
            await asyncio.to_thread(shutil.copy, file, bot.database)
            try:
                await bot.start()
                yield Crowd(discord, bot, seated)
                assert discord.violations == []
                assert bot.complaints() == [], bot.log()
            finally:
                await bot.close()


def with_bots(length: Length, measure: Callable[[Bench], Awaitable[None]]) -> bool:
    """Measure with a nursery for bots and a temporary folder. Returns whether every figure kept its floor."""

    async def measured(folder: Path) -> bool:
        bench = Bench(Nursery("-m", "benchmarks.measured_bot", "--nursery"), folder, length, Report(length))
        try:
            await measure(bench)
        finally:
            bench.nursery.close()
        return bench.report.kept

    with tempfile.TemporaryDirectory(prefix="ambit-bench-") as folder:
        return asyncio.run(measured(Path(folder)))


def playing(count: int) -> dict[int, int]:
    """The numbers of players of the first `count` matches that `fill` makes."""
    return {number: players_of(number) for number in range(1, count + 1)}


def percentiles(waits: Sequence[float]) -> tuple[float, float]:
    """The median and the 99th percentile of waits in seconds, in milliseconds."""
    return 1e3 * quantile_of(waits, 50), 1e3 * quantile_of(waits, 99)


def ratio(new: Sequence[Round], old: Sequence[Round], figure: Callable[[Round], float]) -> float:
    """The median over the rounds of a `figure` of `new` divided by that of `old` in the same round."""
    return median(figure(mine) / figure(theirs) for mine, theirs in zip(new, old, strict=True))
