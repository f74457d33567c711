"""Play any game in a terminal, all seats in turn at one keyboard."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeGuard

from games.core import CHANCE, ActionError, Observation, Rng, State
from games.exercise import typed_action
from games.grid import Cell, cell_to_string
from games.lessons import Attempt, Lesson
from games.log import offered
from games.typed import undecorated

CLEAR: Final = "\033[2J\033[H"
HELP: Final = "Type a move, ? for the legal ones, quit to stop."
LESSON_HELP: Final = "Type a move, show to see a right one, skip to go on."
_COMMON: Final = frozenset(field.name for field in dataclasses.fields(Observation))


def play(state: State[Any], rng: Rng, ask: Callable[[str], str], tell: Callable[[str], None]) -> State[Any]:
    """Play a match from `state`: `ask` prompts for a line, `tell` prints, and chance draws from `rng`.

    Every player sees only their own view. If hands are secret, the screen is cleared before the next player looks.
    Returns the position at the end, or when somebody types quit. Raises EOFError at the end of input.
    """
    news: list[list[str]] = [[] for _ in range(state.players)]
    looking: int | None = None
    while not state.is_terminal:
        player = state.current_player
        action = state.sample_chance(rng) if player == CHANCE else state.forced_action()
        if player != CHANCE and offered(state) is not None:
            action = None
        if action is None:
            if player != looking:
                looking = player
                if state.info.hands:
                    tell(CLEAR)
                    ask(f"Seat {player}, press Enter when nobody else is looking. ")
            for line in news[player]:
                tell(line)
            news[player].clear()
            action = _asked(state, ask, tell)
            if action is None:
                return state
        name = "chance" if player == CHANCE else f"seat {player}"
        for viewer, lines in enumerate(news):
            lines.append(f"({name}: {state.line_for(viewer, player, action)})")
        state = state.child(player, action)
    return state


def learn(lesson: Lesson, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
    """Run a lesson: `ask` prompts for a line, `tell` prints. Raises EOFError at the end of input."""
    attempt, seat = Attempt.begin(lesson), lesson.seat
    while attempt.step is not None:
        tell(f"\n{lesson.title} (step {len(attempt.answers) + 1} of {len(lesson.steps)})\n")
        tell(describe(attempt.state.observation(seat)) if attempt.state.info.hidden_information else str(attempt.state))
        tell(f"\n{attempt.step.before}\n{LESSON_HELP}")
        text = None
        while text is None:
            typed = ask(f"Seat {seat}> ").strip()
            if typed == "skip":
                return
            if typed == "show":
                text = attempt.step.shown
                tell(text)
            elif typed:
                text = _tried(attempt, typed, tell)
        tell(attempt.step.right)
        attempt = attempt.after(text)


def _tried(attempt: Attempt, typed: str, tell: Callable[[str], None]) -> str | None:
    """Return the canonical text of a right answer. For any other answer, tell what is wrong and return ``None``."""
    try:
        text = typed_action(attempt, typed)
    except ActionError as error:
        tell(str(error))
        return None
    answer = attempt.answer(text)
    if answer.right:
        return text
    tell(answer.words if answer.rule is None else f"{answer.rule}: {answer.words}")
    return None


def _asked(state: State[Any], ask: Callable[[str], str], tell: Callable[[str], None]) -> Any:
    """Return the action that the current player types, or ``None`` to stop.

    If the text was read leniently, the player confirms that reading with an empty line.
    """
    player = state.current_player
    # If nothing is hidden, the developers' picture of the position tells no secret, and it shows the board.
    tell(describe(state.observation(player)) if state.info.hidden_information else str(state))
    tell(HELP)
    read = None
    while True:
        text = ask(f"Seat {player}> ").strip()
        if text == "quit":
            return None
        if read is not None and not text:
            return read
        read = None
        if text == "?":
            tell("  ".join(state.action_to_string(action) for action in state.legal_actions(player)))
        elif text:
            try:
                action = state.parse_action(player, text)
            except ActionError as error:
                tell(str(error))
                continue
            canonical = state.action_to_string(action)
            if undecorated(text) == canonical:
                return action
            read = action
            tell(f"I read that as {canonical}. Press Enter to play it, or type another move.")


def describe(observation: Observation) -> str:
    """Return an observation as plain text: one line a fact, a picture for a grid. Empty facts are left out."""
    lines = []
    for field in dataclasses.fields(observation):
        value = getattr(observation, field.name)
        if field.name in _COMMON or value is None or value in ("", (), frozenset()):
            continue
        name = field.name.replace("_", " ")
        if isinstance(value, Mapping) and value and all(map(_is_cell, value)):
            lines += [f"{name}:", *_picture(value)]
        elif isinstance(value, tuple) and any(_is_record(each) for each in value):
            lines += [f"{name}:", *(f"  {_plain(each)}" for each in value)]
        else:
            lines.append(f"{name}: {_plain(value)}")
    return "\n".join(lines)


def _is_record(value: object) -> bool:
    return dataclasses.is_dataclass(value) or hasattr(value, "_fields")


def _is_cell(value: object) -> TypeGuard[Cell]:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(part, int) for part in value)


def _plain(value: Any) -> str:
    """Return a value on one line."""
    if value is None or value in ("", (), frozenset()):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if _is_record(value):
        names = value._fields if hasattr(value, "_fields") else [field.name for field in dataclasses.fields(value)]
        return ", ".join(f"{name.replace('_', ' ')} {_plain(getattr(value, name))}" for name in names)
    if isinstance(value, Mapping):
        return "; ".join(f"{_plain(key)}: {_plain(each)}" for key, each in value.items())
    if isinstance(value, frozenset):
        return "; ".join(map(_plain, sorted(value)))
    if _is_cell(value):
        return cell_to_string(value)
    if isinstance(value, tuple):
        return ("; " if any(isinstance(each, tuple) for each in value) else ", ").join(map(_plain, value))
    return str(value)


def _picture(grid: Mapping[tuple[int, int], object]) -> Iterator[str]:
    """Yield the rows of an unbounded grid, the highest first, with the coordinates at the edges."""
    columns = range(min(x for x, _ in grid), max(x for x, _ in grid) + 1)
    rows = range(max(y for _, y in grid), min(y for _, y in grid) - 1, -1)
    width = 1 + max(len(_plain(value)) for value in grid.values())
    for y in rows:
        yield f"{y:4} " + "".join(f"{_plain(grid.get((x, y), '.')):>{width}}" for x in columns)
    yield "     " + "".join(f"{x:>{width}}" for x in columns)
