"""Totals of the matches that count (played, won, best), by game and number of players.

They are stored, not counted on demand: the transaction that ends a match adds it. On a server a forgotten person's
totals stay under an anonymous id, so nobody else's numbers change, and two forgotten people are never merged.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    String,
    bindparam,
    case,
    cast,
    delete,
    func,
    literal,
    select,
    update,
)

from db.model import schema
from db.model.columns import same
from db.model.ids import MatchId, UserId
from db.model.rows import SeatRow
from db.model.upserts import upsert

_matches, _seats = schema.matches, schema.seats
_of_people, _of_guilds, _on_guilds = schema.player_tallies, schema.guild_tallies, schema.guild_player_tallies
_keys = schema.rating_keys
_all_seats = _seats.alias("all_seats")


class Tally(NamedTuple):
    """One game with so many players: matches played, and how many were won; for a server, the most won by one `winner`.

    `best` is the highest score; for a server, that of `scorer`. Ties go to the lowest user id. The names are empty if
    only people forgotten long ago are known.
    """

    game: str
    players: int
    played: int
    won: int
    best: int
    winner: str = ""
    scorer: str = ""


def placeholder() -> ColumnElement[str]:
    """Return the SQL for the name of a forgotten person's seat: ``Player 3``."""
    number: ColumnElement[Any] = func.coalesce(_seats.c.seat, _seats.c.position) + 1
    return literal("Player ").concat(cast(number, String))


def placeholder_of(seat: SeatRow) -> str:
    """Return `placeholder` of a seat that was read."""
    return f"Player {1 + (seat.position if seat.seat is None else seat.seat)}"


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
    # Here and below: sorted by person, so that matches that end at once with the same people can't deadlock.
    .order_by(_seats.c.user_id)
)
_GUILD: Final = select(_matches.c.guild_id, *_GAME, _ONE).where(_OF_MATCH, _matches.c.guild_id.is_not(None))
_ON_GUILD: Final = (
    select(
        _matches.c.guild_id,
        *_GAME,
        _seats.c.user_id,
        func.sum(_WON).label("won"),
        func.max(_POINTS).label("best"),
        func.min(_seats.c.name).label("name"),  # Nobody has two seats, so this is theirs.
        func.max(placeholder()).label("placeholder"),
    )
    .select_from(_SEATED)
    .where(_OF_MATCH, _matches.c.guild_id.is_not(None), _seats.c.computer.is_(None), _seats.c.user_id.is_not(None))
    .group_by(_matches.c.id, _matches.c.guild_id, _matches.c.game, _seats.c.user_id)
    .order_by(_seats.c.user_id)
)
_BY_GAME: Final = ("guild_id", "game", "players")
_before = _on_guilds.alias("forgotten_before")
# The lowest id of a forgotten person there, if there is one.
_LOWEST: Final = (
    select(func.min(_before.c.user_id))
    .where(same(_before, _on_guilds, *_BY_GAME), _before.c.user_id < 0)
    .scalar_subquery()
)
_FORGET: Final = (
    update(_on_guilds)
    .where(_on_guilds.c.user_id == bindparam("person"))
    .values(user_id=func.coalesce(_LOWEST, 0) - 1, name=_on_guilds.c.placeholder)
)

_SUMS: Final = ("played", "won")
_LATEST: Final = ("name", "placeholder")


def add(connection: Connection, match_id: MatchId) -> None:
    """Add a match to the totals. Its results must be stored."""
    for table, rows in ((_of_people, _PEOPLE), (_of_guilds, _GUILD), (_on_guilds, _ON_GUILD)):
        connection.execute(upsert(connection.dialect, table, rows, _merged), {"match_id": match_id})


def forget(connection: Connection, user_id: UserId) -> None:
    """Delete a person's totals; make those on servers anonymous."""
    connection.execute(_FORGET, {"person": user_id})
    connection.execute(delete(_of_people).where(_of_people.c.user_id == user_id))


def of_person(connection: Connection, user_id: UserId) -> list[Tally]:
    """Return a person's totals, by game and number of players."""
    mine = _of_people.c
    statement = select(mine.game, mine.players, mine.played, mine.won, mine.best).where(mine.user_id == user_id)
    return [Tally(*row) for row in connection.execute(statement.order_by(mine.game, mine.players))]


def of_guild(connection: Connection, guild_id: int) -> list[Tally]:
    """Return a server's totals, by game and number of players."""
    winners, scorers = _on_guilds.alias("winners"), _on_guilds.alias("scorers")
    winners_keys, scorers_keys = _keys.alias("winners_keys"), _keys.alias("scorers_keys")
    statement = (
        select(
            _of_guilds.c.game,
            _of_guilds.c.players,
            _of_guilds.c.played,
            func.coalesce(winners.c.won, 0),
            func.coalesce(scorers.c.best, 0),
            # The key's name is from the last match that they began, so newer than a tally's.
            func.coalesce(winners_keys.c.name, winners.c.name, ""),
            func.coalesce(scorers_keys.c.name, scorers.c.name, ""),
        )
        .select_from(_of_guilds)
        .outerjoin(winners, same(winners, _of_guilds, *_BY_GAME) & (winners.c.user_id == _first_with_most("won")))
        .outerjoin(scorers, same(scorers, _of_guilds, *_BY_GAME) & (scorers.c.user_id == _first_with_most("best")))
        .outerjoin(winners_keys, same(winners_keys, winners, "guild_id", "user_id"))
        .outerjoin(scorers_keys, same(scorers_keys, scorers, "guild_id", "user_id"))
        .where(_of_guilds.c.guild_id == guild_id)
        .order_by(_of_guilds.c.game, _of_guilds.c.players)
    )
    return [Tally(*row) for row in connection.execute(statement)]


def _first_with_most(column: str) -> ColumnElement[int]:
    """Select the id with the highest value in this column, by a few index look-ups.

    On ties people with a name come before forgotten ones, and lower ids before higher.
    """
    all_of_them, equals = _on_guilds.alias(f"{column}_all"), _on_guilds.alias(f"{column}_equals")
    most = select(func.max(all_of_them.c[column])).where(same(all_of_them, _of_guilds, *_BY_GAME))
    most_there = equals.c[column] == most.correlate(_of_guilds).scalar_subquery()
    first = select(func.min(equals.c.user_id)).where(same(equals, _of_guilds, *_BY_GAME), most_there)
    named = first.where(equals.c.user_id > 0).correlate(_of_guilds).scalar_subquery()
    return func.coalesce(named, first.correlate(_of_guilds).scalar_subquery())


def _merged(name: str, old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    """Sums grow, names are replaced, of other columns the higher value stays."""
    if name in _LATEST:
        return new
    return old + new if name in _SUMS else case((new > old, new), else_=old)
