"""Queries of what names a person, and of forgetting them (P20)."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, ScalarSelect, delete, func, literal, select, union, update

from db.features import KEPT
from db.model import schema
from db.model.ids import MatchId, UserId
from db.model.upserts import put_row
from db.results import keyed, tallies
from db.store.transactions import at_length_only

NOBODY: Final = UserId(0)
"""The host of a match whose host wants to be forgotten."""

_matches, _seats, _outbox, _forgotten = schema.matches, schema.seats, schema.outbox, schema.forgotten
_OWNED: Final = (
    *(schema.player_settings, schema.votes, schema.applications, schema.kept_away),
    *(each.table for each in KEPT if "user_id" in each.table.columns),
)


def matches_with(connection: Connection, user_id: UserId, *, ended: bool = True) -> list[MatchId]:
    """Return the numbers of all matches that name a person, rising; with ``ended=False`` only open ones.

    Ended matches in which they are being forgotten count as not naming them.
    """
    at_length_only(connection)
    sat = select(_seats.c.match_id).where(_seats.c.user_id == user_id)
    hosted = select(_matches.c.id).where(_matches.c.host_id == user_id)
    if ended:
        latest = forgotten_up_to(user_id)
        sat = sat.where(_seats.c.ended_at.is_(None) | (_seats.c.match_id > latest))
        hosted = hosted.where(_matches.c.ended_at.is_(None) | (_matches.c.id > latest))
    else:
        sat, hosted = sat.where(_seats.c.ended_at.is_(None)), hosted.where(_matches.c.ended_at.is_(None))
    return sorted(connection.execute(union(sat, hosted)).scalars())


def matches_inviting(connection: Connection, user_id: UserId, status: str) -> list[MatchId]:
    """Return the numbers of the open matches in this status to which a person is invited."""
    at_length_only(connection)
    open_ones = _matches.c.ended_at.is_(None) & (_matches.c.status == status)
    statement = select(_matches.c.id, _matches.c.invited).where(open_ones)
    rows = connection.execute(statement.order_by(_matches.c.id))
    return [number for number, invited in rows if user_id in invited]


def forgotten_up_to(user_id: UserId) -> ColumnElement[int]:
    """Return the SQL for the match number up to which ended matches count as not naming a person.

    It is 0 if the person isn't being forgotten.
    """
    asked: ScalarSelect[int] = (
        select(_forgotten.c.up_to).where(_forgotten.c.user_id == user_id).correlate(None).scalar_subquery()
    )
    return func.coalesce(asked, literal(0))


def begin_forgetting(connection: Connection, user_id: UserId) -> None:
    """Make a person anonymous in all ended matches. Rows still name them until `erase` has changed these.

    Settings, lists, lessons, puzzles, votes, pledges and requests for seats are deleted, totals and ratings made
    anonymous.
    """
    latest = connection.execute(select(func.coalesce(func.max(_matches.c.id), 0))).scalar_one()
    put_row(connection, _forgotten, {"user_id": user_id, "up_to": latest, "left": False})
    tallies.forget(connection, user_id)
    connection.execute(update(_outbox).where(_outbox.c.user_id == user_id).values(user_id=None))
    for each in KEPT:
        each.forget(connection, user_id)
    keyed.forget(connection, user_id)
    for table in _OWNED:
        connection.execute(delete(table).where(table.c.user_id == user_id))


def note_left(connection: Connection, user_id: UserId) -> None:
    """Note that a person is out of all matches that were open when they wanted to be forgotten."""
    connection.execute(update(_forgotten).where(_forgotten.c.user_id == user_id).values(left=True))


def being_forgotten(connection: Connection, at_most: int) -> list[UserId]:
    """Return at most this many people who want to be forgotten and whom a row still names."""
    return list(connection.execute(select(_forgotten.c.user_id).limit(at_most)).scalars())


def has_left(connection: Connection, user_id: UserId) -> bool:
    """Whether a person is out of all matches that were open when they asked to be forgotten.

    Also true if they are forgotten already.
    """
    left = select(_forgotten.c.left).where(_forgotten.c.user_id == user_id)
    return connection.execute(left).scalar_one_or_none() is not False


def erase(connection: Connection, user_id: UserId, at_most: int) -> bool:
    """Rename a person to "Player 3" in at most this many ended matches. After the last ones they are forgotten.

    Return whether they are.
    """
    asked = _forgotten.c.user_id == user_id
    up_to = connection.execute(select(_forgotten.c.up_to).where(asked)).scalar_one_or_none()
    if up_to is None:
        return True
    mine = (_seats.c.user_id == user_id) & _seats.c.ended_at.is_not(None) & (_seats.c.match_id <= up_to)
    sat = select(_seats.c.match_id).where(mine).limit(at_most)
    theirs = (_seats.c.user_id == user_id) & _seats.c.match_id.in_(sat)
    nameless: dict[str, Any] = {"user_id": None, "name": tallies.placeholder(), "hand_message_id": None}
    seats = connection.execute(update(_seats).where(theirs).values(nameless))
    own = (_matches.c.host_id == user_id) & _matches.c.ended_at.is_not(None) & (_matches.c.id <= up_to)
    hosted = select(_matches.c.id).where(own).limit(at_most)
    hosts = connection.execute(update(_matches).where(_matches.c.id.in_(hosted)).values(host_id=NOBODY))
    done = max(seats.rowcount, hosts.rowcount) < at_most
    if done:
        connection.execute(delete(_forgotten).where(asked))
    return done
