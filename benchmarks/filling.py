"""Fills the stores of benchmarks: with matches played at random on the real host, and with copies of them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, Final

from sqlalchemy import Table as Rows
from sqlalchemy import func, insert, literal, select, true

from benchmarks.measure import peer
from db import Connection, Database
from db.model import schema
from games import GAMES
from matches.api import Host, Match, NewMatch, Once, Person, Status, UserId
from matches.computers.levels import Level
from tests.wire.discord_standin import Discord
from tests.wire.table import Table

KEYS: Final = tuple(GAMES)
PLAYERS: Final = 4
"""Players of each match, within the limits of its game."""

PLAYED: Final = range(4, 13)
"""Number of moves made in a match before the bot starts."""

SHIFT: Final = 22
"""The ids of table number n are those of table number 1 plus (n - 1) << SHIFT."""


def game_of(number: int) -> str:
    """The game of match number `number`; the games take turns."""
    return KEYS[(number - 1) % len(KEYS)]


def players_of(number: int) -> int:
    """The number of players of match number `number`."""
    info = GAMES[game_of(number)].info
    return min(max(PLAYERS, info.min_players), info.max_players)


def sqlite(file: Path) -> str:
    """The address of the store in a file."""
    return f"sqlite+aiosqlite:///{file}"


@asynccontextmanager
async def host_on(address: str, seed: str) -> AsyncIterator[tuple[Database, Host, Random]]:
    """Open a store and a host on it. Also gives the random generator that the host and the players use."""
    rng = Random(seed)
    async with await Database.open(address) as database:
        yield database, Host(database, entropy=rng.randbytes), rng


def nowhere(players: int, number: int) -> Table:
    """A table that no bot serves. It only provides the names and ids of its people."""
    return Table.of(Discord(), players, number=number)


def people_of(table: Table) -> list[Person]:
    """The people of a table as the host knows them."""
    return [Person(UserId(person.id), person.user.global_name or "") for person in table.people]


async def begun(host: Host, request: NewMatch, people: Sequence[Person], presses: Iterator[int] | None = None) -> Match:
    """Begin a match of these people. `presses` are the ids of their interactions."""
    press: Callable[[], int | None] = partial(next, presses or repeat(None))
    match = await host.lobby.open(replace(request, interaction_id=press()), people[0])
    for person in people[1:]:
        match = await host.lobby.join(Once(match.id, press()), person)
    return (
        match if match.status is Status.RUNNING else await host.lobby.start(Once(match.id, press()), people[0].user_id)
    )


async def begun_at(host: Host, number: int, game: str | None = None, players: int | None = None) -> Match:
    """Begin a match of everybody at table `number`."""
    table = nowhere(players or players_of(number), number)
    return await begun(host, request_at(table, game or game_of(number)), people_of(table))


def request_at(table: Table, game: str) -> NewMatch:
    """A request for a match in the channel of a table."""
    return NewMatch(game, table.channel.id, guild_id=table.channel.guild_id)


async def moved(host: Host, match: Match, rng: Random, press: int | None = None) -> Match:
    """Make any move for the person whose turn it is. Returns the match after it."""
    assert match.mover is not None
    assert match.mover.user_id is not None
    view = await host.look.view(match, match.mover.user_id)
    return await host.play.act(Once(match.id, press), match.mover.user_id, rng.choice(view.moves).text)


async def against_a_computer(host: Host, number: int) -> None:
    """Begin a match of the one person at table `number` against a computer that thinks for a third of a second."""
    table = nowhere(1, number)
    (person,) = people_of(table)
    match = await host.lobby.open(request_at(table, "gambo"), person)
    match = await host.lobby.add_computer(match.id, person.user_id, Level.NORMAL)
    assert (match.id, match.status) == (number, Status.RUNNING)


async def fill(file: Path, count: int) -> None:
    """Begin matches 1 to `count` and play each for some moves. The outbox keeps only its last board and hand."""
    async with host_on(sqlite(file), "matches of the benchmark host") as (_, host, rng):
        for number in range(1, count + 1):
            match = await begun_at(host, number)
            assert match.id == number
            left = rng.choice(PLAYED)
            while left and match.status is Status.RUNNING and match.mover is not None:
                match = await moved(host, match, rng)
                left -= 1
    change(file, "DELETE FROM outbox WHERE ply < (SELECT ply FROM matches WHERE id = match_id)")


async def copy_on(file: Path, count: int, to_tell: int) -> None:
    """Add copies of the matches, each with a channel and people of its own, until there are `count`.

    The outbox keeps the last board and hand of the matches up to number `to_tell`.
    """

    def copy_all(connection: Connection) -> None:
        each = connection.execute(select(func.count()).select_from(schema.matches)).scalar_one()
        steps = dict.fromkeys(("host_id", "user_id", "guild_id", "channel_id"), each << SHIFT)
        for table in (schema.matches, schema.seats, schema.log, schema.outbox, schema.deadlines):
            copy(connection, table, each, to_tell if table is schema.outbox else count, steps)

    async with await Database.open(sqlite(file)) as database:
        await database.at_length(copy_all, writes=True)


def copy(connection: Connection, table: Rows, each: int, most: int, steps: Mapping[str, int]) -> None:
    """Copy a table's rows about the first `each` matches again and again, up to match number `most`.

    `steps` says how much larger a column is than in the copy before; numbers of matches and results are `each` larger.
    """
    steps = {"id": each, "match_id": each, "number": each, **steps}
    columns = [column for column in table.c if (table, column.name) != (schema.outbox, "id")]
    numbers = select(literal(1).label("i")).cte("n", recursive=True)
    n = numbers.union_all(select(numbers.c.i + 1).where((numbers.c.i + 1) * each < most))
    values = [column + n.c.i * steps[column.name] if column.name in steps else column for column in columns]
    # Rating points have the number of a result, and nothing of its match.
    number = next(table.c[name] for name in ("match_id", "number", "id") if name in table.c)
    copies = select(*values).select_from(table.join(n, true())).where(number + n.c.i * each <= most)
    connection.execute(insert(table).from_select([column.key for column in columns], copies))


def nothing_to_tell(file: Path) -> None:
    """Empty the outbox."""
    change(file, "DELETE FROM outbox")


def change(file: Path, *statements: str) -> None:
    """Execute statements on a file that no program has open."""
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


async def ask_server(address: str, statement: str) -> Any:
    """Execute a statement on a PostgreSQL server outside of transactions. Returns its value. Raises PeerMissing."""
    connection = await peer("asyncpg", "asyncpg").connect(address.replace("+asyncpg", ""))
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()
