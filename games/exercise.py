"""Exercises: positions in which somebody alone looks for a right action.

A step of a lesson is one (`games.lessons.Attempt`). A `Task` is one that is made from data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from games.core import ActionError, IllegalAction, InvalidAction, State
from games.log import Line, LogError, parse_told
from games.typed import fold, undecorated


class ExerciseError(ValueError):
    """An exercise that doesn't fit the rules. The message is a sentence that says where."""


class Answer(NamedTuple):
    """The reply to an action that somebody tries: whether it is `right`, and the `words`.

    `rule` is the rule that explains the reply, if one does. `legal` is whether the action is legal in a match. `then`
    are the lines ``<player> <action>`` that follow: what the others do after a right action, or what refutes a wrong
    one. `meanwhile` says all of them in one sentence; if it's empty, each is said by itself.
    """

    right: bool
    words: str
    rule: str | None = None
    legal: bool = True
    then: tuple[str, ...] = ()
    meanwhile: str = ""


class Exercise(Protocol):
    """A position in which the player of a seat looks for a right action.

    What they can't know in `state` may be drawn again. `tempting` are illegal actions that they can try. `shown` is the
    action that **Show me** plays.
    """

    @property
    def game(self) -> str:
        """The game's key."""

    @property
    def seat(self) -> int:
        """Whose turn it is."""

    @property
    def state(self) -> State[Any]:
        """The position."""

    @property
    def tempting(self) -> tuple[str, ...]:
        """The canonical texts of illegal actions that can be tried."""

    @property
    def shown(self) -> str:
        """The canonical text of a right action."""

    def answer(self, text: str) -> Answer:
        """Return the reply to the action with this canonical text. Raises InvalidAction if it is no action at all."""


@dataclass(frozen=True)
class Task:
    """An exercise that is made from data: `answers` by the canonical text of the action.

    `otherwise` is the reply to every other legal action.
    """

    game: str
    state: State[Any]
    seat: int
    answers: Mapping[str, Answer]
    otherwise: Answer
    shown: str
    tempting: tuple[str, ...] = ()

    def answer(self, text: str) -> Answer:
        """Return the reply to the action with this canonical text. Raises InvalidAction if it is no action at all."""
        refusal = self.state.why_illegal(self.seat, self.state.string_to_action(self.seat, text))
        if refusal is not None:
            return Answer(False, refusal.reason, refusal.rule, False)
        return self.answers.get(text, self.otherwise)


def typed_action(exercise: Exercise, typed: str) -> str:
    """Return the canonical text of what somebody typed, legal or not.

    Raises InvalidAction and AmbiguousAction with a sentence for that person.
    """
    state, seat, written = exercise.state, exercise.seat, undecorated(typed)
    legal = [state.action_to_string(action) for action in state.legal_actions(seat)]
    meant = [text for text in (*exercise.tempting, *legal) if fold(text) == fold(written)]
    if len(meant) == 1:
        return meant[0]
    try:
        return state.action_to_string(state.parse_action(seat, typed))
    except IllegalAction as refused:
        try:
            return state.action_to_string(state.string_to_action(seat, written))
        except InvalidAction:
            raise refused from None


def played(exercise: Exercise, text: str) -> State[Any]:
    """Return the position right after the action with this text. Raises ActionError."""
    state, seat = exercise.state, exercise.seat
    return state.apply_action(seat, state.string_to_action(seat, text))


def followed(exercise: Exercise, text: str, then: Sequence[str]) -> Iterator[tuple[Line, State[Any]]]:
    """Yield the lines `then` that follow an action, each with the position after it.

    Raises ExerciseError if one doesn't fit.
    """
    state = played(exercise, text)
    for number, line in enumerate(then, 1):
        try:
            player, written = parse_told(line)
            state = state.apply_action(player, state.string_to_action(player, written))
        except (ActionError, LogError) as error:
            raise ExerciseError(f"{line!r} can't follow {text!r}. {error}") from error
        yield Line(number, player, written), state
