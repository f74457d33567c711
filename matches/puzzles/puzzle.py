"""A puzzle as a value: a position, a question, and everything that is right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from games.core import State
from games.log import Header, parse_header, position_after


class Shelf(StrEnum):
    """How certain the answer is. `PROVEN` is exact. `JUDGED` is what much work of the computers found clearly best."""

    PROVEN = "proven"
    JUDGED = "judged"


class Difficulty(IntEnum):
    """How hard a puzzle is to solve (`grading`)."""

    EASY = 1
    MEDIUM = 2
    HARD = 3


class Way(NamedTuple):
    """A right action, the lines ``<player> <action>`` that follow, and the solver's `next` step.

    The puzzle is solved if there's no next step.
    """

    action: str
    then: tuple[str, ...] = ()
    next: Step | None = None


class Refuted(NamedTuple):
    """What the opponents answer to some wrong actions.

    Attributes:
        lines: their answer, as in `Way.then`; empty if the action needs none to be wrong.
        actions: the wrong actions. Empty: all that no other `Refuted` of the step names.
        holding: the cards that the opponent could hold for it, in games with hidden hands.
    """

    lines: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()


class Step(NamedTuple):
    """A position in which the solver is to move.

    Attributes:
        right: every right action: ties count as solved. **Show me** plays the first.
        good: actions that aren't right but nearly as good.
        refuted: the answers to wrong actions.
    """

    right: tuple[Way, ...]
    good: tuple[str, ...] = ()
    refuted: tuple[Refuted, ...] = ()

    @property
    def length(self) -> int:
        """The number of the solver's actions in the longest solution."""
        return 1 + max(way.next.length if way.next else 0 for way in self.right)

    @property
    def size(self) -> int:
        """The number of steps in this one and all that follow it."""
        return 1 + sum(way.next.size for way in self.right if way.next)


@dataclass(frozen=True)
class Puzzle:
    """A puzzle.

    Attributes:
        key: its permanent name. It follows from the position up to symmetry, so no other puzzle has it.
        kind: the question, a name in `kinds.KINDS`.
        log: the lines that lead to its position, with a header.
        first: what is right at first.
        amount: what a right answer brings, in the kind's unit; 0 if the kind has none.
    """

    key: str
    game: str
    shelf: Shelf
    kind: str
    difficulty: Difficulty
    log: str
    first: Step
    amount: int = 0

    @property
    def header(self) -> Header:
        """The first line of its log."""
        return parse_header(self.log.partition("\n")[0])

    @cached_property
    def start(self) -> State[Any]:
        """The position of the question. The solver is its current player."""
        return position_after(self.log)

    @property
    def seat(self) -> int:
        """The solver's seat."""
        return self.start.current_player

    @property
    def length(self) -> int:
        """The number of the solver's actions in the longest solution."""
        return self.first.length
