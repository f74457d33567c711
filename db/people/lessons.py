"""Queries of people's progress in the lessons, which aren't matches.

`matches/host/lessons.py` uses them; `games/lessons.py` has the lessons.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from db.model import schema
from db.model.columns import columns_of, make_row, read_row
from db.model.ids import UserId
from db.model.rows import LessonsRow
from db.model.upserts import put_row
from db.store.transactions import wait_for_turn

_lessons = schema.lessons

NOT_BEGUN: Final = LessonsRow()
"""The progress of somebody who has begun no lesson of a game."""


def of_person(connection: Connection, user_id: UserId) -> dict[str, LessonsRow]:
    """Return a person's progress by game, without games of which they have begun no lesson."""
    columns = columns_of(_lessons, LessonsRow)
    rows = connection.execute(select(_lessons.c.game, *columns).where(_lessons.c.user_id == user_id))
    return {game: make_row(LessonsRow, row) for game, *row in rows}


def get(connection: Connection, user_id: UserId, game: str, *, lock: bool = False) -> LessonsRow:
    """Return a person's progress in one game; `lock` keeps others from changing it until the transaction ends."""
    if lock:
        # There may be no row to lock yet.
        wait_for_turn(connection, _lessons.name, user_id, game)
    wanted = (_lessons.c.user_id == user_id) & (_lessons.c.game == game)
    return read_row(connection, _lessons, LessonsRow, wanted) or NOT_BEGUN


def put(connection: Connection, user_id: UserId, game: str, row: LessonsRow) -> None:
    """Store a person's progress in one game."""
    put_row(connection, _lessons, {"user_id": user_id, "game": game, **vars(row)})
