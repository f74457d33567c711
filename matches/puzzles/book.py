"""Where puzzles come from, and which of them are the days'."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from db.puzzles.rows import number_at
from matches.puzzles.puzzle import Puzzle, Shelf


class Book(Protocol):
    """Where puzzles come from: `matches.puzzles.shelves`."""

    def shelf(self, game: str, of: Shelf, /) -> tuple[Puzzle, ...]:
        """Return the puzzles of a shelf of a game."""

    def puzzle(self, key: str, /) -> Puzzle | None:
        """Return the puzzle with this key."""

    def days(self) -> tuple[Puzzle | None, ...]:
        """Return the days' puzzles, number *n* at ``n - 1``."""


def day_of(book: Book, number: int, now: datetime) -> Puzzle | None:
    """Return a day's puzzle; ``None`` before its day, if there's none, or if its rules have changed."""
    days = book.days()
    return days[number - 1] if 1 <= number <= min(len(days), number_at(now)) else None


def is_played(book: Book, number: int) -> bool:
    """Whether a number has a puzzle."""
    days = book.days()
    return 1 <= number <= len(days) and days[number - 1] is not None
