"""Matches that survive crashes of their bot: prepared almost to their end, then played on while the bot is killed."""

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from db import Database
from games import GAMES
from matches.api import Host, Match, Status, UserId
from tests.store import copied, execute, fresh

from .bot_process import ENTROPY, BotProcess, Nursery
from .discord_standin import Discord, Moment, Spec, Unanswered
from .discord_standin.faults import Request
from .stored import Stored, begun
from .table import Table, chosen

PATIENCE: Final = 20.0
MAX_MOVES: Final = 500


class Kill(NamedTuple):
    """When the bot dies: at its n-th writing commit or its n-th send (before or after it), or after n/100 seconds."""

    what: str
    moment: Moment
    number: int

    def __str__(self) -> str:
        return f"{self.moment} {self.what} {self.number}"


def some_kills(rng: random.Random, count: int) -> list[Kill]:
    """This many crashes at random points."""
    most = {"commit": 24, "send": 14, "time": 100}
    kinds = [rng.choice(sorted(most)) for _ in range(count)]
    return [Kill(kind, rng.choice(list(Moment)), rng.randint(1, most[kind])) for kind in kinds]


@dataclass(frozen=True)
class Course:
    """A match near its end: what to copy, how many people play it, and how it goes undisturbed."""

    game: str
    players: int
    salt: str
    file: Path
    log: str = ""
    knowledge: dict[int | None, Any] = field(default_factory=dict)


async def prepared(folder: Path, game: str, players: int, left: int, salt: str) -> Course:
    """A match with `left` moves to go, played so far by the host alone, as the people would play.

    It is played to its end, and then begun again and played by the same moves. Only news of the last of these moves is
    left to announce.
    """
    moves: list[tuple[UserId, str]] = []
    file = folder / f"{game}.db"
    async with Discord() as nowhere:
        table = Table.of(nowhere, players)
        async with await Database.open(fresh(folder / "played.db")) as database:
            host, match = await _begun(database, table, game)
            while match.status is Status.RUNNING:
                mover = match.mover
                assert mover is not None
                assert mover.user_id is not None
                view = await host.look.view(match.id, mover.user_id)
                moves.append((mover.user_id, chosen([move.text for move in view.moves], salt)))
                match = await host.play.act(match.id, *moves[-1])
        async with await Database.open(fresh(file)) as database:
            host, match = await _begun(database, table, game)
            for move in moves[:-left]:
                await host.play.act(match.id, *move)
    execute(file, "DELETE FROM outbox WHERE ply < (SELECT ply FROM matches)")
    return Course(game, players, salt, file)


async def _begun(database: Database, table: Table, game: str) -> tuple[Host, Match]:
    """A match in this store, dealt like the bot's."""
    host = Host(database, entropy=lambda count: ENTROPY.encode().ljust(count, b"\0")[:count])
    return host, await begun(host, table, game)


@dataclass
class Survival:
    """One match through the crashes of its bot."""

    table: Table
    bot: BotProcess
    kills: list[Kill]
    hands: bool
    died: list[Kill] = field(default_factory=list)
    failed: int = 0
    turns: int = 0

    @property
    def _discord(self) -> Discord:
        return self.table.discord

    async def _next_bot(self) -> None:
        """Start the bot, with orders when and where to die (the last one has none)."""
        kill = self.kills[len(self.died)] if len(self.died) < len(self.kills) else None
        self._discord.faults.clear()
        order = None
        if kill is not None and kill.what == "send":
            self._discord.faults.once(
                kill.moment, lambda _: self.bot.kill(), which=Request.is_send, skip=kill.number - 1
            )
        elif kill is not None and kill.what == "commit":
            order = f"{kill.moment} {kill.number}"
        await self.bot.start(kill=order)
        if kill is not None and kill.what == "time":
            asyncio.get_running_loop().call_later(kill.number / 100, self.bot.kill)

    async def _buried(self) -> None:
        self.died.append(self.kills[len(self.died)])
        await self._next_bot()

    async def play(self) -> None:
        """Play to the end. Raises AssertionError if the table waits for the host, or a living bot doesn't answer."""
        self._discord.impatient = True
        await self._next_bot()
        for _ in range(MAX_MOVES):
            if not self.bot.alive:
                await self._buried()
                continue
            await self._until(lambda: self.table.over or self.table.mover() is not None, "nobody is called")
            if not self.bot.alive:
                continue
            if self.table.over:
                break
            await self._move()
        await self._until(lambda: self.table.over, "the match does not end")
        while not self.bot.alive:
            await self._buried()

    async def settle(self, stored: Stored) -> None:
        """Wait until everything was announced. A bot may die meanwhile, too."""
        while not table_is_told(stored):
            if not self.bot.alive:
                await self._buried()
            await self._until(lambda: table_is_told(stored), "the final board is not noted as told")

    async def _move(self) -> None:
        board, person = self.table.latest(), self.table.on_turn()
        assert board is not None
        self.turns += 1
        if self.hands and self.turns % 2:  # every other time the person is quicker than the bot
            # The move that this board asks for may be stored already, by a bot that died before it announced that.
            table = self.table
            await self._until(
                lambda: table.hand_of(person, board) is not None or table.latest() is not board,
                "the hand does not come",
            )
            if not self.bot.alive or table.latest() is not board:
                return
        try:
            await self.table.move_by_panel(person, board)
        except Unanswered:
            await self._until(lambda: not self._discord.gateway.connected(), "a living bot did not answer")
            await self._until(lambda: not self.bot.alive, "the bot lost its connection")
            self.failed += 1
        else:
            await self._until(lambda: self.table.latest() is not board, "the table waits for the host")

    async def _until(self, sign: Any, complaint: str) -> None:
        """Wait for a sign, or the bot's death."""
        try:
            await self._discord.until(lambda: sign() or not self.bot.alive, PATIENCE)
        except TimeoutError:
            deaths = ", ".join(map(str, self.died))
            raise AssertionError(f"{complaint} (after {deaths or 'no death'})\n{self.bot.log()[-2000:]}") from None


async def survived(
    course: Course, kills: list[Kill], folder: Path, nursery: Nursery, spec: Spec | None
) -> tuple[Survival, str, dict[int | None, Any]]:
    """Play a course through these crashes. Return how it went, the final log, and what everybody knows in the end."""
    async with Discord(spec=spec) as discord:
        bot = BotProcess(discord, folder, nursery)
        copied(course.file, bot.database)
        survival = Survival(
            Table.of(discord, course.players, salt=course.salt), bot, kills, GAMES[course.game].info.hands
        )
        try:
            await survival.play()
            stored = Stored(bot.database)
            await survival.settle(stored)
            survival.table.check_told_once()
            assert discord.violations == []
            assert bot.complaints() == [], bot.log()
            return survival, stored.log(1), await stored.knowledge(1)
        finally:
            await bot.close()


def table_is_told(stored: Stored) -> bool:
    """Whether the final board has been marked as sent."""
    return not [row for row in stored.to_tell(1) if row["kind"] in ("board", "end")]


def players_of(game: str) -> int:
    """The smallest number of players."""
    return GAMES[game].info.min_players
