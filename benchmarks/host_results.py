"""Twelve people who ask for a server's **Results** in the same moment, and what others notice who press **Play**.

The server has very many results of a few hundred people. Elsewhere people press **Play** on their boards, again and
again: while the twelve ask, and before and after, while nobody does. The bot is started anew for every round, so that
it has to make the file each time. Memory is that of its process and of those that it has started, before and at most.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import Final, NamedTuple

from sqlalchemy import insert

from benchmarks.host_crowd import READY_WITHIN, fill, players_of, usage
from benchmarks.measure import UNDER
from db import Connection, Database
from db.model import schema
from db.model.rows import Ladder
from db.ratings import ladders
from matches.ratings import ladder
from matches.ratings.model import SCHEME
from matches.ratings.result import Entrant, Result, day_of, written
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord, Message, Person
from tests.wire.table import Table

WAIT_CEILING: Final = 1.5
"""What nineteen of twenty presses of **Play** take at most while the twelve ask, as a multiple of the same without."""

MEMORY_CEILING: Final = 1.3
"""Of the bot while the twelve ask, as a multiple of before."""

ASKING: Final = 12
PLAYING: Final = 5
"""Tables elsewhere, one of each game, of which one person each presses **Play**."""

PAUSE: Final = 0.1
"""Seconds between two presses of the same person."""

PEOPLE: Final = 300
_NUMBER: Final = 100
"""The table on whose server the results are."""

_BUTTON: Final = "b:results::::"
_SAMPLED: Final = 0.05


class Size(NamedTuple):
    """How many results there are, how many rounds, and seconds of a round without the twelve, and at least with."""

    results: int
    rounds: int
    seconds: float


SIZES: Final = {False: Size(50_000, 5, 6.0), True: Size(5_000, 2, 2.0)}


class Round(NamedTuple):
    """What nineteen of twenty waited at most, in seconds, and megabytes, each without the twelve and with them."""

    alone: float
    beside: float
    before: float
    most: float
    answered: float
    """Seconds until the last of the twelve had the file."""


async def measured(nursery: Nursery, folder: Path, quick: bool) -> bool:
    """Print the table; whether every figure keeps its ceiling."""
    size = SIZES[quick]
    file = folder / "results.db"
    await fill(file, PLAYING)
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        await database.write(_put_results, Table.of(Discord(), 1, number=_NUMBER).channel.guild_id or 0, size.results)
    rounds = [await _round(nursery, folder / f"results{number}", file, size) for number in range(size.rounds)]
    wait = median(each.beside / each.alone for each in rounds)
    memory = median(each.most / each.before for each in rounds)
    title = f"While {ASKING} ask for {size.results:,} results"
    print(f"\n{title:34}{'alone':>9}{'times as much':>15}{'ceiling':>17}")
    kept = True
    for what, alone, share, ceiling in (
        ("Play elsewhere, p95 ms", 1e3 * median(each.alone for each in rounds), wait, WAIT_CEILING),
        ("memory of the bot, MB", median(each.before for each in rounds), memory, MEMORY_CEILING),
    ):
        low = share > ceiling
        kept = kept and not low
        print(f"{what:34}{alone:9.0f}{share:15.2f}{ceiling:17.1f}{f'  {UNDER}' if low else ''}")
    print(f"{'seconds until the last has the file':36}{median(each.answered for each in rounds):7.1f}")
    return kept


def _put_results(connection: Connection, guild: int, count: int) -> None:
    """So many results of Ambush on a server, with the ratings that follow from them."""
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
    found = ladder.computed(of.game, results)
    ladders.put_ratings(connection, of, found.ratings)
    ladders.put_pairs(connection, of, found.pairs)
    ladders.set_cache_state(connection, of, SCHEME, count)


async def _round(nursery: Nursery, folder: Path, file: Path, size: Size) -> Round:
    await asyncio.to_thread(folder.mkdir)
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(Discord())
        tables = [Table.of(discord, players_of(number), number=number) for number in range(1, PLAYING + 1)]
        asking, message = _asking(discord)
        bot = BotProcess(discord, folder, nursery, AMBIT_LOG_LEVEL="ERROR")
        await asyncio.to_thread(shutil.copy, file, bot.database)
        stack.push_async_callback(bot.close)
        await bot.start()
        boards = [(table.on_turn(), board) for table in tables if (board := await table.called(READY_WITHIN))]
        await _pressed(boards, size.seconds / 2)  # not counted: caches fill
        alone = await _pressed(boards, size.seconds)
        before = usage(bot.pid).memory / 1e6
        most = [before]
        sampling = asyncio.create_task(_sampled(bot, most))
        asked = asyncio.create_task(_asked(discord, asking, message))
        beside = await _pressed(boards, size.seconds / 2, asked)
        sampling.cancel()
        # Before and after, since whatever else the machine does changes meanwhile.
        alone += await _pressed(boards, size.seconds)
        assert discord.violations == []
        assert bot.complaints() == [], bot.log()
        return Round(_p95(alone), _p95(beside), before, max(most), await asked)


def _asking(discord: Discord) -> tuple[list[Person], Message]:
    """Those who ask, and a message of the bot's on their server with **Results** under it."""
    table = Table.of(discord, 1, number=_NUMBER)
    people = [discord.person(f"Asker {number}", table.people[0].id + 100 + number) for number in range(ASKING)]
    guild = discord.world.guilds[table.channel.guild_id or 0]
    guild.members |= {person.id: person.user for person in people}
    button = {"type": 2, "style": 2, "label": "Results", "custom_id": _BUTTON}
    return people, discord.world.post(table.channel, {"components": [{"type": 1, "components": [button]}]}, [])


async def _pressed(
    boards: Sequence[tuple[Person | None, Message]], seconds: float, until: asyncio.Task[float] | None = None
) -> list[float]:
    """What every press took until it was answered in full, until the time is up and, if given, the task has ended."""
    end, waits = perf_counter() + seconds, list[float]()

    async def one(person: Person, board: Message) -> None:
        while perf_counter() < end or (until is not None and not until.done()):
            begun = perf_counter()
            await person.press(board, "Play")
            waits.append(perf_counter() - begun)
            await asyncio.sleep(PAUSE)

    await asyncio.gather(*(one(person, board) for person, board in boards if person is not None))
    return waits


async def _asked(discord: Discord, people: list[Person], message: Message) -> float:
    """All ask for the results at once; the seconds until the last one has the file."""
    begun = perf_counter()
    answers = [await person.press(message, "Results", wait=False) for person in people]

    def all_there() -> bool:
        made = [each.interaction.channel.messages.get(each.interaction.original_id or 0) for each in answers]
        return all(each is not None and not each.loading and each.attachments for each in made)

    await discord.until(all_there, READY_WITHIN, place=answers[0].interaction.channel)
    return perf_counter() - begun


async def _sampled(bot: BotProcess, most: list[float]) -> None:
    while True:
        most.append(usage(bot.pid).memory / 1e6)
        await asyncio.sleep(_SAMPLED)


def _p95(waits: list[float]) -> float:
    return quantiles(waits, n=20, method="inclusive")[-1]
