"""Lessons: a game learned by playing its lessons (`games/lessons.py`)."""

from __future__ import annotations

from typing import Final

from db.lessons.kept import KEPT
from matches.lessons.learning import LessonPage, Lessons, Standing, Tried
from matches.records.seen import Offer
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "LessonPage", "Lessons", "Standing", "Tried"]

FEATURE: Final = Feature[Table](
    key=KEPT.key,
    part=lambda work, _: Lessons(work),
    for_newcomers=(Offer("courses", "Learn a game"),),
    of_game=(Offer("learn", "Learn"),),
)
