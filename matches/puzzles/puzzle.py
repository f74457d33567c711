"""A puzzle as a value: a position, what is asked, and everything that is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from math import sqrt
from typing import Any, Final, NamedTuple

from games.core import State
from games.log import Header, parse_header, position_after


class Shelf(StrEnum):
    """How certain the answer is. `PROVEN` is exact. `JUDGED` was found to be clearly best by much computing."""

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


class Places(NamedTuple):
    """A question for a set of places: the numbers of the finish cards.

    Attributes:
        reasons: for each finish card the action that turns up the treasure there, `RULED_OUT` or `TOO_FAR`.
    """

    reasons: tuple[str, ...]

    @property
    def text(self) -> str:
        """The right answer: the numbers of the places, or `NOWHERE`."""
        found = [str(number) for number, why in enumerate(self.reasons) if why not in (RULED_OUT, TOO_FAR)]
        return ",".join(found) or NOWHERE


KNOWN: Final = 20
"""Larger ratios of likelihoods can't be known. The computers' beliefs keep to that (`judgements/saboteur/roles.py`)."""


class Moved(NamedTuple):
    """A turn that changed the odds of the `seat` whose turn it was: the number of its line, and `before` and `after`.

    Both are in thousandths.
    """

    ply: int
    seat: int
    before: int
    after: int

    @property
    def ratio(self) -> float:
        """How many times as often a saboteur does that as a gold-digger: it follows from the odds by Bayes' rule.

        More than `KNOWN` can't be known, and neither can less than its inverse.
        """
        before, after = (min(max(each, 0.5), 999.5) for each in (self.before, self.after))
        return after / (1000 - after) * (1000 - before) / before


class Odds(NamedTuple):
    """A question for the odds of each other player, in the order of their seats.

    Attributes:
        chances: what the answer is compared with, in thousandths.
        base: the chance of each before anything was done, in thousandths.
        moved: the turns that changed the odds most, in their order.
    """

    chances: tuple[int, ...]
    base: int
    moved: tuple[Moved, ...] = ()

    @property
    def text(self) -> str:
        """The answer that comes nearest: percents in steps of ten."""
        return ",".join(str(round(chance / 100) * 10) for chance in self.chances)

    def off(self, guess: Sequence[float]) -> float:
        """Return how far these percents are off, in percentage points.

        It's the root of the mean square, so the lowest is the best Brier score that can be expected.
        """
        pairs = zip(guess, self.chances, strict=True)
        return sqrt(sum((each - chance / 10) ** 2 for each, chance in pairs) / len(self.chances))

    @property
    def unsure(self) -> float:
        """How far these odds themselves are off the truth, on average, in the same points. Nobody can be surer."""
        return sqrt(sum(each * (1000 - each) for each in self.chances) / len(self.chances)) / 10


Asked = Step | Places | Odds
"""What a puzzle asks for: an action, places, or odds."""


def length(asked: Asked) -> int:
    """Return the number of the solver's answers in the longest solution."""
    return asked.length if isinstance(asked, Step) else 1


RULED_OUT: Final = "seen"
"""Why the treasure can't be turned up at a place: the solver knows that it isn't there."""

TOO_FAR: Final = "far"
"""Why the treasure can't be turned up at a place: no card reaches it."""

NOWHERE: Final = "none"


@dataclass(frozen=True)
class Puzzle:
    """A puzzle.

    Attributes:
        key: its permanent name. It follows from the position up to symmetry, so no other puzzle has it.
        kind: the question, a name in `kinds.KINDS`.
        log: the lines that lead to its position, with a header.
        first: what it asks for, and what is right. If it asks for actions, this is the first step.
        amount: what a right answer brings, in the kind's unit; 0 if the kind has none.
    """

    key: str
    game: str
    shelf: Shelf
    kind: str
    difficulty: Difficulty
    log: str
    first: Asked
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
