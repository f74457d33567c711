"""What thinking costs: the CPU of a move by level, and what people notice while four computers think.

The first table takes positions from matches that computers play quickly. Each level thinks briefly about all of them.
It thinks in full about some that are evenly spread, for the median, and about those that took longest, for the 99th
percentile and the longest thought. Times are CPU times in *quiet seconds*: a processor that others use too is slower
for everybody, so a yardstick, always the same work in Python, is timed before and after each thought. The longest
thought shows whether decisions are ready before they are due. They are due after a wall-clock time: on two idle cores,
a worker has a core of its own.

The second table runs the host as the bot does, with a database on disk and worker processes. Two people move all the
time. In four more matches, computers of the highest level play each other meanwhile. A person's wait is that for a move
of their own: it is checked and stored, and the new position is read for the answer. The lag is how late the event loop
wakes a task that sleeps for a moment. Both are wall-clock times, so other load of the machine counts.

The third table asks a computer the same questions while nothing else is done, and while ten reviews wait. The tables
are printed, and stand in ``docs/computer-players.md``.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Collection, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

from benchmarks.filling import moved, sqlite
from benchmarks.measure import QUIET, Length, cpu_seconds, quantile_of, quiet_seconds
from benchmarks.page import Block, row, write
from benchmarks.players import SABOTEUR_TABLES, TABLES, Table, chooser, positions, question
from db import Database
from db.model.enums import COMPUTERS
from games import GAMES
from games.core import State
from matches.api import Host, Match, MatchId, NewMatch, Person, Status, UserId
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.computers.thinking import Question, answer
from matches.computers.timing import SECONDS
from matches.engine.fair_queue import Rank
from matches.review import Reviews

CPU_CEILINGS: Final[Mapping[Level, float]] = {Level.NORMAL: 1.0, Level.HARD: 1.5, Level.EXPERT: 1.5}
"""By level: the CPU seconds that 99 of 100 moves may take."""

WAIT_CEILING: Final = 100.0
"""Milliseconds in which 99 of 100 moves of a person are answered."""

LATER: Final = 1.2
"""While reviews wait, a computer's turn takes at most this many times as long."""

THOUGHT: Final = Level.NORMAL
"""The level whose turns these are."""

REVIEWS: Final = 10
"""Number of reviews that wait."""

THINKING: Final = 4
"""Number of matches in which a computer thinks."""

_LITTLE: Final = 0.01
_GLIMPSE: Final = 0.1
"""The part of its work with which a level thinks briefly about every position."""

_PAUSE: Final = 0.02
_HEAD_START: Final = 0.3
"""Seconds for which reviews go on before a computer is asked."""

_NAP: Final = 0.005
_PLAYED: Final = 16
"""Number of moves of a match that is reviewed."""

_HOST, _OTHER = Person(UserId(1), "Ann"), Person(UserId(2), "Bob")
_WATCHERS: Final = count(3)


class Turns(NamedTuple):
    """The seconds in which a computer answered the same questions, while nothing was reviewed and while much was.

    `reviews` waited at first, and `left` of them still weren't finished in the end.
    """

    alone: list[float]
    reviewed: list[float]
    reviews: int
    left: int

    @property
    def times(self) -> float:
        """How many times as long a turn took while reviews waited: the median over the questions."""
        return median(after / before for before, after in zip(self.alone, self.reviewed, strict=True))


class Times(NamedTuple):
    """What people noticed: the milliseconds of each move, and each lag of the loop in milliseconds."""

    moves: list[float]
    lags: list[float]


def run(length: Length, games: Collection[str] = GAMES) -> bool:
    """Measure, print the tables, and write them into the document. Returns whether all ceilings are kept.

    The second and third are only measured in a run over all games. A tiny run measures the first level at the first
    tables, and writes nothing.
    """
    decisions, number, seconds = length.of((1000, 40, 40.0), (150, 8, 10.0), (2, 1, 0.2))
    first = length.of(None, None, 1)
    rows, kept = list[str](), True
    for table in (*TABLES[:first], *SABOTEUR_TABLES[:first]):
        for level in table.levels[:first] if table.game in games else ():
            found = cost(table, level, decisions, number)
            text, good = _row(table, level, found)
            rows.append(text)
            kept &= good
            print(text, flush=True)
    blocks = [Block((_ABOVE,), _HEAD, rows)]
    if set(games) == set(GAMES):
        idle = asyncio.run(waiting(seconds, 0))
        busy = asyncio.run(waiting(seconds, THINKING))
        kept &= quantile_of(busy.moves, 99) <= WAIT_CEILING
        turns = asyncio.run(behind(*length.of((60, REVIEWS, 1.0), (20, REVIEWS, 1.0), (2, 1, _LITTLE))))
        kept &= turns.times <= LATER
        blocks += [_noticed(seconds, idle, busy), _later(turns)]
    print("\n\n".join(map(str, blocks)))
    if length is not Length.TINY:
        write("times", blocks, games)
    return kept


_ABOVE: Final = (
    f"Quiet seconds: of CPU, times {QUIET * 1000:.1f} ms through what the yardstick takes before and after a thought. "
    "A decision is due after seconds on the wall."
)
_HEAD: Final = "| game | level | decisions | median | 99 of 100 | ceiling | longest | due after | |"


def _row(table: Table, level: Level, found: Cost) -> tuple[str, bool]:
    """The row of a level at a table, and whether it keeps its ceiling and is ready before it is due."""
    ceiling, due = CPU_CEILINGS.get(level), SECONDS[level]
    ready = found.longest < due
    cells = (
        *(table, level, found.decisions, f"{found.median:.2f} s", f"{found.last:.2f} s"),
        _told(found.last, ceiling, "s") if ceiling else "",
        *(f"{found.longest:.2f} s", f"{due} s", "" if ready else "too late"),
    )
    return row(*cells), ready and (not ceiling or found.last <= ceiling)


def _noticed(seconds: float, idle: Times, busy: Times) -> Block:
    rows = []
    for name, times in (("nobody thinks", idle), (f"{THINKING} computers think", busy)):
        last, lag = quantile_of(times.moves, 99), quantile_of(times.lags, 99)
        ceiling = _told(last, WAIT_CEILING, "ms") if times is busy else ""
        usual = f"{median(times.moves):.0f} ms"
        rows.append(row(name, len(times.moves), usual, f"{last:.0f} ms", ceiling, f"{lag:.0f} ms"))
    return Block(
        (f"{seconds:.0f} seconds of moves by two persons.",),
        "| meanwhile | moves | a move, median | 99 of 100 | ceiling | lag of the loop, 99 of 100 |",
        rows,
        by_game=False,
    )


def _later(turns: Turns) -> Block:
    rows = [
        row(name, len(found), f"{median(found):.2f} s", *cells)
        for name, found, cells in (
            ("nothing else is done", turns.alone, ("", "")),
            (
                f"{turns.reviews} reviews wait",
                turns.reviewed,
                (f"{turns.times:.2f}", _told(turns.times, LATER, "times")),
            ),
        )
    ]
    return Block(
        (f"The same turns of {THOUGHT} in Gambo, with and without reviews of {_PLAYED} moves. Seconds on the wall.",),
        "| meanwhile | turns | a turn, median | times as long, median | ceiling |",
        rows,
        by_game=False,
    )


def _told(figure: float, ceiling: float, unit: str) -> str:
    return f"{ceiling:g} {unit}{' exceeded' if figure > ceiling else ''}"


class Cost(NamedTuple):
    """The cost of a level's decisions in quiet seconds: the `median`, the 99th percentile (`last`), the longest."""

    decisions: int
    median: float
    last: float
    longest: float


def cost(table: Table, level: Level, decisions: int, number: int) -> Cost:
    """Measure a level's thoughts about `number` of `decisions` decisions for the median, and about as many long ones.

    The long ones are those that take longest when the level thinks briefly. At least 2 in 100 are measured.
    """
    asked = questions(table, level, decisions)
    little = [cpu_seconds(partial(answer, each._replace(effort=_GLIMPSE))) for each in asked]
    by_length = sorted(range(len(asked)), key=little.__getitem__)
    long = by_length[-max(number, len(asked) // 50) :]
    even = range(0, len(asked), max(1, len(asked) // number))[:number]
    full = {each: quiet_seconds(partial(answer, asked[each])) for each in {*long, *even}}
    ends = sorted(full.values())
    return Cost(len(asked), median(full[each] for each in even), ends[-1 - len(asked) // 100], ends[-1])


def questions(table: Table, level: Level, decisions: int) -> list[Question]:
    """This many decisions with a choice, from quickly played matches, as questions to a player of this level."""
    rng = Random(f"{table}")
    player = chooser(Level.EASY, _LITTLE, rng)
    asked = list[Question]()

    def asking(state: State[Any], seat: int, log: list[tuple[int, Any]]) -> Any:
        if len(state.legal_actions(seat)) > 1 and state.default_action() is None:
            asked.append(question(state, seat, log, level, 1.0, rng))
        return player(state, seat, log)

    for deal in count():
        for _ in positions(table, deal, lambda *_: asking):
            pass
        if len(asked) >= decisions:
            break
    return asked[:decisions]


async def behind(number: int, reviews: int, effort: float) -> Turns:
    """Ask a computer this many questions, each while nothing else is done, and once more while reviews wait."""
    asked = questions(Table("gambo", 2), THOUGHT, 2 * number)[::2]
    alone, found, idle = list[float](), list[float](), asyncio.Lock()
    async with _table(effort) as (host, computers):
        # The worker process starts with the first question.
        await _answered(computers, asked[0])
        matches = [await _asked_for(host, player) for player in range(1, reviews + 1)]
        reviewing = asyncio.create_task(_review(host, idle))
        try:
            for each in asked:
                async with idle:
                    alone.append(await _answered(computers, each))
                # Somebody moves meanwhile, and reviews go on.
                await asyncio.sleep(_HEAD_START)
                found.append(await _answered(computers, each))
        finally:
            reviewing.cancel()
            await asyncio.gather(reviewing, return_exceptions=True)
        left = len(await host.part(Reviews).due(len(matches)))
    return Turns(alone, found, reviews, left)


async def _answered(computers: Computers, asked: Question) -> float:
    """The seconds that a question takes at a table of people."""
    begun = perf_counter()
    await computers.choose(asked.level, asked.position, asked.lines, asked.seed, rank=Rank.TABLE)
    return perf_counter() - begun


async def _asked_for(host: Host, number: int) -> MatchId:
    """Let two people play a match, of which one then asks for the review."""
    one, other = (Person(UserId(1000 * part + number), "Dora") for part in (1, 2))
    lobby = await host.lobby.open(NewMatch("gambo", 1, guild_id=number), one)
    match = await host.lobby.join(lobby.id, other)
    rng = Random(number)
    for _ in range(_PLAYED):
        match = await moved(host, match, rng)
    match = await host.play.resign(match.id, one.user_id)
    await host.part(Reviews).ask(match.id, one.user_id)
    return match.id


async def _review(host: Host, idle: asyncio.Lock) -> None:
    """Do one step of a review after the other, as long as there are any, except while `idle` is held."""
    while due := await host.part(Reviews).due():
        async with idle:
            await host.part(Reviews).go_on(due[0])


async def waiting(seconds: float, thinking: int) -> Times:
    """Let two people move for this long while computers think in `thinking` matches. Returns what they notice."""
    async with _table() as (host, _):
        alone = [await _of_computers(host) for _ in range(thinking)]
        thoughts = asyncio.create_task(_think(host)) if alone else None
        times = Times([], [])
        napping = asyncio.create_task(_nap(times.lags))
        try:
            await _move(host, seconds, times.moves)
        finally:
            for task in (napping, thoughts):
                if task is not None:
                    task.cancel()
            await asyncio.gather(*(task for task in (napping, thoughts) if task), return_exceptions=True)
    return times


@contextlib.asynccontextmanager
async def _table(effort: float = 1.0) -> AsyncIterator[tuple[Host, Computers]]:
    computers = Computers(beat=0, effort=effort)
    with tempfile.TemporaryDirectory() as folder:
        async with await Database.open(sqlite(Path(folder) / "ambit.db")) as database:
            try:
                yield Host(database, computers=computers), computers
            finally:
                computers.close()


async def _of_computers(host: Host) -> Match:
    """Begin a match of five experts. Each match has its own watcher, because nobody may watch more than two."""
    watcher = Person(UserId(next(_WATCHERS)), "Cleo")
    match = await host.lobby.watch((await host.lobby.open(NewMatch("saboteur", 1), watcher)).id, watcher.user_id)
    for _ in range(5):
        match = await host.lobby.add_computer(match.id, watcher.user_id, Level.EXPERT)
    return await host.lobby.start(match.id, watcher.user_id)


async def _think(host: Host) -> None:
    """Let computers play forever. After the end of a match, the next one begins."""
    while True:
        rows = await host.time.claim_due(COMPUTERS)
        await asyncio.gather(*map(host.thinking.computers_turn, rows))
        if not rows:
            await _of_computers(host)


async def _nap(lags: list[float]) -> None:
    while True:
        begun = perf_counter()
        await asyncio.sleep(_NAP)
        lags.append((perf_counter() - begun - _NAP) * 1000)


async def _move(host: Host, seconds: float, waits: list[float]) -> None:
    """Let two people play any moves, one match after the other."""
    rng = Random(1)
    until = perf_counter() + seconds
    match = None
    while perf_counter() < until:
        if match is None or match.status is not Status.RUNNING:
            # Each match is on a server of its own, because nobody may open so many on one server so quickly.
            lobby = await host.lobby.open(NewMatch("ambush", 1, guild_id=rng.getrandbits(48)), _HOST)
            match = await host.lobby.join(lobby.id, _OTHER)
        assert match.mover is not None
        assert match.mover.user_id is not None
        user = match.mover.user_id
        view = await host.look.view(match.id, user)
        move = rng.choice(view.moves).text
        begun = perf_counter()
        match = await host.play.act(match.id, user, move)
        await host.look.view(match.id, user)
        waits.append((perf_counter() - begun) * 1000)
        await asyncio.sleep(_PAUSE)
