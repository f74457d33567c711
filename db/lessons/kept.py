"""Queries of people's progress in the lessons, which aren't matches.

`matches/lessons` uses them; `games/lessons.py` has the lessons.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import Connection, String, select

from db.model.columns import ColumnOptions, columns_of, make_row, read_row, table
from db.model.ids import UserId
from db.model.kept import Kept
from db.model.rows import DiscordId, OfGame, OfPerson
from db.model.schema import metadata
from db.model.upserts import put_row
from db.store.transactions import wait_for_turn


@dataclass(frozen=True, kw_only=True)
class LessonsRow:
    """A person's progress in a game's lessons.

    `lesson` is the key of their latest lesson, `answers` their right answers in it. `done` and `skipped` are the keys
    of the lessons that they have done and skipped, oldest first, and `shown` of those in which they were shown an
    answer. `turn` counts all their actions, which reveals presses on old messages. `press` is the latest interaction.
    `finished_at`: when they had first done all lessons.
    """

    lesson: Annotated[str | None, ColumnOptions(type=String(32))] = None
    answers: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    turn: int = 0
    press: DiscordId | None = None
    finished_at: datetime | None = None
    shown: tuple[str, ...] = ()


_lessons: Final = table(metadata, "lessons", (OfPerson, OfGame, LessonsRow), ("user_id", "game"))

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


KEPT: Final = Kept(
    "lessons",
    _lessons,
    "For each game you learn: lessons done or skipped, your answers in the current one, when you finished, and the ID "
    "of your last press there.",
)
