"""Fifty people who ask for what takes a processor long, and what everybody else notices of it.

Each of them asks for a hint in a match and for the animation of another one, all in the same moment; together that is
minutes of work. Meanwhile ordinary tables play at an easy pace, and one person plays a computer. The bot runs with and
without the fifty by turns, each time on a new copy of the same file. The computer tells its decisions at once instead
of after whole seconds, which would hide how long they took.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks.host_crowd import (
    KEYS,
    READY_WITHIN,
    SHIFT,
    chosen_further,
    copy_on,
    game_of,
    nothing_to_tell,
    players_of,
)
from benchmarks.measure import UNDER
from db import Database
from matches.api import Host, Match, NewMatch, Status, UserId
from matches.api import Person as Player
from matches.computers.levels import Level
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord, Message, Person
from tests.wire.discord_standin.world import Interaction
from tests.wire.stored import begun
from tests.wire.table import Table

CEILING: Final = 1.5
"""What somebody waits for while the fifty ask, as a multiple of the same without them."""

ASKING: Final = 50
ORDINARY: Final = 5
"""Tables of people, one of each game."""

PAUSE: Final = 0.5
"""Seconds for which people look at a board before they move, where they play each other."""

ROUNDS: Final = {False: 7, True: 3}
SECONDS: Final = 8.0
"""How long a round lasts, with and without the fifty."""

ANSWERS: Final = 6
"""So often a computer answers at least in a round."""

LONGEST: Final = 60.0
"""So long a board is waited for, and no longer."""

PLAYED: Final = 12
"""Moves in the matches in which somebody asks for a hint."""

_OF_PEOPLE: Final = range(2 * ASKING + 1, 2 * ASKING + 1 + ORDINARY)
_OF_A_COMPUTER: Final = 2 * ASKING + 1 + ORDINARY
BOARD, COMPUTER = "a board of people", "a computer's answering board"


@dataclass(frozen=True)
class _Asker:
    """Somebody who asks: for a hint in the match of one number, for the animation of another one."""

    person: Person
    table: Table
    hint: int
    animation: int


@dataclass
class _Crowding:
    """A running bot, those who ask, and those who play; `waits` are seconds from **Confirm** to the board."""

    discord: Discord
    bot: BotProcess
    askers: list[_Asker]
    tables: dict[int, Table]
    waits: dict[str, list[float]] = field(default_factory=lambda: {BOARD: [], COMPUTER: []})
    asked: list[Interaction] = field(default_factory=list)

    async def ready(self) -> None:
        """Everybody who plays has moved once, which is not counted: processes start, and caches fill."""
        await asyncio.gather(*(self._turn(*each) for each in self.tables.items()))
        for waits in self.waits.values():
            waits.clear()

    async def play(self) -> None:
        """All tables play until the time is up and the computer has answered often enough."""
        end = perf_counter() + SECONDS
        await asyncio.gather(*(self._play(*each, end) for each in self.tables.items()))

    async def _play(self, number: int, table: Table, end: float) -> None:
        while not table.over and (now := perf_counter()) < end + LONGEST:
            if now > end and len(self.waits[COMPUTER]) >= ANSWERS:
                return
            await self._turn(number, table)
            if number != _OF_A_COMPUTER:
                await asyncio.sleep(PAUSE)

    async def _turn(self, number: int, table: Table) -> None:
        """One move, and the board after it."""
        board = await table.called(READY_WITHIN)
        person = table.on_turn()
        if person is None:
            return
        panel = await table.panel_before_confirm(person, board)
        confirmed = perf_counter()
        if not chosen_further(await person.press(panel, "Confirm")):
            await self._next(table, board)
            self.waits[COMPUTER if number == _OF_A_COMPUTER else BOARD].append(perf_counter() - confirmed)

    async def _next(self, table: Table, board: Message) -> None:
        """Wait for the board that calls a person again, for `LONGEST` seconds at most."""

        def called() -> bool:
            return table.latest() is not board and (table.over or table.on_turn() is not None)

        with suppress(TimeoutError):
            await self.discord.until(called, LONGEST, place=table.channel)

    async def ask(self) -> None:
        """Everybody asks for a hint and an animation, and reads on."""
        for each in self.askers:
            place, number = each.table.channel, each.animation
            button = {"type": 2, "style": 2, "label": "Animation", "custom_id": f"b:animation:{number}:::"}
            end = self.discord.world.post(place, {"components": [{"type": 1, "components": [button]}]}, [])
            hint = await each.person.command(place, "match hint", how={"wait": False}, match=each.hint)
            animation = await each.person.press(end, "Animation", wait=False)
            self.asked += hint.interaction, animation.interaction

    def answered(self) -> int:
        """How many hints and animations there are by now."""
        answers = [each.channel.messages.get(each.original_id or 0) for each in self.asked]
        return sum(answer is not None and not answer.loading for answer in answers)


async def measured(nursery: Nursery, folder: Path, quick: bool) -> bool:
    """Print the table; whether every figure keeps its ceiling."""
    rounds = ROUNDS[quick]
    file = folder / "crowding.db"
    movers = await _fill(file)
    shares: dict[str, list[float]] = {BOARD: [], COMPUTER: []}
    alone: dict[str, list[float]] = {BOARD: [], COMPUTER: []}
    answered = 0
    for number in range(rounds):
        waits: dict[bool, dict[str, list[float]]] = {}
        for crowded in (False, True):
            async with _crowding(nursery, folder / f"crowding{number}{crowded}", file, movers) as some:
                if crowded:
                    await some.ask()
                await some.play()
                answered += some.answered()
                waits[crowded] = some.waits
        for what, share in shares.items():
            share.append(median(waits[True][what]) / median(waits[False][what]))
            alone[what] += waits[False][what]
    print(f"\n{f'While {ASKING} ask for hint, animation':34}{'alone ms':>9}{'times as long':>15}{'ceiling':>17}")
    kept = True
    for what, share in shares.items():
        low = median(share) > CEILING
        kept = kept and not low
        print(
            f"{what:34}{1e3 * median(alone[what]):9.0f}{median(share):15.2f}{CEILING:17.1f}"
            f"{f'  {UNDER}' if low else ''}"
        )
    print(f"{'answered of them meanwhile':34}{answered / rounds:9.0f}")
    return kept


async def _fill(file: Path) -> dict[int, int]:
    """Matches in which the fifty ask, and those that are played meanwhile; who is on turn, by number of the match.

    Of each ten of the fifty's, five run and five are over, one of each game.
    """
    for attempt in count():
        rng = random.Random(f"matches of people who ask {attempt}")
        movers = await _of_askers(file, rng)
        if len(movers) == len(KEYS):
            break
        # One that was to run on has ended, as one by chance may at any time.
        await asyncio.to_thread(file.unlink)
    _unrated(file)
    copy_on(file, 2 * ASKING, 0)
    movers = {
        number + first: user_id + (first << SHIFT)
        for first in range(0, 2 * ASKING, 2 * len(KEYS))
        for number, user_id in movers.items()
    }
    nothing_to_tell(file)
    nowhere = Discord()
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        host = Host(database, entropy=rng.randbytes)
        for number in _OF_PEOPLE:
            await begun(host, Table.of(nowhere, players_of(number), number=number), game_of(number))
        await _against_a_computer(host, Table.of(nowhere, 1, number=_OF_A_COMPUTER))
    return movers


def _unrated(file: Path) -> None:
    """Nobody is asked before a hint: it costs nothing."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE matches SET rated = 0")
        connection.commit()


async def _of_askers(file: Path, rng: random.Random) -> dict[int, int]:
    """One running match of each game, then one that is over; who is on turn in those that run, by number."""
    nowhere = Discord()
    movers: dict[int, int] = {}
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        host = Host(database, entropy=rng.randbytes)
        for number in range(1, 2 * len(KEYS) + 1):
            table = Table.of(nowhere, players_of(number), number=number)
            match = await begun(host, table, game_of(number))
            over = number > len(KEYS)
            while match.status is Status.RUNNING and (over or match.ply < PLAYED or match.mover is None):
                match = await _moved(host, match, rng)
            if not over and match.mover is not None and match.mover.user_id is not None:
                movers[number] = match.mover.user_id
    return movers


async def _moved(host: Host, match: Match, rng: random.Random) -> Match:
    assert match.mover is not None
    assert match.mover.user_id is not None
    view = await host.look.view(match, match.mover.user_id)
    return await host.play.act(match.id, match.mover.user_id, rng.choice(view.moves).text)


async def _against_a_computer(host: Host, table: Table) -> None:
    """A match of one person and a computer that thinks for a third of a second."""
    (person,) = table.people
    request = NewMatch("gambo", table.channel.id, guild_id=table.channel.guild_id)
    match = await host.lobby.open(request, Player(UserId(person.id), person.user.global_name or ""))
    match = await host.lobby.add_computer(match.id, UserId(person.id), Level.NORMAL)
    assert match.id == _OF_A_COMPUTER
    assert match.status is Status.RUNNING


@asynccontextmanager
async def _crowding(nursery: Nursery, folder: Path, file: Path, movers: Mapping[int, int]) -> AsyncIterator[_Crowding]:
    """A bot on a copy of the file, and everybody who has to do with it."""
    await asyncio.to_thread(folder.mkdir)
    async with Discord() as discord:
        askers = []
        for number, user_id in movers.items():
            table = Table.of(discord, players_of(number), number=number)
            askers.append(_Asker(table.person(user_id), table, number, number + len(KEYS)))
        tables = {number: Table.of(discord, players_of(number), number=number) for number in _OF_PEOPLE}
        tables[_OF_A_COMPUTER] = Table.of(discord, 1, number=_OF_A_COMPUTER)
        bot = BotProcess(discord, folder, nursery, AMBIT_LOG_LEVEL="ERROR", BENCH_AT_ONCE="yes")
        await asyncio.to_thread(shutil.copy, file, bot.database)
        try:
            await bot.start()
            made = _Crowding(discord, bot, askers, tables)
            await made.ready()
            yield made
            assert discord.violations == []
            assert bot.complaints() == [], bot.log()
        finally:
            await bot.close()
