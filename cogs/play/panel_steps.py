"""The way from "it is your turn" to one move: which step is next, what can be picked in it, what is skipped.

Pure: made from a `matches.View`, that is from the viewer's own observation and legal moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogs.text import names
from games.core import Choice, fold
from games.typed import undecorated
from matches import Move, View
from render import Mark


@dataclass(frozen=True)
class Entry:
    """One thing that can be picked: its `value`, the `label` that people read, its number on the picture if any."""

    value: str
    label: str
    mark: Mark | None


@dataclass(frozen=True)
class Position:
    """Where a person stands in the panel.

    `path` are the values picked so far, steps with one possibility included; `picked` the same in words for a message.
    `entries` are what can be picked next under the heading `question`, unless `move` is there: then the path is
    complete. `back` is the path that **Back** leads to, ``None`` at the beginning.
    """

    path: tuple[str, ...]
    picked: tuple[str, ...]
    question: str
    entries: tuple[Entry, ...]
    move: Move | None
    back: tuple[str, ...] | None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The numbered places of this step, in the order of the entries (the same on every page)."""
        return tuple(entry.mark for entry in self.entries if entry.mark is not None)


def position(view: View, path: tuple[str, ...]) -> Position | None:
    """Where `path` leads, or ``None`` when no legal move begins like that."""
    moves, back = view.moves, None
    for depth, value in enumerate(path):
        if len(_options(moves, depth)) > 1:
            back = path[:depth]
        moves = tuple(move for move in moves if len(move.choices) > depth and move.choices[depth].value == value)
    if not moves:
        return None
    labels = {step.name: step.label for step in view.match.info.steps}
    while True:
        options = _options(moves, len(path))
        complete = next((move for move in moves if len(move.choices) == len(path)), None)
        if complete is not None or not options:
            return Position(path, _in_words(view, moves[0], path), "", (), complete, back)
        if len(options) > 1:
            break
        path = (*path, next(iter(options)))
    step = next(iter(options.values())).step
    entries: list[Entry] = []
    number = 0
    for choice in options.values():
        mark = None
        if choice.place is not None:
            number += 1
            mark = Mark(number, choice.place)
        shown = label(view, choice)
        entries.append(Entry(choice.value, f"{number} · {shown}" if mark is not None else shown, mark))
    return Position(path, _in_words(view, moves[0], path), labels.get(step, step), tuple(entries), None, back)


def matching(view: View, wanted: dict[str, str]) -> tuple[Move, ...]:
    """The legal moves in which every named step has the wanted value (for slash options)."""
    return tuple(
        move
        for move in view.moves
        if all(
            any(choice.step == step and choice.value == value for choice in move.choices)
            for step, value in wanted.items()
        )
    )


def step_choices(moves: tuple[Move, ...], step: str) -> dict[str, Choice]:
    """What can be picked in one step of these moves, by value, in the order of the moves."""
    return {choice.value: choice for move in moves for choice in move.choices if choice.step == step}


def meant(view: View, step: str, written: str) -> tuple[str, ...]:
    """The values of a step that somebody can mean who writes instead of picking: as it stands, else in any case."""
    shown = {value: label(view, choice) for value, choice in step_choices(view.moves, step).items()}
    texts = (written, undecorated(written))
    folded = {fold(text) for text in texts}
    return next(
        (
            found
            for found in (
                tuple(value for value in shown if value in texts),
                tuple(value for value, words in shown.items() if words in texts),
                tuple(value for value, words in shown.items() if folded & {fold(value), fold(words)}),
            )
            if found
        ),
        (),
    )


def is_as_shown(view: View, step: str, value: str, written: str) -> bool:
    """Whether somebody wrote a value of a step, or what the menu shows for it, just as it stands."""
    shown = label(view, step_choices(view.moves, step)[value])
    return not {value, shown}.isdisjoint((written, undecorated(written)))


def common_path(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The values with which all these moves begin."""
    shared: list[str] = []
    for column in zip(*([choice.value for choice in move.choices] for move in moves), strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return tuple(shared)


def label(view: View, choice: Choice) -> str:
    """What people read for a choice in a menu: a person's name where it means a seat, else the game's label."""
    return names.plain_people(view.match)[choice.seat] if choice.seat is not None else choice.label


def words(view: View, choice: Choice) -> str:
    """The same for the text of a message."""
    return names.people(view.match)[choice.seat] if choice.seat is not None else choice.label


def _options(moves: tuple[Move, ...], depth: int) -> dict[str, Choice]:
    """What can be picked in step number `depth` of these moves, which begin alike."""
    return {move.choices[depth].value: move.choices[depth] for move in moves if len(move.choices) > depth}


def _in_words(view: View, move: Move, path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(words(view, choice) for choice in move.choices[: len(path)])
