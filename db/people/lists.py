"""Queries of the people that somebody keeps away from: a private list, which nobody else ever sees."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, delete, func, select

from db.model import schema
from db.model.ids import UserId
from db.model.upserts import put_row

_lists = schema.kept_away


def of_person(connection: Connection, user_id: UserId) -> list[UserId]:
    """Return the people on a person's list."""
    statement = select(_lists.c.other_id).where(_lists.c.user_id == user_id).order_by(_lists.c.other_id)
    return list(connection.execute(statement).scalars())


def length(connection: Connection, user_id: UserId) -> int:
    """Count the people on a person's list."""
    found: int = connection.execute(select(func.count()).where(_lists.c.user_id == user_id)).scalar_one()
    return found


def put(connection: Connection, user_id: UserId, other_id: UserId) -> None:
    """Put somebody on a person's list, if they aren't on it."""
    put_row(connection, _lists, {"user_id": user_id, "other_id": other_id})


def remove(connection: Connection, user_id: UserId, other_id: UserId) -> bool:
    """Take somebody off a person's list, and return whether they were on it."""
    statement = delete(_lists).where(_lists.c.user_id == user_id, _lists.c.other_id == other_id)
    return bool(connection.execute(statement).rowcount)


def of_people(connection: Connection, people: Collection[UserId]) -> frozenset[tuple[UserId, UserId]]:
    """Return the pairs (owner, listed) of whoever these people have listed."""
    rows = connection.execute(select(_lists.c.user_id, _lists.c.other_id).where(_lists.c.user_id.in_(people)))
    return frozenset((user_id, other_id) for user_id, other_id in rows)


def among(connection: Connection, people: Collection[UserId]) -> frozenset[tuple[UserId, UserId]]:
    """Return the pairs (owner, listed) among these people."""
    wanted = _lists.c.user_id.in_(people) & _lists.c.other_id.in_(people)
    rows = connection.execute(select(_lists.c.user_id, _lists.c.other_id).where(wanted))
    return frozenset((user_id, other_id) for user_id, other_id in rows)
