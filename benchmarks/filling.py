"""Stores that benchmarks fill: matches that are begun and moved at random on the real host, and copies of them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.measure import peer
from db import Database
from games import GAMES
from matches.api import Host, Match, NewMatch, Once, Person, Status, UserId
from matches.computers.levels import Level
from tests.wire.discord_standin import Discord
from tests.wire.table import Table

KEYS: Final = tuple(GAMES)
PLAYERS: Final = 4
"""How many play each match, where so many can."""

PLAYED: Final = range(4, 13)
"""Moves that have been made in the matches when the bot starts."""

OF_A_MATCH: Final = ("seats", "log", "outbox", "deadlines")
SHIFT: Final = 22
"""The ids of table number n are those of number 1, moved on by (n - 1) << 22."""


def game_of(number: int) -> str:
    """The game of match number `number`: all games by turns."""
    return KEYS[(number - 1) % len(KEYS)]


def players_of(number: int) -> int:
    """How many play it."""
    info = GAMES[game_of(number)].info
    return min(max(PLAYERS, info.min_players), info.max_players)


def sqlite(file: Path) -> str:
    """The address of a store in this file."""
    return f"sqlite+aiosqlite:///{file}"


@asynccontextmanager
async def host_on(address: str, seed: str) -> AsyncIterator[tuple[Database, Host, Random]]:
    """A store, a host on it, and the chance that both the host and whoever moves there use."""
    rng = Random(seed)
    async with await Database.open(address) as database:
        yield database, Host(database, entropy=rng.randbytes), rng


def nowhere(players: int, number: int) -> Table:
    """A table that is needed for the names and ids of its people alone."""
    return Table.of(Discord(), players, number=number)


def people_of(table: Table) -> list[Person]:
    """The people of a table as the host knows them."""
    return [Person(UserId(person.id), person.user.global_name or "") for person in table.people]


async def begun(host: Host, request: NewMatch, people: Sequence[Person], presses: Iterator[int] | None = None) -> Match:
    """A match that these people have begun; `presses` are the numbers of their interactions."""
    press: Callable[[], int | None] = partial(next, presses or repeat(None))
    match = await host.lobby.open(replace(request, interaction_id=press()), people[0])
    for person in people[1:]:
        match = await host.lobby.join(Once(match.id, press()), person)
    return (
        match if match.status is Status.RUNNING else await host.lobby.start(Once(match.id, press()), people[0].user_id)
    )


async def begun_at(host: Host, number: int, game: str | None = None, players: int | None = None) -> Match:
    """A match that everybody of table `number` has begun."""
    table = nowhere(players or players_of(number), number)
    return await begun(host, request_at(table, game or game_of(number)), people_of(table))


def request_at(table: Table, game: str) -> NewMatch:
    """A match of this game in the channel of a table."""
    return NewMatch(game, table.channel.id, guild_id=table.channel.guild_id)


async def moved(host: Host, match: Match, rng: Random, press: int | None = None) -> Match:
    """The match after any move of the person on turn."""
    assert match.mover is not None
    assert match.mover.user_id is not None
    view = await host.look.view(match, match.mover.user_id)
    return await host.play.act(Once(match.id, press), match.mover.user_id, rng.choice(view.moves).text)


async def against_a_computer(host: Host, number: int) -> None:
    """A match of table `number`'s one person and a computer that thinks for a third of a second."""
    table = nowhere(1, number)
    (person,) = people_of(table)
    match = await host.lobby.open(request_at(table, "gambo"), person)
    match = await host.lobby.add_computer(match.id, person.user_id, Level.NORMAL)
    assert (match.id, match.status) == (number, Status.RUNNING)


async def fill(file: Path, count: int) -> None:
    """Matches 1 to `count`, each somewhere in its first third; only its last board and hand are left to be told."""
    async with host_on(sqlite(file), "matches of the benchmark host") as (_, host, rng):
        for number in range(1, count + 1):
            match = await begun_at(host, number)
            assert match.id == number
            left = rng.choice(PLAYED)
            while left and match.status is Status.RUNNING and match.mover is not None:
                match = await moved(host, match, rng)
                left -= 1
    change(file, "DELETE FROM outbox WHERE ply < (SELECT ply FROM matches WHERE id = match_id)")


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
                copies = (_moved_on(row, first) for row in rows if _number(row) + first <= most)
                connection.executemany(statement, [[row[name] for name in names] for row in copies])
        connection.commit()


def _number(row: dict[str, Any]) -> int:
    return int(row["match_id"] if "match_id" in row else row["id"])


def _moved_on(row: dict[str, object], by: int) -> dict[str, object]:
    """The row of a match, as that of the match so many numbers on."""
    steps = dict.fromkeys(("id", "match_id"), by) | dict.fromkeys(
        ("host_id", "user_id", "guild_id", "channel_id"), by << SHIFT
    )
    return row | {name: int(str(row[name])) + step for name, step in steps.items() if row.get(name) is not None}


def nothing_to_tell(file: Path) -> None:
    """Everything of these matches has been told."""
    change(file, "DELETE FROM outbox")


def change(file: Path, *statements: str) -> None:
    """Carry statements out in a file that no program has open."""
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


async def ask_server(address: str, statement: str) -> Any:
    """What a PostgreSQL server answers to a statement, outside any transaction. Raises PeerMissing."""
    connection = await peer("asyncpg", "asyncpg").connect(address.replace("+asyncpg", ""))
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()
