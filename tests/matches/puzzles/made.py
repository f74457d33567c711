"""Made-up puzzles for tests: their position is always the same, and any two answers can be made right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from games import GAMES
from matches.puzzles import calendar
from matches.puzzles.puzzle import Difficulty, Puzzle, Shelf, Step, Way

GAME: Final = "ambush"
RIGHT, NEXT, WRONG, NEAR = "SB2", "SC2", "SD2", "SC1"
"""The right answers to both steps, a wrong one, and one that is nearly right."""

_LOG: Final = GAMES[GAME].rules.joinpath("positions", "ambush-place.log").read_text("ascii").split("\n")
LOG: Final = "\n".join(_LOG[:2])

ONE_STEP: Final = Step((Way(RIGHT),), (NEAR,))
TWO_STEPS: Final = Step((Way(RIGHT, ("1 SA1",), Step((Way(NEXT),))),), (NEAR,))


def made(
    key: str,
    *,
    shelf: Shelf = Shelf.PROVEN,
    difficulty: Difficulty = Difficulty.EASY,
    steps: Step = ONE_STEP,
    kind: str = "capture",
) -> Puzzle:
    """A puzzle with this key."""
    return Puzzle(key, GAME, shelf, kind, difficulty, LOG, steps, 1)


@dataclass
class Book:
    """Where a test's puzzles come from."""

    numbers: list[Puzzle | None] = field(default_factory=list)
    shelves: Mapping[tuple[str, Shelf], tuple[Puzzle, ...]] = field(default_factory=dict)

    @classmethod
    def of_days(cls, many: int, shelf: Shelf = Shelf.PROVEN) -> Book:
        """A book with puzzles for this many days, and nothing else."""
        return cls([made(f"day{number:04d}", shelf=shelf) for number in range(1, many + 1)])

    @classmethod
    def of_shelf(cls, *puzzles: Puzzle) -> Book:
        """A book with these puzzles on the shelves, and none for a day."""
        shelves = {(GAME, of): tuple(each for each in puzzles if each.shelf is of) for of in Shelf}
        return cls([], shelves)

    def shelf(self, game: str, of: Shelf, /) -> tuple[Puzzle, ...]:
        return self.shelves.get((game, of), ())

    def puzzle(self, key: str, /) -> Puzzle | None:
        every: Iterable[Puzzle | None] = (*self.numbers, *(each for of in self.shelves.values() for each in of))
        return next((each for each in every if each is not None and each.key == key), None)

    def days(self) -> tuple[Puzzle | None, ...]:
        return tuple(self.numbers)


def at(number: int, **after: float) -> datetime:
    """The moment this long after the day's puzzle with this number opens."""
    return calendar.opens_at(number) + timedelta(**after)
