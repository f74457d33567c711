"""Where puzzles come from, and which of them are the days'."""

from __future__ import annotations

from typing import Protocol

from matches.puzzles.puzzle import Puzzle, Shelf


class Book(Protocol):
    """Where puzzles come from: `matches.puzzles.shelves`."""

    def shelf(self, game: str, of: Shelf, /) -> tuple[Puzzle, ...]:
        """Return the puzzles of a shelf of a game."""

    def puzzle(self, key: str, /) -> Puzzle | None:
        """Return the puzzle with this key."""

    def days(self) -> tuple[Puzzle | None, ...]:
        """Return the days' puzzles, number *n* at ``n - 1``."""


def day_of(book: Book, number: int) -> Puzzle | None:
    """Return a day's puzzle; ``None`` if there's none, or if its rules have changed."""
    days = book.days()
    return days[number - 1] if 1 <= number <= len(days) else None
