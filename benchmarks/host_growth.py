"""What grows with matches and servers: bytes of a match that is over, a question about open ones, a server in memory.

The store is an SQLite file or, with ``AMBIT_TEST_SERVER`` as in the tests, a database of that server. Matches are
played at random and copied. What counts is what the store uses: not pages that SQLite has for the next match, nor rows
that a server has not cleared away yet.
"""

from __future__ import annotations

import gc
import random
import tracemalloc
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

import discord
from sqlalchemy import Table, func, insert, literal, select, true

from benchmarks.measure import UNDER
from bot import Ambit
from db import Connection, Database
from db.matches import queries, retention
from db.model import schema
from games import GAMES
from matches.api import Host, Match, MatchId, NewMatch, Person, Status, UserId
from tests.store import SERVER, fresh

SLOWER_CEILING: Final = 3.0
"""A question about the matches of one place with very many open ones, as a multiple of what it takes with few."""

BYTES_CEILING: Final = 12_000
"""Of a match that is over, a day after its last move."""

FEW: Final = 50
ASKED: Final = 200
"""Questions of one round."""

ROUNDS: Final = 9
OF_A_MATCH: Final = (schema.matches, schema.seats, schema.log, schema.rated_results, schema.rating_points)
STEP: Final = 1_000_000
"""The numbers of interactions and channels of a copy are moved on by this."""

GUILD: Final = 555
CHANNELS, ROLES, OVERWRITES = 40, 25, 5
"""Of a server whose memory is measured; every channel has so many overwrites of permissions."""

PRESSED: Final = 2**60


class Size(NamedTuple):
    """How many open matches there are, how many of each game are played to the end, and how many copies each has."""

    open: int
    played: int
    copies: int


SIZES: Final = {False: Size(50_000, 3, 200), True: Size(10_000, 1, 100)}


async def measured(folder: Path, quick: bool) -> bool:
    """Print the rows; whether they keep their ceilings."""
    size = SIZES[quick]
    share = await _question(folder, size.open)
    whole, pruned = await _bytes(folder, size)
    slow, large = share > SLOWER_CEILING, whole > BYTES_CEILING
    store = "SQLite" if SERVER is None else "PostgreSQL"
    print(f"\n{f'What grows, {store}':50}{'':9}{'ceiling':>9}")
    few = f"matches_in with {size.open:,} open matches / with {FEW}"
    print(f"{few:50}{share:9.2f}{SLOWER_CEILING:9.1f}{f'  {UNDER}' if slow else ''}")
    print(f"{'bytes of a finished match':50}{whole:9,.0f}{BYTES_CEILING:9,}{f'  {UNDER}' if large else ''}")
    print(f"{'… whose moves were deleted':50}{pruned:9,.0f}")
    print(f"{f'memory of a server of {CHANNELS} channels, {ROLES} roles, bytes':50}{_of_a_server():9,.0f}")
    return not slow and not large


def _of_a_server() -> float:
    """Bytes that discord.py keeps of a server, with the intents of the bot."""
    client = Ambit()
    made, number = [_server(each) for each in range(ROUNDS)], ROUNDS
    kept = []
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    while made:
        kept.append(discord.Guild(data=made.pop(), state=client._connection))
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / number


def _server(number: int) -> Any:
    """A server as Discord tells it to a bot with no other intents than guilds."""
    ids = map(str, count((number + 1) * 10**6))
    roles = [
        {
            "id": next(ids),
            "name": "A role",
            "permissions": "1071698660929",
            "position": each,
            "color": 0,
            "hoist": False,
        }
        | {"managed": False, "mentionable": False, "flags": 0}
        for each in range(ROLES)
    ]
    channels = [
        {
            "id": next(ids),
            "type": 0,
            "name": "a-channel",
            "position": each,
            "permission_overwrites": [
                {"id": role["id"], "type": 0, "allow": "1024", "deny": "2048"} for role in roles[:OVERWRITES]
            ],
        }
        for each in range(CHANNELS)
    ]
    return {"id": next(ids), "name": "A server", "roles": roles, "channels": channels, "owner_id": next(ids)}


async def _question(folder: Path, many: int) -> float:
    """How long it takes to find the matches of a place, with many against few open ones, by turns."""
    places = range(1, FEW + 1)
    async with (
        await Database.open(fresh(folder / "growth-few.db")) as few,
        await Database.open(fresh(folder / "growth-many.db")) as lots,
    ):
        for database in (few, lots):
            host = Host(database)
            for place in places:
                await host.lobby.open(NewMatch("gambo", place, guild_id=GUILD), Person(UserId(place), "Ann"))
        await lots.at_length(lambda connection: _copy(connection, (schema.matches,), many // FEW - 1, FEW), writes=True)
        shares = []
        for _ in range(ROUNDS):
            seconds = [await _asked(database, places) for database in (few, lots)]
            shares.append(seconds[1] / seconds[0])
    return median(shares)


async def _asked(database: Database, places: range) -> float:
    """Seconds that the questions of one round take."""

    def ask(connection: Connection) -> None:
        for number in range(ASKED):
            found = queries.matches_shown_in(connection, places[number % FEW], (Status.LOBBY, Status.RUNNING))
            assert len(found) == 1

    begun = perf_counter()
    await database.read(ask)
    return perf_counter() - begun


async def _bytes(folder: Path, size: Size) -> tuple[float, float]:
    """Bytes of a match that is over, once the numbers of its interactions are forgotten, and without its lines."""
    address = fresh(folder / "growth-over.db")
    async with await Database.open(address) as database:
        empty = await _used(database, address)
        matches = await _played(database, size.played)
        each = len(matches)

        def copy(connection: Connection) -> None:
            connection.execute(schema.outbox.delete())
            _copy(connection, OF_A_MATCH, size.copies, each)

        def forget(connection: Connection) -> bool:
            now = max(match.ended_at for match in matches if match.ended_at is not None)
            retention.forget_presses(connection, now.replace(year=now.year + 1), 10_000)
            return retention.has_old_presses(connection, now.replace(year=now.year + 1))

        def prune(connection: Connection) -> None:
            every = connection.execute(select(schema.matches.c.id)).scalars().all()
            retention.prune(connection, [(MatchId(number), "0" * 64) for number in every])

        await database.at_length(copy, writes=True)
        while await database.write(forget):
            pass
        number = each * (size.copies + 1)
        whole = (await _used(database, address) - empty) / number
        await database.at_length(prune, writes=True)
        return whole, (await _used(database, address) - empty) / number


async def _played(database: Database, times: int) -> list[Match]:
    """Matches of every game, with as few players as it takes, played at random by persons who press for every move."""
    rng, press, over = random.Random("matches that grow"), count(PRESSED), []
    host = Host(database, entropy=rng.randbytes)
    for game in [*GAMES] * times:
        people = [Person(UserId(next(press)), f"Player {number}") for number in range(GAMES[game].info.min_players)]
        match = await host.lobby.open(NewMatch(game, 1, guild_id=GUILD), people[0], next(press))
        for person in people[1:]:
            match = await host.lobby.join(match.id, person, next(press))
        if match.status is Status.LOBBY:
            match = await host.lobby.start(match.id, people[0].user_id, next(press))
        while match.mover is not None and match.mover.user_id is not None:
            view = await host.look.view(match.id, match.mover.user_id)
            move = rng.choice(view.moves).text
            match = await host.play.act(match.id, match.mover.user_id, move, interaction_id=next(press))
        over.append(match)
    return over


def _copy(connection: Connection, tables: Sequence[Table], times: int, each: int) -> None:
    """So many copies of the rows of `each` matches, with numbers, places and interactions of their own."""
    steps = {"id": each, "match_id": each, "number": each, "interaction_id": STEP, "channel_id": STEP}
    numbers = select(literal(1).label("i")).cte("n", recursive=True)
    n = numbers.union_all(select(numbers.c.i + 1).where(numbers.c.i < times))
    for table in tables:
        values = [
            (column + n.c.i * steps[column.name]).label(column.name) if column.name in steps else column
            for column in table.c
        ]
        copies = select(*values).select_from(table.join(n, true()))
        connection.execute(insert(table).from_select([column.key for column in table.c], copies))


async def _used(database: Database, address: str) -> int:
    """Bytes that the store uses."""
    if SERVER is not None:
        import asyncpg

        connection = await asyncpg.connect(address.replace("+asyncpg", ""))
        try:
            await connection.execute("VACUUM FULL")
        finally:
            await connection.close()
        tables = [func.pg_total_relation_size(name) for name in schema.metadata.tables]
        return int(await database.read(lambda one: sum(one.execute(select(*tables)).one())))

    def pages(connection: Connection) -> int:
        return sum(
            sign * int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for sign, name in ((1, "page_count"), (-1, "freelist_count"))
        ) * int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())

    return await database.read(pages)
