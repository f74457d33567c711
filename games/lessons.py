"""Lessons: positions of real matches with a goal, for learning a game by playing.

`matches/host/lessons.py` teaches them, `db/people/lessons.py` stores progress.

Every game has ``lessons/<key>.toml`` beside its rules page. It is a list of lessons in learning order:

    [[lesson]]
    key = "capture"                 # stored with people's progress: never use it again for another lesson
    title = "Capture"
    rules = ["B4", "B5"]            # the numbered rules that the lesson shows
    position = "ambush-capture"     # a log in positions/; the lesson begins after its last line, or with
    ply = 6                         # after this line

    [[lesson.step]]                 # something to achieve; a lesson can have several steps
    before = "What you want, and how to get it."
    goal = "captures 2"             # one of the game's goals (`Game.goals`), with its argument if it takes one,
    actions = ["MB3", "LB3"]        # or the actions that are right
    shown = "MB3"                   # what **Show me** plays; required with a goal, by default the first action
    right = "What you have done."
    then = ["1 SA1", "c draw EW"]   # lines after the right action and before the next step
    otherwise = "What is wrong with any other legal action."

    [[lesson.step.wrong]]           # a likely wrong answer
    actions = ["SB3"]               # legal but missing the goal, or illegal; people can try illegal ones here
    rule = "B4"                     # the rule that explains it; for an illegal action the rule that forbids it
    words = "What is wrong with it."
    trap = true                     # one of the actions is illegal: no button of a match would offer it

Only the lesson's key and the answers so far are stored. The position follows from them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple

from games import GAMES
from games.core import ActionError, State
from games.exercise import Answer, ExerciseError, followed, played
from games.log import LogError, position_after

_LESSON: Final = {"key": str, "title": str, "rules": list, "position": str, "step": list}
_STEP: Final = {"before": str, "right": str}
_WRONG: Final = {"actions": list, "rule": str, "words": str}
_WRONG_MAY: Final = {"trap": bool}
_LESSON_MAY: Final = {"ply": int}
_STEP_MAY: Final = {"goal": str, "actions": list, "shown": str, "then": list, "wrong": list, "otherwise": str}

OTHERWISE: Final = "That's allowed, but it isn't what this lesson asks for."


class LessonError(ExerciseError):
    """A file of lessons that can't be read or doesn't fit the rules. The message is a sentence that says where."""


class Wrong(NamedTuple):
    """A likely wrong answer: its `actions` (canonical texts), the `rule` that explains it, and its `words`.

    `trap`: not all of these are legal. A match has no button for such an action, so the learner is warned of traps.
    """

    actions: tuple[str, ...]
    rule: str
    words: str
    trap: bool = False


class Step(NamedTuple):
    """Something to achieve with one action: `before` is the task, `right` says what was achieved.

    An action is right if it meets the `goal`. Without a goal it must be one of the `actions`. `shown` is a right
    action. `then` are the lines ``<player> <action>`` that follow before the next step. `otherwise` answers legal
    actions that are neither right nor among the likely `wrong` answers.
    """

    before: str
    right: str
    goal: str | None
    actions: tuple[str, ...]
    shown: str
    then: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    otherwise: str


class Lesson(NamedTuple):
    """One lesson of a game: `key` is its permanent name, `rules` are the numbered rules that it shows.

    `start` is the position of the first step. The learner is its current player.
    """

    game: str
    key: str
    title: str
    rules: tuple[str, ...]
    start: State[Any]
    steps: tuple[Step, ...]

    @property
    def seat(self) -> int:
        """The learner's seat."""
        return self.start.current_player


@dataclass(frozen=True)
class Attempt:
    """A learner's progress in a lesson: the right `answers` so far (canonical texts), and the `state` after them.

    Until the lesson is over, it is an `Exercise`.
    """

    lesson: Lesson
    answers: tuple[str, ...]
    state: State[Any]

    @classmethod
    def begin(cls, lesson: Lesson) -> Attempt:
        """Return the attempt before the first step."""
        return cls(lesson, (), lesson.start)

    @classmethod
    def resume(cls, lesson: Lesson, answers: Sequence[str]) -> Attempt:
        """Return the attempt after these answers.

        If they aren't right any more, because the lesson has changed, it begins again.
        """
        attempt = cls.begin(lesson)
        for text in answers:
            if attempt.step is None or not attempt.answer(text).right:
                return cls.begin(lesson)
            attempt = attempt.after(text)
        return attempt

    @property
    def game(self) -> str:
        """The game's key."""
        return self.lesson.game

    @property
    def seat(self) -> int:
        """The learner's seat."""
        return self.lesson.seat

    @property
    def step(self) -> Step | None:
        """The current step; ``None`` once the lesson is over."""
        return self.lesson.steps[len(self.answers)] if len(self.answers) < len(self.lesson.steps) else None

    @property
    def _open_step(self) -> Step:
        """The current step. Raises LessonError once the lesson is over."""
        if self.step is None:
            raise LessonError("This lesson is over.")
        return self.step

    def answer(self, text: str) -> Answer:
        """Return the reply to the action with this canonical text.

        Raises InvalidAction if the text is no action at all, LessonError once the lesson is over.
        """
        step, seat = self._open_step, self.seat
        action = self.state.string_to_action(seat, text)
        expected = next((wrong for wrong in step.wrong if text in wrong.actions), None)
        refusal = self.state.why_illegal(seat, action)
        if refusal is not None:
            if expected is not None and expected.rule == refusal.rule:
                return Answer(False, expected.words, expected.rule, False)
            return Answer(False, refusal.reason, refusal.rule, False)
        if self._is_right(step, text, action):
            return Answer(True, step.right, then=step.then)
        if expected is not None:
            return Answer(False, expected.words, expected.rule, True)
        return Answer(False, step.otherwise)

    def after(self, text: str) -> Attempt:
        """Return the attempt after a right answer and the lines that follow it.

        Raises LessonError if one of them doesn't fit.
        """
        state = played(self, text)
        try:
            for _, after in followed(self, text, self._open_step.then):
                state = after
        except ExerciseError as error:
            raise LessonError(f"{_of(self.lesson)}: {error}") from error
        answers = (*self.answers, text)
        if len(answers) < len(self.lesson.steps) and state.current_player != self.seat:
            raise LessonError(f"{_of(self.lesson)}: it's not seat {self.seat}'s turn after {text!r}.")
        return Attempt(self.lesson, answers, state)

    @property
    def shown(self) -> str:
        """What **Show me** plays: the step's `shown`, or another action if that one isn't right here.

        The right action can depend on the earlier answers. Empty if nothing is right. Raises LessonError once the
        lesson is over.
        """
        step = self._open_step
        legal = (self.state.action_to_string(action) for action in self.state.legal_actions(self.seat))
        return next((text for text in (step.shown, *legal) if self.answer(text).right), "")

    @property
    def tempting(self) -> tuple[str, ...]:
        """The likely wrong answers that aren't legal. People can try them here."""
        if self.step is None:
            return ()
        texts = (text for wrong in self.step.wrong for text in wrong.actions)
        return tuple(text for text in texts if not self.answer(text).legal)

    def _is_right(self, step: Step, text: str, action: Any) -> bool:
        if step.goal is None:
            return text in step.actions
        name, *arguments = step.goal.split(" ")
        meets = GAMES[self.game].goals[name]
        seat = self.seat
        return meets(self.state, self.state.child(seat, action), seat, *arguments)


@lru_cache(maxsize=32)
def lessons(game: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game, in order. Raises LessonError for a file that can't be read."""
    rules = GAMES[game].rules
    text = rules.joinpath("lessons", f"{game}.toml").read_text("utf-8")
    return read(game, text, rules.joinpath("positions"))


def lesson(game: str, key: str) -> Lesson | None:
    """Return the lesson with this key; ``None`` if the game doesn't have it any more."""
    return next((each for each in lessons(game) if each.key == key), None)


def read(game: str, text: str, positions: Traversable) -> tuple[Lesson, ...]:
    """Return the lessons of a file. Their logs are in `positions`.

    Raises LessonError for what can't be read. `problems` checks whether a lesson can be solved.
    """
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LessonError(f"The lessons can't be read: {error}.") from error
    if set(written) != {"lesson"} or not isinstance(written["lesson"], list):
        raise LessonError("A file of lessons is a list of [[lesson]].")
    found = tuple(_lesson(game, each, positions) for each in written["lesson"])
    if len({each.key for each in found}) < len(found):
        raise LessonError("Two lessons have the same key.")
    return found


def _lesson(game: str, said: Mapping[str, Any], positions: Traversable) -> Lesson:
    where = f"Lesson {said.get('key', '?')}"
    _check(where, said, _LESSON, _LESSON_MAY)
    try:
        start = position_after(positions.joinpath(f"{said['position']}.log").read_text("ascii"), said.get("ply"))
    except (LogError, FileNotFoundError) as error:
        raise LessonError(f"{where}: its position can't be read. {error}") from error
    if start.info.key != game:
        raise LessonError(f"{where}: its position is of another game.")
    if start.current_player < 0:
        raise LessonError(f"{where}: it's nobody's turn in its position.")
    steps = tuple(_step(f"{where}, step {number}", each) for number, each in enumerate(said["step"], 1))
    return Lesson(game, said["key"], said["title"], tuple(said["rules"]), start, steps)


def _step(where: str, said: Mapping[str, Any]) -> Step:
    _check(where, said, _STEP, _STEP_MAY)
    goal, actions = said.get("goal"), tuple(said.get("actions", ()))
    if (goal is None) == (not actions):
        raise LessonError(f"{where}: it needs either a goal or actions.")
    shown = said.get("shown", actions[0] if actions else None)
    if shown is None:
        raise LessonError(f"{where}: a goal needs an action to be shown.")
    wrong = []
    for each in said.get("wrong", ()):
        _check(f"{where}, wrong", each, _WRONG, _WRONG_MAY)
        wrong.append(Wrong(tuple(each["actions"]), each["rule"], each["words"], each.get("trap", False)))
    return Step(
        before=said["before"].strip(),
        right=said["right"].strip(),
        goal=goal,
        actions=actions,
        shown=shown,
        then=tuple(said.get("then", ())),
        wrong=tuple(wrong),
        otherwise=said.get("otherwise", OTHERWISE),
    )


def _check(where: str, said: Mapping[str, Any], must: Mapping[str, type], may: Mapping[str, type]) -> None:
    missing = [name for name in must if name not in said]
    if missing:
        raise LessonError(f"{where}: it lacks {', '.join(missing)}.")
    for name, value in said.items():
        kind = must.get(name) or may.get(name)
        if kind is None:
            raise LessonError(f"{where}: there's nothing called {name!r}.")
        if not isinstance(value, kind):
            raise LessonError(f"{where}: {name} has to be a {kind.__name__}.")


def _of(lesson: Lesson) -> str:
    return f"Lesson {lesson.key}"


def problems(lesson: Lesson) -> list[str]:
    """Return what is wrong with a lesson, a sentence each; empty if nothing is.

    This checks that its goals can be reached and missed, that what it says of wrong answers is true, and that every
    right answer leads on.
    """
    attempt, found = Attempt.begin(lesson), list[str]()
    for number, step in enumerate(lesson.steps, 1):
        where = f"{_of(lesson)}, step {number}"
        try:
            found += [f"{where}: {each}" for each in _problems(attempt, step)]
            attempt = attempt.after(step.shown)
        except (ActionError, LessonError, KeyError, TypeError) as error:
            return [*found, f"{where}: {error}"]
    return found


def _problems(attempt: Attempt, step: Step) -> list[str]:
    """Return what is wrong with one step. Raises LessonError, or ActionError for an action that can't be read."""
    state, seat = attempt.state, attempt.seat
    texts = [state.action_to_string(action) for action in state.legal_actions(seat)]
    right = [text for text in texts if attempt.answer(text).right]
    found = []
    if step.shown not in right:
        found.append(f"what is shown, {step.shown}, isn't right")
    found += [f"{text} is called right and isn't legal" for text in step.actions if text not in texts]
    if len(right) == len(texts) and not attempt.tempting:
        found.append("every action that can be tried is right, so there's nothing to find out")
    for text in right:
        after = attempt.after(text)
        if after.step is not None and not after.shown:
            found.append(f"nothing is right after {text}")
    for wrong in step.wrong:
        if wrong.rule not in attempt.lesson.rules:
            found.append(f"rule {wrong.rule} isn't among those that the lesson shows")
        refused = [text for text in wrong.actions if text not in texts]
        if bool(refused) != wrong.trap:
            what = "needs trap = true" if refused else "is no trap"
            found.append(f"{', '.join(wrong.actions)} {what}")
        for text in wrong.actions:
            refusal = state.why_illegal(seat, state.string_to_action(seat, text))
            if text in right:
                found.append(f"{text} is called wrong and is right")
            elif refusal is not None and refusal.rule != wrong.rule:
                found.append(f"{text} is forbidden by {refusal.rule}, not by {wrong.rule}")
    return found
