"""What the store keeps about one person, and how it is forgotten (P20)."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, select, union, update

from db import results, schema
from db.ids import MatchId, UserId

NOBODY: Final = 0
"""Stands where a match must name its host and that person wants to be forgotten."""

_matches, _seats, _outbox = schema.matches, schema.seats, schema.outbox
_OWNED: Final = (schema.player_settings, schema.votes, schema.applications)


def matches_with(connection: Connection, user_id: UserId, *, ended: bool = True) -> list[MatchId]:
    """The numbers of all matches that name this person, rising; without those that have `ended` where so wanted."""
    sat = select(_seats.c.match_id).where(_seats.c.user_id == user_id)
    hosted = select(_matches.c.id).where(_matches.c.host_id == user_id)
    if not ended:
        sat, hosted = sat.where(_seats.c.ended_at.is_(None)), hosted.where(_matches.c.ended_at.is_(None))
    return sorted(connection.execute(union(sat, hosted)).scalars())


def inviting(connection: Connection, user_id: UserId, status: str) -> list[MatchId]:
    """The numbers of the open matches in this status to which the person is invited."""
    open_ones = _matches.c.ended_at.is_(None) & (_matches.c.status == status)
    statement = select(_matches.c.id, _matches.c.invited).where(open_ones)
    rows = connection.execute(statement.order_by(_matches.c.id))
    return [number for number, invited in rows if user_id in invited]


def uninvite(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
    """Take this person off a list of invited people."""
    mine: ColumnElement[bool] = _matches.c.id == match_id
    invited = connection.execute(select(_matches.c.invited).where(mine)).scalar_one()
    left = [each for each in invited if each != user_id]
    connection.execute(update(_matches).where(mine).values(invited=left))


def forget(connection: Connection, user_id: UserId) -> None:
    """Settings, votes and applications go, and what the person has played counts for nobody any more."""
    results.forget(connection, user_id)
    connection.execute(update(_outbox).where(_outbox.c.user_id == user_id).values(user_id=None))
    for table in _OWNED:
        connection.execute(delete(table).where(table.c.user_id == user_id))


def erase(connection: Connection, user_id: UserId, at_most: int) -> bool:
    """In so many of the matches that name the person they become "Player 3"; whether there may be more."""
    sat = select(_seats.c.match_id).where(_seats.c.user_id == user_id).limit(at_most)
    theirs = (_seats.c.user_id == user_id) & _seats.c.match_id.in_(sat)
    nameless: dict[str, Any] = {"user_id": None, "name": results.placeholder()}
    seats = connection.execute(update(_seats).where(theirs).values(nameless))
    hosted = select(_matches.c.id).where(_matches.c.host_id == user_id).limit(at_most)
    hosts = connection.execute(update(_matches).where(_matches.c.id.in_(hosted)).values(host_id=NOBODY))
    return max(seats.rowcount, hosts.rowcount) == at_most
