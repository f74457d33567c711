"""What grows with the number of matches: the cost of commands and of a query, bytes in the store, memory of a server.

The benchmark ``store``: a person who has played thousands of matches uses the commands, by turns on a bot with very
many matches on this server and on a bot with only a few. The CPU time "at a stretch" is that of the bot's main thread
without a chance to serve somebody else. `benchmarks.neighbours` measures animations and hints.

Parts of ``host`` and ``server``: a query for the open matches of a channel, and the bytes of a finished match, on
SQLite and on PostgreSQL. Matches are played at random and copied. Only bytes in use count, not SQLite's free pages or
dead rows of a server.
"""

from __future__ import annotations

import asyncio
import gc
import json
import shutil
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from sqlite3 import connect
from statistics import mean, median
from time import perf_counter
from typing import Any, Final, NamedTuple, cast

import discord
from sqlalchemy import func, select

from benchmarks import filling
from benchmarks.crowd import Bench, Crowd, percentiles, with_bots
from benchmarks.measure import Length, Report
from bot import Ambit
from cogs.process import slimming
from db import Connection, Database
from db.matches import queries, retention
from db.model import schema
from games import GAMES
from matches.api import Host, Match, MatchId, NewMatch, Person, Status, UserId

# Commands, with few matches in the store and with many.

STRETCH_CEILING: Final = 20.0
"""CPU milliseconds for which a command may block the loop at a stretch."""

WAIT_CEILING: Final = 1.5
"""The 99th percentile of waits with many matches, as a multiple of that with few."""

OURS_OF: Final = 20
"""One in this many finished matches is the person's own."""

PLAYERS_KNOWN: Final = 2_000
"""Number of different groups of other people in the finished matches."""


_PLAYERS: Final = "(SELECT count(*) FROM seats AS others WHERE others.match_id = matches.id)"
_SEATED: Final = "FROM matches JOIN seats ON seats.match_id = matches.id WHERE matches.counts"
_WON: Final = "coalesce(sum(CASE WHEN seats.won THEN 1 ELSE 0 END), 0)"
_BEST: Final = "max(coalesce(seats.points, 0))"
_COUNTING: Final = (
    "INSERT INTO player_tallies (user_id, game, players, played, won, best) "
    f"SELECT seats.user_id, matches.game, {_PLAYERS} AS players, count(*), {_WON}, {_BEST} {_SEATED} "
    "AND seats.user_id IS NOT NULL GROUP BY 1, 2, 3",
    "INSERT INTO guild_tallies (guild_id, game, players, played) "
    f"SELECT guild_id, game, {_PLAYERS} AS players, count(*) FROM matches "
    "WHERE counts AND guild_id IS NOT NULL GROUP BY 1, 2, 3",
    "INSERT INTO guild_player_tallies (guild_id, game, players, user_id, won, best, name, placeholder) "
    f"SELECT matches.guild_id, matches.game, {_PLAYERS} AS players, coalesce(seats.user_id, 0), {_WON}, {_BEST}, "
    "max(seats.name), max('Player ' || CAST(coalesce(seats.seat, seats.position) + 1 AS VARCHAR)) "
    f"{_SEATED} AND matches.guild_id IS NOT NULL AND seats.computer IS NULL GROUP BY 1, 2, 3, 4",
)
"""Counts the matches that exist now."""


COMMANDS: Final[dict[str, dict[str, Any]]] = {
    "match": {},
    "match match:…": {"match": 0},
    "play": {},
    "tables": {},
    "leaderboard": {},
    "profile": {},
}
"""Commands with their options. `match` is replaced by a finished match."""

TYPING: Final = "match match:▏"
"""Stands for the suggestions that are shown while somebody types this command."""


def run(length: Length) -> bool:
    """Print the rows of the commands. Returns whether they keep their ceilings."""
    return with_bots(length, _commands)


async def fill(folder: Path, finished: int, running: int) -> tuple[Path, Path]:
    """Fill the two files. Both have a running and a finished match of every game; the large one has this many."""
    small, large = folder / "store-small.db", folder / "store-large.db"
    async with filling.host_on(filling.sqlite(small), "matches that run") as (_, host, _):
        for number in range(1, len(filling.KEYS) + 1):
            await filling.begun_at(host, number)
    shutil.copy(small, large)
    await filling.copy_on(large, running, 0)
    for file in (small, large):
        async with filling.host_on(filling.sqlite(file), "matches that are over") as (_, host, rng):
            for game in filling.KEYS:
                match = await filling.begun_at(host, 1, game, max(2, GAMES[game].info.min_players))
                while match.status is Status.RUNNING:
                    match = await filling.moved(host, match, rng)
    await asyncio.to_thread(_finish, large, finished)
    for file in (small, large):
        await asyncio.to_thread(_move_to_one_server, file)
        await asyncio.to_thread(filling.nothing_to_tell, file)
    return small, large


def _move_to_one_server(file: Path) -> None:
    """Move all matches to the first table's server."""
    first = "(SELECT guild_id FROM matches WHERE id = 1)"
    filling.change(file, *(f"UPDATE {table} SET guild_id = {first}" for table in ("matches", "deadlines")))


def _finish(file: Path, count: int) -> None:
    """Copy the finished matches without their logs, because nobody looks at more than their results."""
    with closing(connect(file)) as connection:
        first, last = connection.execute("SELECT min(id), max(id) FROM matches WHERE status = 'over'").fetchone()
        each = last - first + 1
        copies = f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count // each} - 2)"
        step = f"+ (n.i + 1) * {each}"
        somebody = f"user_id + CASE WHEN n.i % {OURS_OF} THEN (n.i % {PLAYERS_KNOWN} + 100000) << 22 ELSE 0 END"
        for table, key, changed in (
            ("matches", "id", {"id": f"id {step}"}),
            ("seats", "match_id", {"match_id": f"match_id {step}", "user_id": somebody}),
        ):
            changed["ended_at"] = "ended_at + n.i"
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(changed.get(name, name) for name in names)
            connection.execute(
                f"INSERT INTO {table} ({', '.join(names)}) {copies} SELECT {values} FROM {table}, n "
                f"WHERE {key} BETWEEN {first} AND {last}"
            )
        for table in ("player_tallies", "guild_tallies", "guild_player_tallies"):
            connection.execute(f"DELETE FROM {table}")
        for statement in _COUNTING:
            connection.execute(statement)
        connection.commit()


class _Person:
    """A person who uses commands on a bot: the seconds of each use, and the longest stretch of each command."""

    def __init__(self, some: Crowd) -> None:
        self._some, self._table = some, some.tables[1]
        self._over = some.asked("SELECT min(id) FROM matches WHERE status = 'over'")
        self.waits: dict[str, list[float]] = {}
        self.longest: dict[str, float] = {}

    async def use(self, name: str) -> None:
        """Use a command, or type one."""
        person, place = self._table.people[0], self._table.channel
        self._some.noted()
        begun = perf_counter()
        if name == TYPING:
            await person.complete(place, "match", "match")
        else:
            options = COMMANDS[name] | ({"match": self._over} if "match" in COMMANDS[name] else {})
            await person.command(place, name.partition(" ")[0], how=None, **options)
        self.waits.setdefault(name, []).append(perf_counter() - begun)
        self.longest[name] = max(self.longest.get(name, 0.0), *self._some.noted(), 0.0)


async def _commands(bench: Bench) -> None:
    # Each round uses every command so many times.
    finished, running, times, rounds = bench.length.of(
        (100_000, 10_000, 100, 3), (10_000, 1_000, 40, 3), (20, 10, 1, 1)
    )
    small, large = await fill(bench.folder, finished, running)
    names, noting = [*COMMANDS, TYPING], {"BENCH_NOTE": "stretches"}
    async with (
        bench.crowd("store-small", small, {1: filling.players_of(1)}, orders=noting) as with_few,
        bench.crowd("store-large", large, {1: filling.players_of(1)}, orders=noting) as with_many,
    ):
        few, many = _Person(with_few), _Person(with_many)
        for person in (few, many):
            for name in names:
                await person.use(name)
        shares, waits, longest = ({name: list[float]() for name in names} for _ in range(3))
        for _ in range(rounds):
            few.waits.clear()
            many.waits.clear()
            many.longest.clear()
            for time in range(times):
                for name in names:
                    for person in (few, many) if time % 2 else (many, few):
                        await person.use(name)
            for name in names:
                shares[name].append(percentiles(many.waits[name])[1] / percentiles(few.waits[name])[1])
                waits[name] += many.waits[name]
                longest[name].append(many.longest[name])
    report, title = bench.report, f"{finished:,} finished, {running:,} open matches"
    report.head(title, "p50 ms", "p99 ms", "p99/few", "at a stretch ms")
    for name in names:
        # The median, because the longest stretch of a round may belong to other work of the bot.
        (half, most), share, stretch = percentiles(waits[name]), median(shares[name]), median(longest[name])
        kept = share <= WAIT_CEILING and stretch <= STRETCH_CEILING
        enough = bench.length is Length.WHOLE or stretch > STRETCH_CEILING
        cells = f"{half:.1f}", f"{most:.1f}", f"{share:.2f}", f"{stretch:.1f}"
        report.row(name, *cells, kept=kept, enough=enough)
    report.row("ceilings", "", "", f"{WAIT_CEILING:.1f}", f"{STRETCH_CEILING:.0f}")


# A question about open matches, and bytes of those that are over.

SLOWER_CEILING: Final = 3.0
"""Time of a query for the matches of a channel with very many open matches, as a multiple of that with few."""

BYTES_CEILING: Final = 12_000
"""Bytes of a finished match, a day after its last move."""

FEW: Final = 50
ASKED: Final = 200
"""Queries of one round."""

_NAMES: Final = ("matches", "seats", "log", "rated_results", "rating_points")
OF_A_MATCH: Final = [schema.metadata.tables[name] for name in _NAMES]
STEPS: Final = dict.fromkeys(("interaction_id", "channel_id"), 1_000_000)
"""How much larger these ids are in the next copy of a match."""

GUILD: Final = 555
PRESSED: Final = 2**60
WIDTH: Final = 50
"""Width of the titles of these rows."""

New = Callable[[], Awaitable[str]]
"""Makes an empty store on a server and returns its address."""


async def measure(bench: Bench, new: New | None = None) -> None:
    """Print what grows in files, or in stores that `new` makes on a server."""
    # The open matches, how often they are asked about, the matches of each game that are over, and copies of each.
    lobbies, rounds, played, copies = bench.length.of((50_000, 9, 8, 100), (10_000, 9, 1, 100), (100, 1, 1, 2))

    async def address(name: str) -> str:
        return filling.sqlite(bench.folder / name) if new is None else await new()

    share = await _question(await address("growth-few.db"), await address("growth-many.db"), lobbies, rounds)
    over = await finished(await address("growth-over.db"), played, copies)
    report = bench.report
    store = "SQLite" if new is None else "PostgreSQL"
    report.head(f"{f'What grows, {store}':{WIDTH}}", "", "ceiling")
    few = f"matches_in with {lobbies:,} open matches / with {FEW}"
    report.row(f"{few:{WIDTH}}", f"{share:.2f}", f"{SLOWER_CEILING:.1f}", kept=share <= SLOWER_CEILING)
    a_match = f"{'bytes of a finished match':{WIDTH}}"
    report.row(a_match, f"{over.whole:,.0f}", f"{BYTES_CEILING:,}", kept=over.whole <= BYTES_CEILING)
    report.row(f"{'… whose moves were deleted':{WIDTH}}", f"{over.pruned:,.0f}")
    report.row(f"{'moves, lines and seats of such a match':{WIDTH}}", *(f"{each:.1f}" for each in over[:3]))


async def _question(few: str, many: str, lobbies: int, rounds: int) -> float:
    """The time of a query for the matches of a channel with many open matches, as a multiple of that with few."""
    async with filling.host_on(few, "few") as (some, host, _), filling.host_on(many, "many") as (lots, other, _):
        for place in range(1, FEW + 1):
            for each in (host, other):
                await each.lobby.open(NewMatch("gambo", place, guild_id=GUILD), Person(UserId(place), "Ann"))
        more = partial(filling.copy, table=schema.matches, each=FEW, most=lobbies, steps=STEPS)
        await lots.at_length(more, writes=True)
        shares = []
        for _ in range(rounds):
            before, after = [await _seconds(database) for database in (some, lots)]
            shares.append(after / before)
    return median(shares)


async def _seconds(database: Database) -> float:
    """The seconds that the queries of one round take."""

    def ask(connection: Connection) -> None:
        for number in range(ASKED):
            found = queries.matches_shown_in(connection, 1 + number % FEW, (Status.LOBBY, Status.RUNNING))
            assert len(found) == 1

    begun = perf_counter()
    await database.read(ask)
    return perf_counter() - begun


class Finished(NamedTuple):
    """The averages of finished matches: moves, lines and seats, and bytes with and without the lines."""

    moves: float
    lines: float
    seats: float
    whole: float
    pruned: float


async def finished(address: str, played: int, copies: int) -> Finished:
    """Measure finished matches once their interaction ids are deleted."""
    async with filling.host_on(address, "matches that grow") as (database, host, rng):
        empty = await _used(database, address)
        matches, moves = await _played(host, rng, played)
        each = len(matches)
        later = max(match.ended_at for match in matches if match.ended_at is not None) + timedelta(days=365)

        def copy_all(connection: Connection) -> None:
            connection.execute(schema.outbox.delete())
            for table in OF_A_MATCH:
                filling.copy(connection, table, each, each * (copies + 1), STEPS)

        def forget(connection: Connection) -> bool:
            retention.forget_presses(connection, later, 10_000)
            return retention.has_old_presses(connection, later)

        def prune(connection: Connection) -> None:
            every = connection.execute(select(schema.matches.c.id)).scalars().all()
            retention.prune(connection, [(MatchId(number), "0" * 64) for number in every])

        await database.at_length(copy_all, writes=True)
        while await database.write(forget):
            pass
        number = each * (copies + 1)
        whole = (await _used(database, address) - empty) / number
        await database.at_length(prune, writes=True)
        pruned = (await _used(database, address) - empty) / number
        lines, seats = mean(match.ply for match in matches), mean(len(match.seats) for match in matches)
        return Finished(moves / each, lines, seats, whole, pruned)


async def _played(host: Host, rng: Random, times: int) -> tuple[list[Match], int]:
    """Play matches of every game at random, with the fewest players. Return them, and how many moves were made.

    Every move has an interaction id.
    """
    press, over, moves = count(PRESSED), [], 0
    for game in [*GAMES] * times:
        people = [Person(UserId(next(press)), f"Player {number}") for number in range(GAMES[game].info.min_players)]
        match = await filling.begun(host, NewMatch(game, 1, guild_id=GUILD), people, press)
        while match.mover is not None:
            match = await filling.moved(host, match, rng, next(press))
            moves += 1
        over.append(match)
    return over, moves


async def _used(database: Database, address: str) -> int:
    """The bytes that the store uses."""
    if not address.startswith("sqlite"):
        await filling.ask_server(address, "VACUUM FULL")
        sizes = [func.pg_total_relation_size(name) for name in schema.metadata.tables]
        return int(await database.read(lambda connection: sum(connection.execute(select(*sizes)).one())))

    def pages(connection: Connection) -> int:
        return sum(
            sign * int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
            for sign, name in ((1, "page_count"), (-1, "freelist_count"))
        ) * int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())

    return await database.read(pages)


# A server in memory.

SERVERS: Final = 9
CHANNELS, ROLES, CATEGORY = 30, 25, 10
"""The channels and roles of a server whose memory is measured. Of every `CATEGORY` channels, the first is a category,
and the others are in it and share its overwrites."""

OVERWRITES: Final = ((1024, 2112), (0, 2048), (0, 64))
"""What the overwrites of a channel allow and deny. The last is about reactions, so nobody reads it."""

LARGER: Final = (100, 60)
"""The channels and roles of a larger server."""

A_SERVER: Final = 25_000
"""Ceiling of the bytes of a server."""


def measure_a_server(report: Report) -> None:
    """Print how much memory a server of Discord takes in the bot, and how much it would take without `slimming`."""
    report.head(f"{f'A server of {CHANNELS} channels, {ROLES} roles, bytes':{WIDTH}}", "", "ceiling")
    kept, larger = of_a_server(), "… with {} channels, {} roles (discord.py keeps)".format(*LARGER)
    report.row(f"{'all that discord.py keeps':{WIDTH}}", f"{of_a_server(whole=True):,.0f}")
    report.row(f"{'what the bot keeps':{WIDTH}}", f"{kept:,.0f}", f"{A_SERVER:,}", kept=kept <= A_SERVER)
    report.row(f"{'… if no two channels share overwrites':{WIDTH}}", f"{of_a_server(apart=True):,.0f}")
    of_larger, all_of_it = (f"{of_a_server(*LARGER, whole=whole):,.0f}" for whole in (False, True))
    report.row(f"{larger:{WIDTH}}", of_larger, f"({all_of_it})")


def of_a_server(channels: int = CHANNELS, roles: int = ROLES, *, apart: bool = False, whole: bool = False) -> float:
    """The bytes of a server in the cache of discord.py, with the intents of the bot; `whole`: of all that is said."""
    client = Ambit()
    said = [_server(number, channels, roles, apart) for number in range(SERVERS)]
    kept = []
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for text in said:
        # It is parsed here so that its strings are made while memory is traced, as when Discord sends it.
        data = json.loads(text)
        guild = discord.Guild(data=data if whole else cast(Any, slimming.server(data)), state=client._connection)
        if not whole:
            slimming.share(guild)
        kept.append(guild)
    del guild, data
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / SERVERS


def _server(number: int, channels: int, roles: int, apart: bool) -> str:
    """A server as Discord sends it to a bot whose only intent is guilds. `apart`: no two channels share overwrites."""
    ids = map(str, count((number + 1) * 10**17))
    own = next(ids)
    # Every third role has more than what everybody has, every third nothing at all.
    granted = ("1071698660929", "1071698668609", "0")
    role = {"name": "A role with a name", "color": 0, "hoist": False, "managed": False, "mentionable": False}
    role |= {"flags": 0, "icon": None, "unicode_emoji": None, "tags": {"bot_id": "123456789012345678"}}
    all_roles = [
        {**role, "id": next(ids) if each else own, "position": each, "permissions": granted[each % 3]}
        for each in range(roles)
    ]
    made: list[dict[str, Any]] = []
    for each in range(channels):
        first = each if apart else each // CATEGORY
        overwrites = [
            {"id": all_roles[(first + other) % roles]["id"], "type": 0, "allow": str(allow), "deny": str(deny)}
            for other, (allow, deny) in enumerate(OVERWRITES)
        ]
        channel = {"id": next(ids), "name": f"channel-{each}", "position": each, "permission_overwrites": overwrites}
        if each % CATEGORY == 0:
            made.append({**channel, "type": 4, "flags": 0})
            continue
        channel |= {"parent_id": made[each - each % CATEGORY]["id"], "last_message_id": next(ids), "flags": 0}
        if each % CATEGORY > CATEGORY - 3:
            made.append({**channel, "type": 2, "bitrate": 64000, "user_limit": 0, "rtc_region": None})
        else:
            made.append({**channel, "type": 0, "topic": "What is talked about here, and what isn't. " * 3})
    features, icon = ["COMMUNITY", "NEWS", "INVITE_SPLASH"], "a_0123456789abcdef0123456789abcdef"
    server = {"id": own, "name": "A server", "owner_id": next(ids), "features": features, "icon": icon}
    about = {"description": "What it is about. " * 5, "member_count": 99}
    return json.dumps({**server, **about, "roles": all_roles, "channels": made})
