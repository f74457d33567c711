"""Queries about how far people are in the lessons. No match holds any of it.

`matches/host/lessons.py` uses them; `games/lessons.py` has the lessons.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from db.model import schema
from db.model.columns import columns_of, made
from db.model.ids import UserId
from db.model.rows import LessonsRow
from db.model.upserts import upsert
from db.store.serial import wait_for_turn

_lessons = schema.lessons

NOT_BEGUN: Final = LessonsRow()
"""Of whoever has begun no lesson of a game."""


def of_person(connection: Connection, user_id: UserId) -> dict[str, LessonsRow]:
    """How far this person is, by game, without those of which they have begun no lesson."""
    columns = columns_of(_lessons, LessonsRow)
    rows = connection.execute(select(_lessons.c.game, *columns).where(_lessons.c.user_id == user_id))
    return {game: made(LessonsRow, row) for game, *row in rows}


def get(connection: Connection, user_id: UserId, game: str, *, lock: bool = False) -> LessonsRow:
    """How far this person is in one game; `lock` keeps other processes from changing it until the end."""
    if lock:
        # There may be no row yet that could be locked.
        wait_for_turn(connection, _lessons.name, user_id, game)
    wanted = (_lessons.c.user_id == user_id) & (_lessons.c.game == game)
    row = connection.execute(select(*columns_of(_lessons, LessonsRow)).where(wanted)).one_or_none()
    return NOT_BEGUN if row is None else made(LessonsRow, row)


def put(connection: Connection, user_id: UserId, game: str, row: LessonsRow) -> None:
    """Keep how far this person is in one game."""
    connection.execute(upsert(connection.dialect, _lessons, {"user_id": user_id, "game": game, **vars(row)}))
