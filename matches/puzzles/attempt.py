"""A person's attempt at a puzzle. Until it's solved, it is a `games.exercise.Exercise`, like a step of a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from games.core import InvalidAction, State
from games.exercise import Answer, ExerciseError, followed, played
from matches.puzzles.kinds import KINDS
from matches.puzzles.puzzle import NOWHERE, Asked, Odds, Places, Puzzle, Refuted, Step, Way

STEP: Final = 10
"""Odds are given in multiples of this many percent."""

NO_ANSWER: Final = "That's no answer to this puzzle."


@dataclass(frozen=True)
class Attempt:
    """How far somebody is in a puzzle.

    There are the right `answers` so far, the position after them and what followed, and what is `asked` there (``None``
    once the puzzle is solved).
    """

    puzzle: Puzzle
    answers: tuple[str, ...]
    state: State[Any]
    asked: Asked | None

    @classmethod
    def begin(cls, puzzle: Puzzle) -> Attempt:
        """Return the attempt before the first answer."""
        return cls(puzzle, (), puzzle.start, puzzle.first)

    @classmethod
    def resume(cls, puzzle: Puzzle, answers: Sequence[str]) -> Attempt:
        """Return the attempt after these answers, or a new one if they are no longer right: the puzzle has changed."""
        attempt = cls.begin(puzzle)
        for text in answers:
            if attempt.solved or attempt._way(text) is None:
                return cls.begin(puzzle)
            attempt = attempt.after(text)
        return attempt

    @property
    def game(self) -> str:
        """The game's key."""
        return self.puzzle.game

    @property
    def seat(self) -> int:
        """The solver's seat."""
        return self.puzzle.seat

    @property
    def others(self) -> tuple[int, ...]:
        """The seats of the others, in the order of an answer's odds."""
        return tuple(seat for seat in range(self.state.players) if seat != self.seat)

    @property
    def solved(self) -> bool:
        """Whether there's nothing left to find."""
        return self.asked is None

    @property
    def shown(self) -> str:
        """What **Show me** plays or says; empty once the puzzle is solved."""
        asked = self.asked
        if asked is None:
            return ""
        return asked.right[0].action if isinstance(asked, Step) else asked.text

    @property
    def tempting(self) -> tuple[str, ...]:
        """The illegal actions that people are offered: a puzzle has none."""
        return ()

    def answer(self, text: str) -> Answer:
        """Return the reply to this answer: the canonical text of an action, or what `is_answer` accepts.

        An action that `is_good` isn't right. Odds are always accepted. Raises InvalidAction if the text is no answer at
        all, ExerciseError once the puzzle is solved.
        """
        step, state, kind = self._open, self.state, KINDS[self.puzzle.kind]
        if not isinstance(step, Step):
            if not is_answer(step, text):
                raise InvalidAction(NO_ANSWER)
            if self._way(text) is None:
                return Answer(False, kind.wrong(state, state, self.seat, None))
            return Answer(True, kind.right)
        action = state.string_to_action(self.seat, text)
        refusal = state.why_illegal(self.seat, action)
        if refusal is not None:
            return Answer(False, refusal.reason, refusal.rule, False)
        way = self._way(text)
        if way is not None:
            if way.next is None:
                return Answer(True, kind.right, then=way.then)
            return Answer(True, kind.so_far, then=way.then, meanwhile=kind.meanwhile)
        if text in step.good:
            return Answer(False, kind.near)
        refuted = self._refuted(text)
        after = state.child(self.seat, action)
        then = refuted.lines if refuted and self._fits(text, refuted.lines) else ()
        return Answer(False, kind.wrong(state, after, self.seat, refuted), then=then)

    def is_good(self, text: str) -> bool:
        """Return whether an action is nearly right. It counts as no mistake, and the puzzle isn't solved by it."""
        step = self._open
        return isinstance(step, Step) and text in step.good

    def imagined(self, text: str) -> Attempt:
        """Return the attempt as it would be if the opponent held the cards with which they refute a wrong action.

        Its `answer` then shows the refutation. If no cards are needed for that, this attempt is returned. Raises
        ExerciseError once the puzzle is solved.
        """
        refuted = self._refuted(text)
        if refuted is None or not refuted.holding:
            return self
        return replace(self, state=KINDS[self.puzzle.kind].holding(self.state, self.seat, refuted.holding))

    def after(self, text: str) -> Attempt:
        """Return the attempt after a right answer and the lines that follow it. Raises ExerciseError."""
        way = self._way(text)
        if way is None:
            raise ExerciseError(f"{text!r} isn't right here.")
        states = [self.state]
        if isinstance(self._open, Step):
            states += [played(self, text), *(after for _, after in followed(self, text, way.then))]
        return Attempt(self.puzzle, (*self.answers, text), states[-1], way.next)

    @property
    def _open(self) -> Asked:
        """What is asked now. Raises ExerciseError once the puzzle is solved."""
        asked = self.asked
        if asked is None:
            raise ExerciseError("This puzzle is solved.")
        return asked

    def _way(self, text: str) -> Way | None:
        match self._open:
            case Step(right=right):
                return next((way for way in right if way.action == text), None)
            case Places() as asked:
                return Way(text) if text == asked.text else None
            case Odds() as asked:
                return Way(text) if is_answer(asked, text) else None

    def _refuted(self, text: str) -> Refuted | None:
        step = self._open
        refuted = step.refuted if isinstance(step, Step) else ()
        named = next((each for each in refuted if text in each.actions), None)
        return named or next((each for each in refuted if not each.actions), None)

    def _fits(self, text: str, lines: Sequence[str]) -> bool:
        """Return whether lines can follow an action. They can't if the opponent doesn't hold the cards for them."""
        try:
            return all(followed(self, text, lines))
        except ExerciseError:
            return False


def fields(asked: Asked) -> tuple[tuple[str, ...], ...]:
    """Return what can be chosen for an answer that is no action: for each part of its text the possible values."""
    match asked:
        case Step():
            return ()
        case Places(reasons):
            numbers = [str(number) for number in range(len(reasons))]
            sets = (",".join(each) for size in range(1, len(numbers) + 1) for each in combinations(numbers, size))
            return ((*sets, NOWHERE),)
        case Odds(chances):
            return (tuple(str(percent) for percent in range(0, 101, STEP)),) * len(chances)


def is_answer(asked: Asked, text: str) -> bool:
    """Return whether this text is an answer to a question for places or odds, right or not."""
    parts = [text] if isinstance(asked, Places) else text.split(",")
    possible = fields(asked)
    return len(parts) == len(possible) and all(part in each for part, each in zip(parts, possible, strict=True))
