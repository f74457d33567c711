"""How finished matches ended: played, won, best, by game and number of players (only matches that count).

The numbers are kept, not counted when they are asked for: whoever ends a match adds it in the same transaction, and
forgetting a person moves what they did on a server to those who have no name.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Integer,
    String,
    bindparam,
    case,
    cast,
    delete,
    func,
    literal,
    select,
)

from db import schema
from db.ids import MatchId, UserId
from db.upserts import upsert

NAMELESS: Final = 0
"""The user id of all people together who were forgotten."""

_matches, _seats = schema.matches, schema.seats
_of_people, _of_guilds, _on_guilds = schema.player_tallies, schema.guild_tallies, schema.guild_player_tallies
_all_seats = _seats.alias("all_seats")


class Tally(NamedTuple):
    """Of one game with so many players: matches played, and how many were won, of a server by who won most (`winner`).

    `best` is the highest score reached, of a server by `scorer`; among equals it is who comes first by user id.
    """

    game: str
    players: int
    played: int
    won: int
    best: int
    winner: str = ""
    scorer: str = ""


def placeholder() -> ColumnElement[str]:
    """What a seat is called once its person is forgotten: ``Player 3``."""
    number: ColumnElement[Any] = func.coalesce(_seats.c.seat, _seats.c.position) + 1
    return literal("Player ").concat(cast(number, String))


_GAME: Final = (
    _matches.c.game,
    select(func.count()).where(_all_seats.c.match_id == _matches.c.id).scalar_subquery().label("players"),
)
_OF_MATCH: Final = _matches.c.id == bindparam("match_id")
_WON: Final = func.coalesce(cast(_seats.c.won, Integer), 0)
_POINTS: Final = func.coalesce(_seats.c.points, 0)
_SEATED: Final = _matches.join(_seats, _seats.c.match_id == _matches.c.id)
_ONE: Final = literal(1, Integer).label("played")

_PEOPLE: Final = (
    select(_seats.c.user_id, *_GAME, _ONE, _WON.label("won"), _POINTS.label("best"))
    .select_from(_SEATED)
    .where(_OF_MATCH, _seats.c.user_id.is_not(None))
)
_GUILD: Final = select(_matches.c.guild_id, *_GAME, _ONE).where(_OF_MATCH, _matches.c.guild_id.is_not(None))
_WHO: Final = func.coalesce(_seats.c.user_id, NAMELESS)
_ON_GUILD: Final = (
    select(
        _matches.c.guild_id,
        *_GAME,
        _WHO.label("user_id"),
        func.sum(_WON).label("won"),
        func.max(_POINTS).label("best"),
        func.max(_seats.c.name).label("name"),
        func.max(placeholder()).label("placeholder"),
    )
    .select_from(_SEATED)
    .where(_OF_MATCH, _matches.c.guild_id.is_not(None), _seats.c.computer.is_(None))
    .group_by(_matches.c.id, _matches.c.guild_id, _matches.c.game, _WHO)
)
_TO_FORGET: Final = select(
    _on_guilds.c.guild_id,
    _on_guilds.c.game,
    _on_guilds.c.players,
    literal(NAMELESS, Integer).label("user_id"),
    _on_guilds.c.won,
    _on_guilds.c.best,
    _on_guilds.c.placeholder.label("name"),
    _on_guilds.c.placeholder,
).where(_on_guilds.c.user_id == bindparam("person"))

_SUMS: Final = ("played", "won")


def add(connection: Connection, match_id: MatchId) -> None:
    """This match, whose results are stored, counts."""
    for table, rows in ((_of_people, _PEOPLE), (_of_guilds, _GUILD), (_on_guilds, _ON_GUILD)):
        connection.execute(upsert(connection.dialect, table, rows, _merged), {"match_id": match_id})


def forget(connection: Connection, user_id: UserId) -> None:
    """What this person did is nobody's; on a server it counts for all together who were forgotten."""
    connection.execute(upsert(connection.dialect, _on_guilds, _TO_FORGET, _merged), {"person": user_id})
    for table in (_on_guilds, _of_people):
        connection.execute(delete(table).where(table.c.user_id == user_id))


def of_person(connection: Connection, user_id: UserId) -> list[Tally]:
    """What this person has played, by game and number of players."""
    mine = _of_people.c
    statement = select(mine.game, mine.players, mine.played, mine.won, mine.best).where(mine.user_id == user_id)
    return [Tally(*row) for row in connection.execute(statement.order_by(mine.game, mine.players))]


def of_guild(connection: Connection, guild_id: int) -> list[Tally]:
    """What people have played on a server, by game and number of players."""
    winners, scorers = _on_guilds.alias("winners"), _on_guilds.alias("scorers")
    statement = (
        select(
            _of_guilds.c.game,
            _of_guilds.c.players,
            _of_guilds.c.played,
            winners.c.won,
            scorers.c.best,
            winners.c.name,
            scorers.c.name,
        )
        .select_from(_of_guilds)
        .join(winners, _same_game(winners) & (winners.c.user_id == _first_with_most("won")))
        .join(scorers, _same_game(scorers) & (scorers.c.user_id == _first_with_most("best")))
        .where(_of_guilds.c.guild_id == guild_id)
        .order_by(_of_guilds.c.game, _of_guilds.c.players)
    )
    return [Tally(*row) for row in connection.execute(statement)]


def _same_game(table: FromClause) -> ColumnElement[bool]:
    """Rows of the same server, game and number of players as the server's row."""
    same: ColumnElement[bool] = table.c.guild_id == _of_guilds.c.guild_id
    return same & (table.c.game == _of_guilds.c.game) & (table.c.players == _of_guilds.c.players)


def _first_with_most(column: str) -> ColumnElement[int]:
    """Of those who have most in this column, the one with the lowest id: two looks into an index, however many."""
    all_of_them, equals = _on_guilds.alias(f"{column}_all"), _on_guilds.alias(f"{column}_equals")
    most = select(func.max(all_of_them.c[column])).where(_same_game(all_of_them)).correlate(_of_guilds)
    first = select(func.min(equals.c.user_id)).where(_same_game(equals), equals.c[column] == most.scalar_subquery())
    return first.correlate(_of_guilds).scalar_subquery()


def _merged(name: str, old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Sums grow, of all else the higher value stays."""
    return old + new if name in _SUMS else case((new > old, new), else_=old)
