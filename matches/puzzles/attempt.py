"""A person's attempt at a puzzle. Until it's solved, it is an `games.exercise.Exercise`, like a step of a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.core import ActionError, State
from games.exercise import Answer, ExerciseError, followed
from matches.puzzles.kinds import KINDS
from matches.puzzles.puzzle import Puzzle, Refuted, Step, Way


@dataclass(frozen=True)
class Attempt:
    """How far somebody is in a puzzle: the right `answers` so far, and the position after them and what followed."""

    puzzle: Puzzle
    answers: tuple[str, ...]
    state: State[Any]

    @classmethod
    def begin(cls, puzzle: Puzzle) -> Attempt:
        """Return the attempt before the first answer."""
        return cls(puzzle, (), puzzle.start)

    @classmethod
    def resume(cls, puzzle: Puzzle, answers: Sequence[str]) -> Attempt:
        """Return the attempt after these answers. It begins again if they aren't right, because the puzzle changed."""
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
    def step(self) -> Step | None:
        """The current step; ``None`` once the puzzle is solved."""
        step: Step | None = self.puzzle.first
        for text in self.answers:
            step = next(way.next for way in step.right if way.action == text) if step else None
        return step

    @property
    def solved(self) -> bool:
        """Whether there's nothing left to find."""
        return self.step is None

    @property
    def shown(self) -> str:
        """What **Show me** plays; empty once the puzzle is solved."""
        step = self.step
        return "" if step is None else step.right[0].action

    @property
    def tempting(self) -> tuple[str, ...]:
        """The illegal actions that people are offered: a puzzle has none."""
        return ()

    def answer(self, text: str) -> Answer:
        """Return the reply to the action with this canonical text. An action that `is_good` isn't right.

        Raises InvalidAction if the text is no action at all, ExerciseError once the puzzle is solved.
        """
        step, state, kind = self._open_step, self.state, KINDS[self.puzzle.kind]
        action = state.string_to_action(self.seat, text)
        refusal = state.why_illegal(self.seat, action)
        if refusal is not None:
            return Answer(False, refusal.reason, refusal.rule, False)
        way = self._way(text)
        if way is not None:
            return Answer(True, kind.right if way.next is None else kind.so_far, then=way.then)
        if text in step.good:
            return Answer(False, kind.near)
        refuted = self._refuted(text)
        after = state.child(self.seat, action)
        then = refuted.lines if refuted and _fits(after, refuted.lines) else ()
        return Answer(False, kind.wrong(state, after, self.seat, refuted), then=then)

    def is_good(self, text: str) -> bool:
        """Return whether an action is nearly right. It counts as no mistake, and the puzzle isn't solved by it."""
        return text in self._open_step.good

    def imagined(self, text: str) -> Attempt:
        """Return the attempt as it would be if the opponent held the cards with which they refute a wrong action.

        Its answer says how. Mostly it's this attempt. Raises ExerciseError once the puzzle is solved.
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
        state = self.state.apply_action(self.seat, self.state.string_to_action(self.seat, text))
        states = [state, *(after for _, after in followed(self, text, way.then))]
        return Attempt(self.puzzle, (*self.answers, text), states[-1])

    @property
    def _open_step(self) -> Step:
        """The current step. Raises ExerciseError once the puzzle is solved."""
        step = self.step
        if step is None:
            raise ExerciseError("This puzzle is solved.")
        return step

    def _way(self, text: str) -> Way | None:
        return next((way for way in self._open_step.right if way.action == text), None)

    def _refuted(self, text: str) -> Refuted | None:
        refuted = self._open_step.refuted
        named = next((each for each in refuted if text in each.actions), None)
        return named or next((each for each in refuted if not each.actions), None)


def _fits(state: State[Any], lines: Sequence[str]) -> bool:
    """Return whether these lines are possible here. They aren't if the opponent doesn't hold the cards for them."""
    for line in lines:
        who, _, text = line.partition(" ")
        try:
            state = state.apply_action(int(who), state.string_to_action(int(who), text))
        except ActionError:
            return False
    return True
