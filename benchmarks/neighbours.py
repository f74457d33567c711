"""What people notice of others who keep the bot busy. In each part, somebody plays with and without the others.

* Fifty people each ask for a hint in a match and for the animation of another one, all in the same moment. Together
  that is minutes of CPU. Meanwhile ordinary tables play at an easy pace, and one person plays a computer.
* Twelve people ask for a server's **Results** in the same moment. The server has very many results of a few hundred
  people. Elsewhere people keep pressing **Play** on their boards: before the twelve ask, meanwhile, and afterwards.
* Thirty tables have no people. Fifteen people on three servers have two such tables each, as many as they may.
  Meanwhile somebody plays a computer at another table.

Every round starts the bot anew on a new copy of the same file. Computers that play with people show their decisions at
once. Otherwise they would wait for whole seconds, which would hide how long they thought. Those at the thirty tables
wait as always. Memory is that of the bot's process and its descendants.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from sqlalchemy import insert

from benchmarks import filling
from benchmarks.crowd import READY_WITHIN, Bench, Crowd, chosen_further
from benchmarks.filling import KEYS, begun_at, host_on, sqlite
from benchmarks.measure import Length, quantile_of
from db import Connection
from db.model import schema
from db.model.rows import Ladder
from matches.api import Host, Person, Status
from matches.computers.thinking import levels_of
from matches.ratings import ladder, storing
from matches.results.result import Entrant, Result, day_of, written
from matches.table.limits import WATCHED_TABLES
from tests.wire.discord_standin import Answer, Message
from tests.wire.discord_standin import Person as Pressing
from tests.wire.table import Table

CEILING: Final = 1.5
"""A wait beside the others, as a multiple of the same wait without them.

Beside the fifty it is the median, beside the twelve and the thirty the 95th percentile.
"""

MEMORY_CEILING: Final = 1.3
"""The bot's memory while the twelve ask, as a multiple of that before."""

LONGEST: Final = 60.0
"""Most seconds to wait for a board."""


async def measure(bench: Bench) -> None:
    """Print the three tables."""
    await _hints(bench)
    await _results(bench)
    await _watched(bench)


# What all three share.


async def _play(
    some: Crowd,
    tables: Iterable[Table],
    end: float,
    answers: list[float],
    least: int,
    waits: list[float],
    pause: float = 0.0,
) -> None:
    """Play one table after the other until `end`, and until there are at least `least` answers. Note the `waits`.

    People look at a board for the seconds of `pause` before they move.
    """
    for table in tables:
        while not table.over and (now := perf_counter()) < end + LONGEST:
            if now > end and len(answers) >= least:
                return
            waits += await _turn(some, table)
            await asyncio.sleep(pause)


async def _turn(some: Crowd, table: Table) -> list[float]:
    """Make one move. Returns the seconds from **Confirm** to the next board that calls a person, if one follows."""
    board = await table.called(READY_WITHIN)
    person = table.mover()
    if person is None:
        return []
    panel = await table.panel_before_confirm(person, board)
    confirmed = perf_counter()
    if chosen_further(await person.press(panel, "Confirm")):
        return []

    def called() -> bool:
        return table.latest() is not board and (table.over or table.mover() is not None)

    with suppress(TimeoutError):
        await some.discord.until(called, LONGEST, place=table.channel)
    return [perf_counter() - confirmed]


def _shown(answer: Answer) -> Message | None:
    """The message that answers a press that nobody waited for; ``None`` if it isn't there yet."""
    place, number = answer.interaction.channel, answer.interaction.original_id
    found = place.messages.get(number or 0)
    return None if found is None or found.loading else found


# Fifty people who ask for hints and animations.


ASKERS: Final = 10 * len(KEYS)
PAUSE: Final = 0.5
"""Seconds for which people who play each other look at a board before they move."""

PLAYED: Final = 12
"""Moves made in a match before somebody asks for a hint in it."""

BOARD, COMPUTER = "a board of people", "a computer's answering board"


async def _hints(bench: Bench) -> None:
    # The computer answers at least `least` times in each round.
    number_of, seconds, least, asking = bench.length.of((7, 8.0, 6, ASKERS), (3, 8.0, 6, ASKERS), (1, 0.5, 1, 1))
    file, asked = bench.folder / "hints.db", 2 * max(asking, len(KEYS))
    movers = dict(islice((await _fill_for_hints(file, asked)).items(), asking))
    seats = {number: filling.players_of(number) for number in (*movers, *range(asked + 1, asked + 1 + len(KEYS)))}
    seats[asked + 1 + len(KEYS)] = 1
    waits: dict[bool, list[dict[str, list[float]]]] = {False: [], True: []}
    answered = 0
    for number in range(number_of):
        for beside, rounds in waits.items():
            async with bench.crowd(f"hints{number}{beside}", file, seats, orders={"BENCH_AT_ONCE": "yes"}) as some:
                *people, computer = [table for number, table in some.tables.items() if number > asked]
                # The first moves don't count: processes start and caches fill.
                await asyncio.gather(*(_turn(some, table) for table in (*people, computer)))
                answers = await _ask_for_hints(some, movers) if beside else []
                found, end = {BOARD: list[float](), COMPUTER: list[float]()}, perf_counter() + seconds
                until = end, found[COMPUTER], least
                await asyncio.gather(
                    _play(some, [computer], *until, found[COMPUTER]),
                    *(_play(some, [table], *until, found[BOARD], PAUSE) for table in people),
                )
                rounds.append(found)
                answered += sum(_shown(answer) is not None for answer in answers)
    report = bench.report
    report.head(f"While {asking} ask for hint, animation", "alone ms", "times as long", "ceiling")
    for what in (BOARD, COMPUTER):
        alone, beside_them = ([each[what] for each in rounds] for rounds in waits.values())
        share = median(median(more) / median(less) for less, more in zip(alone, beside_them, strict=True))
        wait = median(wait for each in alone for wait in each)
        report.row(what, f"{1e3 * wait:.0f}", f"{share:.2f}", f"{CEILING:.1f}", kept=share <= CEILING)
    report.row("answered of them meanwhile", f"{answered / number_of:.0f}")


async def _ask_for_hints(some: Crowd, movers: dict[int, int]) -> list[Answer]:
    """Let everybody ask for a hint in their match and for an animation of one that is over, without waiting."""
    answers = []
    for number, user_id in movers.items():
        table = some.tables[number]
        person = table.person(user_id)
        panel = (await person.command(table.channel, f"{filling.game_of(number)} play", match=number)).message
        assert panel is not None
        end = some.post(table.channel, "Animation", f"b:animation:{number + len(KEYS)}:::")
        answers += [
            await person.press(panel, "Hint", wait=False),
            await person.press(end, "Animation", wait=False),
        ]
    return answers


async def _fill_for_hints(file: Path, asked: int) -> dict[int, int]:
    """Fill a file with matches to ask about and matches to play. Returns whose turn it is, by match to ask about.

    The first `asked` matches are running ones and finished ones by turns, one of each game at a time. Then come one of
    each game among people, and one against a computer.
    """
    for attempt in count():
        movers = await _of_askers(file, f"matches of people who ask {attempt}")
        if len(movers) == len(KEYS):
            break
        # By chance, a match has ended that should still be running.
        await asyncio.to_thread(file.unlink)
    # In an unrated match, people get hints without being asked first.
    filling.change(file, "UPDATE matches SET rated = 0")
    await filling.copy_on(file, asked, 0)
    filling.nothing_to_tell(file)
    async with host_on(sqlite(file), "matches beside people who ask") as (_, host, _):
        for number in range(asked + 1, asked + 1 + len(KEYS)):
            await begun_at(host, number)
        await filling.against_a_computer(host, asked + 1 + len(KEYS))
    return {
        number + first: user_id + (first << filling.SHIFT)
        for first in range(0, asked, 2 * len(KEYS))
        for number, user_id in movers.items()
    }


async def _of_askers(file: Path, seed: str) -> dict[int, int]:
    """Play a match of each game for a while, then one of each to its end. Returns whose turn it is in the former."""
    movers: dict[int, int] = {}
    async with host_on(sqlite(file), seed) as (_, host, rng):
        for number in range(1, 2 * len(KEYS) + 1):
            match = await begun_at(host, number)
            over = number > len(KEYS)
            while match.status is Status.RUNNING and (over or match.ply < PLAYED or match.mover is None):
                match = await filling.moved(host, match, rng)
            if not over and match.mover is not None and match.mover.user_id is not None:
                movers[number] = match.mover.user_id
    return movers


# Twelve people who ask for a server's results.


ASKING: Final = 12
PLAYING: Final = len(KEYS)
"""Tables elsewhere, one of each game. At each, one person presses **Play**."""

BETWEEN: Final = 0.1
"""Seconds between two presses of a person."""

PEOPLE: Final = 300
_NUMBER: Final = 100
"""The number of the table whose server has the results."""

_SAMPLED: Final = 0.05


class _Noticed(NamedTuple):
    """The 95th percentile of waits in seconds, without the twelve and with them, and the memory in megabytes."""

    alone: float
    beside: float
    before: float
    most: float
    answered: float
    """Seconds until all of the twelve had the file."""


async def _results(bench: Bench) -> None:
    # A round with the twelve is half as long.
    results, times, seconds = bench.length.of((50_000, 5, 6.0), (5_000, 2, 2.0), (50, 1, 0.2))
    file = bench.folder / "results.db"
    await filling.fill(file, PLAYING)
    async with host_on(sqlite(file), "results") as (database, *_):
        await database.write(_put_results, filling.nowhere(1, _NUMBER).channel.guild_id or 0, results)
    rounds = [await _round_of_results(bench, f"results{number}", file, seconds) for number in range(times)]
    wait = median(each.beside / each.alone for each in rounds)
    memory = median(each.most / each.before for each in rounds)
    report, enough = bench.report, bench.length is Length.WHOLE
    report.head(f"While {ASKING} ask for {results:,} results", "alone", "times as much", "ceiling")
    for what, alone, share, ceiling in (
        ("Play elsewhere, p95 ms", 1e3 * median(each.alone for each in rounds), wait, CEILING),
        ("memory of the bot, MB", median(each.before for each in rounds), memory, MEMORY_CEILING),
    ):
        report.row(what, f"{alone:.0f}", f"{share:.2f}", f"{ceiling:.1f}", kept=share <= ceiling, enough=enough)
    report.row("seconds until the last has the file", f"{median(each.answered for each in rounds):.1f}")


def _put_results(connection: Connection, guild: int, count: int) -> None:
    """Store `count` results of Ambush on a server, and the ratings that follow from them."""
    rng, begun = Random("results of the benchmark host"), datetime(2026, 1, 1, tzinfo=UTC)
    of, keys = Ladder(guild, "ambush", 1, False), [f"{number:016x}" for number in range(1, PEOPLE + 1)]
    people = [
        {"guild_id": guild, "user_id": number, "key": key, "name": f"Player {number}"}
        for number, key in enumerate(keys, 1)
    ]
    rows = []
    for number in range(1, count + 1):
        seats = [written(Entrant(place, key)) for place, key in enumerate(rng.sample(keys, 2), 1)]
        about = {"match_id": 10**9 + number, "ended_at": begun + timedelta(minutes=number), "seats": seats}
        rows.append({**of._asdict(), "number": number, **about})
    connection.execute(insert(schema.rating_keys), people)
    connection.execute(insert(schema.rated_results), rows)
    results = [Result(row["number"], day_of(row["ended_at"]), row["seats"]) for row in rows]
    storing.replace(connection, of, ladder.computed(of.game, results), count, count)


async def _round_of_results(bench: Bench, name: str, file: Path, seconds: float) -> _Noticed:
    seats = {number: filling.players_of(number) for number in range(1, PLAYING + 1)} | {_NUMBER: 1}
    async with bench.crowd(name, file, seats) as some:
        asking, message = _asking(some)
        tables = [table for number, table in some.tables.items() if number != _NUMBER]
        boards = [(table.mover(), board) for table in tables if (board := await table.called(READY_WITHIN))]
        await _pressed(boards, seconds / 2)  # doesn't count: caches fill
        alone = await _pressed(boards, seconds)
        most = [before := some.used().memory]
        sampling = asyncio.create_task(_sampled(some, most))
        asked = asyncio.create_task(_asked(some, asking, message))
        beside = await _pressed(boards, seconds / 2, asked)
        sampling.cancel()
        # Before and after, because the other load of the machine changes.
        alone += await _pressed(boards, seconds)
        return _Noticed(quantile_of(alone, 95), quantile_of(beside, 95), before / 1e6, max(most) / 1e6, await asked)


def _asking(some: Crowd) -> tuple[list[Pressing], Message]:
    """The people who ask, and a message on their server with **Results** under it."""
    table = some.tables[_NUMBER]
    people = [some.discord.person(f"Asker {number}", table.people[0].id + 100 + number) for number in range(ASKING)]
    some.discord.world.guilds[table.channel.guild_id or 0].members |= {person.id: person.user for person in people}
    return people, some.post(table.channel, "Results", "b:results::::")


async def _pressed(
    boards: Sequence[tuple[Pressing | None, Message]], seconds: float, until: asyncio.Task[float] | None = None
) -> list[float]:
    """Press **Play** on all boards until the time is up and the task `until` is done. Returns the waits in seconds."""
    end, waits = perf_counter() + seconds, list[float]()

    async def one(person: Pressing, board: Message) -> None:
        over = False
        while not over:
            begun = perf_counter()
            await person.press(board, "Play")
            waits.append(perf_counter() - begun)
            await asyncio.sleep(BETWEEN)
            over = perf_counter() >= end and (until is None or until.done())

    await asyncio.gather(*(one(person, board) for person, board in boards if person is not None))
    return waits


async def _asked(some: Crowd, people: list[Pressing], message: Message) -> float:
    """Let everybody ask for the results at once. Returns the seconds until all have the file."""
    begun = perf_counter()
    answers = [await person.press(message, "Results", wait=False) for person in people]

    def all_there() -> bool:
        return all((shown := _shown(answer)) is not None and shown.attachments for answer in answers)

    await some.discord.until(all_there, READY_WITHIN, place=answers[0].interaction.channel)
    return perf_counter() - begun


async def _sampled(some: Crowd, most: list[int]) -> None:
    while True:
        most.append(some.used().memory)
        await asyncio.sleep(_SAMPLED)


# Thirty tables without people.


MATCHES: Final = 4
"""Number of matches that the one person plays, one after the other."""


async def _watched(bench: Bench) -> None:
    # The computer answers at least `least` times in each round. Everybody on the servers watches.
    rounds, lasting, least, guilds, hosts = bench.length.of((5, 15.0, 12, 3, 5), (2, 15.0, 12, 3, 5), (1, 0.5, 1, 1, 1))
    files = {False: bench.folder / "alone.db", True: bench.folder / "watched.db"}
    seats = dict.fromkeys(range(1, 1 + MATCHES), 1)
    servers = range(1 + MATCHES, 1 + MATCHES + guilds)
    async with host_on(sqlite(files[False]), "somebody beside tables without people") as (_, host, _):
        for number in seats:
            await filling.against_a_computer(host, number)
    await asyncio.to_thread(shutil.copy, files[False], files[True])
    async with host_on(sqlite(files[True]), "tables without people") as (_, host, _):
        for number in servers:
            await _add_watched(host, filling.nowhere(hosts, number))
    filling.nothing_to_tell(files[True])
    waits: dict[bool, list[float]] = {False: [], True: []}
    moves, seconds = 0, 0.0
    for number in range(rounds):
        for beside, file in files.items():
            everybody, orders = seats | dict.fromkeys(servers, hosts), {"BENCH_AT_ONCE": "people"}
            async with bench.crowd(f"watched{number}{beside}", file, everybody, orders=orders) as some:
                tables = [some.tables[number] for number in seats]
                # The first move doesn't count: processes start and caches fill.
                await _turn(some, tables[-1])
                before, begun, found = some.asked(_PLIES), perf_counter(), list[float]()
                await _play(some, tables, begun + lasting, found, least, found)
                if beside:
                    moves, seconds = moves + some.asked(_PLIES) - before, seconds + perf_counter() - begun
                waits[beside] += found
    report, many = bench.report, guilds * hosts * WATCHED_TABLES
    report.head(f"Beside {many} tables without people", "alone ms", "beside ms", "share", "ceiling")
    for part in (50, 95):
        alone, beside_them = (quantile_of(found, part) for found in waits.values())
        share = beside_them / alone
        judged = part == 95
        cells = f"{1e3 * alone:.0f}", f"{1e3 * beside_them:.0f}", f"{share:.2f}", f"{CEILING:.1f}" if judged else ""
        kept = share <= CEILING if judged else None
        report.row(f"a computer answers, p{part}", *cells, kept=kept, enough=bench.length is Length.WHOLE)
    report.row("answers", *(str(len(found)) for found in waits.values()))
    report.row("moves a second of the others", "", f"{moves / seconds:.1f}")


_PLIES: Final = f"SELECT SUM(ply) FROM matches WHERE id > {MATCHES}"
"""Counts the lines of the matches without people."""


async def _add_watched(host: Host, table: Table) -> None:
    """Begin as many tables without people as these people may have: all games by turns, first weak, then strong."""
    for place, person in enumerate(filling.people_of(table) * WATCHED_TABLES):
        await _started(host, table, person, KEYS[place % len(KEYS)], strong=bool(place // len(KEYS)))


async def _started(host: Host, table: Table, person: Person, game: str, *, strong: bool) -> None:
    match = await host.lobby.open(filling.request_at(table, game), person)
    match = await host.lobby.watch(match.id, person.user_id)
    level = levels_of(game, match.options, match.players_with(0))[-1 if strong else 0]
    match = await host.lobby.fill(match.id, person.user_id, level)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, person.user_id)
    assert match.status is Status.RUNNING
