"""How finished matches ended: played, won, best, by game and number of players (only matches that count)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Integer, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from db import schema

_matches, _seats = schema.matches, schema.seats
_all_seats = _seats.alias("all_seats")
_PLAYERS: Final[ColumnElement[int]] = (
    select(func.count()).where(_all_seats.c.match_id == _matches.c.id).scalar_subquery().label("players")
)
_PLAYED: Final = (func.count(), func.sum(cast(_seats.c.won, Integer)), func.max(_seats.c.points))


class TallyRow(NamedTuple):
    """Of one game with so many players: matches played and won by somebody, and the highest score reached."""

    game: str
    players: int
    user_id: int | None
    name: str
    played: int
    won: int
    best: int


async def of_person(connection: AsyncConnection, user_id: int) -> list[TallyRow]:
    """What this person has played, by game and number of players."""
    return await _tally(connection, _seats.c.user_id == user_id)


async def of_guild(connection: AsyncConnection, guild_id: int) -> list[TallyRow]:
    """What was played on a server, by game, number of players and person."""
    return await _tally(connection, (_matches.c.guild_id == guild_id) & _seats.c.computer.is_(None))


async def matches_of_guild(connection: AsyncConnection, guild_id: int) -> dict[tuple[str, int], int]:
    """How many matches were played on a server, by game and number of players."""
    wanted = (_matches.c.guild_id == guild_id) & _matches.c.counts
    statement = select(_matches.c.game, _PLAYERS, func.count()).where(wanted).group_by(_matches.c.game, "players")
    return {(game, players): count for game, players, count in await connection.execute(statement)}


async def _tally(connection: AsyncConnection, wanted: ColumnElement[Any]) -> list[TallyRow]:
    who = (_seats.c.user_id, func.max(_seats.c.name))
    statement = (
        select(_matches.c.game, _PLAYERS, *who, *_PLAYED)
        .join(_seats, _seats.c.match_id == _matches.c.id)
        .where(wanted, _matches.c.counts)
        .group_by(_matches.c.game, "players", _seats.c.user_id)
        .order_by(_matches.c.game, "players", _seats.c.user_id)
    )
    return [TallyRow(*row) for row in await connection.execute(statement)]
