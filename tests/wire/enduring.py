"""Tables on several bots over one server, whatever happens to bots, server, and the network between them.

An observer asks the server directly and not through the proxy, and so knows what is stored. Bots that have ended are
restarted, as an operator's machine does.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Final, TypeVar

from db import Connection, Database, DatabaseError
from db.matches import log_lines, queries
from games import GAMES
from matches.api import Host, HostError, Match, MatchId, NewMatch, Person, Status, Terms, UserId
from matches.work.unit_of_work import NOT_STORED
from tests.proxy import Proxy

from .bot_process import BotProcess, Nursery
from .discord_standin import Answer, Discord, Message, Spec, Unanswered
from .discord_standin.people import MENU, Impossible, together
from .table import Table, labels

PATIENCE: Final = 90.0
"""Seconds after which a table without progress counts as stuck."""

LONGEST_WAIT: Final = 10.0
"""Seconds after the end of a failure within which everybody has the board that they wait for.

On a busy machine any board takes some seconds, so that is added (`Endurance.expect`).
"""

REFUSALS: Final = ("I can't ", "can't tell", "out of date", "not your turn", "gone on", "rejected my", "went wrong")

T = TypeVar("T")
Log = list[tuple[int, int, str]]


@dataclass
class Ledger:
    """The outcome: nothing may be lost, doubled, denied or wrong."""

    confirmed: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    denied: list[str] = field(default_factory=list)
    """Answers that nothing was changed, although it was."""
    wrong: list[str] = field(default_factory=list)
    """Answers about an error in the program."""
    waits: list[tuple[float, str]] = field(default_factory=list)
    """Seconds that somebody waited while all was well, and what for."""
    refusals: dict[str, int] = field(default_factory=dict)

    @property
    def longest(self) -> float:
        """The longest wait, in seconds."""
        return max((seconds for seconds, _ in self.waits), default=0.0)

    def __str__(self) -> str:
        return (
            f"confirmed {self.confirmed}, lost {len(self.lost)}, doubled {len(self.doubled)}, "
            f"false denials {len(self.denied)}, longest wait {self.longest:.1f} s, refusals {self.refusals}"
        )


class Endurance:
    """The tables, the bots and the proxy; `fail` is held while something is broken."""

    def __init__(self, discord: Discord, bots: list[BotProcess], proxy: Proxy, outside: Database) -> None:
        self.discord, self.bots, self.proxy, self._outside = discord, bots, proxy, outside
        self._host = Host(outside)
        self.ledger = Ledger()
        self.tables: list[Table] = []
        self.deaths = 0
        self._games = cycle(GAMES)
        self._stopping = False
        self._resting: set[BotProcess] = set()
        self._failing = 0
        self._well_since = 0.0
        self._told = (0, 0)
        self._longest = PATIENCE
        self._tasks: list[asyncio.Task[None]] = []

    # Beginning and end.

    async def begin(self, tables: int) -> None:
        """Start the bots, and play at this many tables."""
        for number in range(1, tables + 1):
            self.tables.append(Table.of(self.discord, 3, number=number))
        for bot in self.bots:
            await bot.start()
        self._tasks = [asyncio.create_task(self._keep_up(bot)) for bot in self.bots]
        self._tasks += [asyncio.create_task(self._play(table)) for table in self.tables]

    async def end(self) -> None:
        """Stop playing, and check the confirmed moves once more. Raises what has failed."""
        self._stopping = True
        await asyncio.wait(self._tasks[len(self.bots) :], timeout=2 * PATIENCE)
        for task in self._tasks:
            task.cancel()
        results = await asyncio.gather(*self._tasks, return_exceptions=True)
        errors = [each for each in results if isinstance(each, Exception)]
        if errors:
            raise ExceptionGroup(f"somebody could not play on ({self.ledger})", errors)

    def expect(self) -> None:
        """From now on nobody may wait longer than the longest wait so far while all was well, plus `LONGEST_WAIT`."""
        self._longest = LONGEST_WAIT + self.ledger.longest

    def check(self) -> None:
        """Check that nothing is lost, doubled or wrongly told, no board is there twice, and nobody has
        waited too long.
        """
        found = self.ledger
        assert not found.lost, found.lost
        assert not found.doubled, found.doubled
        assert not found.denied, found.denied
        assert not found.wrong, found.wrong
        for table in self.tables:
            table.check_told_once()
        for bot in self.bots:
            assert bot.complaints() == [], bot.log()
        assert found.longest < self._longest, f"somebody has waited: {found}"
        assert self.discord.violations == []

    def phase(self) -> str:
        """The outcome so far, with the confirmed moves and the longest wait since the last call."""
        confirmed, waits = self._told
        self._told = self.ledger.confirmed, len(self.ledger.waits)
        longest, why = max(self.ledger.waits[waits:], default=(0.0, ""))
        more = self.ledger.confirmed - confirmed
        return f"{more} confirmed, longest wait {longest:.1f} s ({why}); in all: {self.ledger}"

    # Failures.

    @asynccontextmanager
    async def fail(self) -> AsyncIterator[None]:
        """Meanwhile people may be told that something can't be done, and wait."""
        self._failing += 1
        try:
            yield
        finally:
            self._failing -= 1
            self._well_since = asyncio.get_running_loop().time()

    async def pass_time(self, seconds: float) -> None:
        """Let people play for this long."""
        with suppress(TimeoutError):
            await self.discord.until(lambda: any(task.done() for task in self._tasks), seconds)
        self._raise_if_somebody_cannot_play()

    async def go_on(self) -> None:
        """Wait until a move has been made at every table."""
        marks = {id(table): table.moves for table in self.tables}
        await self.discord.until(
            lambda: (
                all(table.moves > marks[id(table)] for table in self.tables) or any(task.done() for task in self._tasks)
            ),
            PATIENCE,
        )
        self._raise_if_somebody_cannot_play()

    def _raise_if_somebody_cannot_play(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    async def kill(self, bot: BotProcess) -> None:
        """Kill a bot. It is restarted."""
        async with self.fail():
            starts = bot.starts
            bot.kill()
            await self.discord.until(lambda: bot.starts > starts, PATIENCE)
            self.deaths += 1
            await self.connected(bot)

    async def rest(self, bots: list[BotProcess]) -> None:
        """Kill these, and don't restart them before `wake`."""
        self._resting.update(bots)
        for bot in bots:
            bot.kill()
            await bot.gone()

    async def wake(self, bots: list[BotProcess]) -> None:
        """Restart them."""
        for bot in bots:
            self._resting.discard(bot)
            await self.connected(bot)

    async def connected(self, bot: BotProcess) -> None:
        """Wait until a bot's shards are on the gateway."""
        shards = {int(each) for each in bot.settings["AMBIT_SHARD_IDS"].split(",")}

        def there() -> bool:
            sessions = self.discord.gateway.sessions.values()
            return shards <= {each.shard[0] for each in sessions if each.connection is not None}

        await self.discord.until(there, PATIENCE)

    async def _keep_up(self, bot: BotProcess) -> None:
        """Restart it whenever it has ended."""
        while not self._stopping:
            if not bot.alive and bot not in self._resting:
                await bot.start(connect=False)
            await self.discord.until(
                lambda: (not bot.alive and bot not in self._resting) or self._stopping, seconds=3600
            )

    # What people do.

    async def _play(self, table: Table) -> None:
        match = await self._begun(table)
        while not self._stopping:
            if table.over and (await self._status(match)) is not Status.RUNNING:
                match = await self._begun(table)
            await self._called(table, match)
            if not table.over and not self._stopping:
                await self._turn(table, match)

    async def _begun(self, table: Table) -> MatchId:
        """A new match, put into the store from outside; sometimes a computer plays, too."""
        game = next(self._games)
        first, *others = (Person(UserId(each.id), each.user.global_name or "") for each in table.people)
        # Most continue for long.
        request = NewMatch(game, table.channel.id, Terms(rated=False), table.channel.guild_id)
        match: Match | None = None
        while match is None or match.status is not Status.RUNNING:
            with suppress(HostError):  # the server is down, or an earlier try succeeded
                if match is None:
                    match = await self._host.lobby.open(request, first)
                for person in others[: GAMES[game].info.max_players - 1]:
                    if match.status is Status.LOBBY and match.seat_of(person.user_id) is None:
                        match = await self._host.lobby.join(match.id, person)
                if match.status is Status.LOBBY:
                    match = await self._host.lobby.start(match.id, first.user_id)
                continue
            await self._a_moment(table)
        mine = f"b:play:{match.id}:"
        await self._sign(table, lambda: any(mine in str(each.components) for each in table.boards()[-1:]), "no board")
        return match.id

    async def _called(self, table: Table, match: MatchId) -> None:
        await self._sign(table, lambda: table.over or table.mover() is not None, f"match {match}: nobody is called")

    async def _turn(self, table: Table, match: MatchId) -> None:
        """The called player moves: in the channel and in the direct message at once, if both are there."""
        board, person = table.latest(), table.mover()
        assert board is not None
        if person is None:
            return
        before = await self._log(match)
        places = [each for each in (board, table.hand_of(person, board)) if each is not None]
        panels: list[Message] = []
        for place in places:
            with suppress(Unanswered, Impossible, AssertionError, TimeoutError):
                panels.append(await table.panel_before_confirm(person, place))
        if table.latest() is not board:
            return
        # It may no longer be usable, or say that something can't be done now.
        panels = [each for each in panels if "Confirm" in labels(each)]
        answers = await together(*(person.press(panel, "Confirm") for panel in panels))
        after = await self._settled(match, before, answers)
        if len(after) == len(before):
            await self._a_moment(table)
            return
        table.moves += 1
        if not any(_goes_on(answer) for answer in answers if isinstance(answer, Answer)):
            await self._sign(table, lambda: table.latest() is not board, f"match {match}: no board after {after[-1]}")

    async def _settled(self, match: MatchId, before: Log, answers: list[Answer | BaseException]) -> Log:
        """The log after these answers, compared with them."""
        after = await self._log(match)
        confirmed = 0
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(
                answer, (Unanswered, Impossible, TimeoutError, KeyError)
            ):
                raise answer
            if not isinstance(answer, Answer):
                continue
            told = next((each for each in REFUSALS if each in answer.text), None)
            confirmed += told is None
            if told is not None:
                self.ledger.refusals[told] = self.ledger.refusals.get(told, 0) + 1
            if "went wrong" in answer.text:
                self.ledger.wrong.append(answer.text)
        grown = [line for line in after[len(before) :] if line[1] >= 0]
        movers = {line[1] for line in grown}
        where = f"match {match} at {len(before)}: {[getattr(each, 'text', each) for each in answers]} {grown}"
        texts = [answer.text for answer in answers if isinstance(answer, Answer)]
        if after[: len(before)] != before or (confirmed and not grown):
            self.ledger.lost.append(where)
        if confirmed > 1 and len(movers) == 1 and len(grown) > 1:
            self.ledger.doubled.append(where)
        if grown and len(texts) == len(answers) and all(NOT_STORED in text for text in texts):
            self.ledger.denied.append(where)
        if grown:
            self.ledger.confirmed += 1
        return after

    async def _sign(self, table: Table, sign: Callable[[], object], complaint: str) -> None:
        """Wait for a sign, and note how long that took since all has been well. Raises AssertionError."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            await self.discord.until(lambda: sign() or self._stopping, PATIENCE, place=table.place)
        except TimeoutError:
            tail = "\n".join(bot.log()[-1500:] for bot in self.bots)
            raise AssertionError(f"{complaint} ({self.ledger})\n{tail}") from None
        if not self._failing and not self._stopping:
            self.ledger.waits.append((loop.time() - max(began, self._well_since), complaint))

    async def _a_moment(self, table: Table) -> None:
        """Wait until something happens at the table, but not for long: people try again."""
        news = len(self.discord.requests)
        with suppress(TimeoutError):
            await self.discord.until(lambda: len(self.discord.requests) > news + 50, 0.7, place=table.place)

    # The store.

    async def _log(self, match: MatchId) -> Log:
        def lines(connection: Connection) -> Log:
            return [tuple(line) for line in log_lines.lines(connection, match)]  # type: ignore[misc]

        return await self._asked(lines)

    async def _status(self, match: MatchId) -> Status:
        return (await self._asked(lambda connection: queries.table(connection, match))).match.status

    async def _asked(self, work: Callable[[Connection], T]) -> T:
        """The result of a query, once the server can answer it."""
        while True:
            try:
                return await self._outside.read(work)
            except DatabaseError:
                with suppress(TimeoutError):
                    await self.discord.until(lambda: False, 0.5)


def _goes_on(answer: Answer) -> bool:
    """Whether the same person picks on in the panel: there is no post for each step."""
    message = answer.message
    if message is None:
        return False
    picks = any(part["type"] == MENU or part.get("custom_id", "").startswith("b:pick:") for part in message.parts())
    return picks or "Confirm" in labels(message)


@asynccontextmanager
async def endurance(
    url: str, folder: Path, nursery: Nursery, spec: Spec | None, *, processes: int, tables: int
) -> AsyncIterator[Endurance]:
    """This many processes and tables over the database at this address. At the end everything is checked."""
    async with (
        Discord(spec=spec, shards=processes) as discord,
        Proxy(url) as proxy,
        await Database.open(url) as outside,
    ):
        discord.impatient = True
        bots = [
            BotProcess(
                discord,
                folder,
                nursery,
                name=f"bot{shard}",
                AMBIT_DATABASE=proxy.address(url),
                AMBIT_SHARD_COUNT=str(processes),
                AMBIT_SHARD_IDS=str(shard),
            )
            for shard in range(processes)
        ]
        made = Endurance(discord, bots, proxy, outside)
        try:
            await made.begin(tables)
            yield made
            await made.end()
        finally:
            await proxy.listen()
            for bot in bots:
                await bot.close()
        print(f"{made.ledger}, {made.deaths} deaths, {proxy.cut_commits} commits cut")
        made.check()
