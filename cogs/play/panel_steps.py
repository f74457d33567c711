"""From "it is your turn" to one move: which step is next, what can be picked in it, and which steps are skipped.

Pure: made from a `View`, so from the viewer's own observation and legal moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from cogs.text import names
from games.core import Choice
from games.typed import fold
from matches.api import Move, View
from render import Mark

WHOLE_MOVES: Final = "Your move?"
"""The question of a first page whose entries are whole moves."""

PLAYERS: Final = "Which player?"
"""The question of a page that asks for a player."""


@dataclass(frozen=True)
class Entry:
    """One thing that can be picked: the `path` that it leads to, the `label` that people read, and its mark if any.

    Entries with `gives_up` (they give up a card or the turn) come last.
    """

    path: tuple[str, ...]
    label: str
    mark: Mark | None
    gives_up: bool = False


@dataclass(frozen=True)
class Position:
    """Where a person stands in the panel.

    `path` are the values picked so far, steps with one possibility included; `picked` the same in words for a message.
    `entries` are what can be picked next under the heading `question`. A complete path has a `move` instead, and
    `turned` are then the other ways round in which the same card can lie there, the next one first. `back` is the path
    that **Back** leads to, ``None`` at the beginning.
    """

    path: tuple[str, ...]
    picked: tuple[str, ...]
    question: str
    entries: tuple[Entry, ...]
    move: Move | None
    back: tuple[str, ...] | None
    turned: tuple[Entry, ...] = ()

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The numbered places of this step, in the order of the entries (the same on every page)."""
        return tuple(entry.mark for entry in self.entries if entry.mark is not None)


def position(view: View, path: tuple[str, ...]) -> Position | None:
    """Where `path` leads, or ``None`` when no legal move begins like that."""
    here = _at(view, path)
    return here if here is None or not path else replace(here, back=_back(view, path, here.path))


def _back(view: View, asked: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...] | None:
    """The path of the last page before `path`, to which `asked` leads; ``None`` on the first page."""
    before, page = None, _at(view, ())
    while page is not None and page.move is None and len(page.path) < len(path):
        before = page.path
        ahead = next((entry.path for entry in page.entries if path[: len(entry.path)] == entry.path), None)
        page = None if ahead is None or ahead == asked else _at(view, ahead)
    return before


def _at(view: View, path: tuple[str, ...]) -> Position | None:
    """Like `position`, without `back`."""
    moves = [move for move in view.moves if move.values[: len(path)] == path]
    if not moves:
        return None
    steps = {step.name: step for step in view.match.info.steps}
    while True:
        options = _options(moves, len(path))
        complete = next((move for move in moves if len(move.choices) == len(path)), None)
        if complete is not None or not options:
            turned = _turned(view, complete) if complete is not None and steps[complete.choices[-1].step].turns else ()
            picked = in_words(view, moves[0].choices[: len(path)])
            return Position(path, picked, "", (), complete, None, turned)
        value, choice = next(iter(options.items()))
        if len(options) > 1 and not steps[choice.step].turns:
            break
        path = (*path, value)
        moves = [move for move in moves if move.values[: len(path)] == path]
    entries = _entries(view, moves, path)
    whole = not path and len(entries) == len(moves) and any(len(entry.path) > 1 for entry in entries)
    player = any(option.seat is not None for option in options.values())
    question = WHOLE_MOVES if whole else PLAYERS if player else steps[choice.step].label
    return Position(path, in_words(view, moves[0].choices[: len(path)]), question, entries, None, None)


def _turned(view: View, shown: Move) -> tuple[Entry, ...]:
    """The moves that are the same but for how the card is turned: those after the `shown` one, then those before."""
    same = [move for move in view.moves if move.values[:-1] == shown.values[:-1]]
    index = same.index(shown)
    return tuple(
        Entry(move.values, label(view, move.choices[-1]), None) for move in (*same[index + 1 :], *same[:index])
    )


def _entries(view: View, moves: Sequence[Move], path: tuple[str, ...]) -> tuple[Entry, ...]:
    """What can be picked after `path`, with which all these moves begin. Entries with `gives_up` come last."""
    depth = len(path)
    picks = _merged(view, moves, depth)
    joined = any(len(choices) > 1 for choices in picks)
    named = {step.name for step in view.match.info.steps if step.named}
    entries: list[Entry] = []
    number = 0
    for choices in sorted(picks, key=lambda choices: choices[-1].gives_up):
        mark, last = None, choices[-1]
        shown = _joined(choices, label, view)
        if last.place is not None and last.step in named:
            mark = Mark(number, last.place, name=last.place)
        elif last.place is not None and not joined:
            number += 1
            mark = Mark(number, last.place)
            shown = (f"{number} · {shown[0]}" if last.brief is None else f"{number} {last.brief}", *shown[1:])
        first, *others = shown
        text = ", ".join((first, *(other[:1].lower() + other[1:] for other in others)))
        entries.append(Entry((*path, *(choice.value for choice in choices)), text, mark, last.gives_up))
    return tuple(entries)


def _joined(choices: Sequence[Choice], text: Callable[[View, Choice], str], view: View) -> tuple[str, ...]:
    """Return the texts of consecutive choices. The `whole` of one replaces the text of the choice before it."""
    texts: list[str] = []
    for choice in choices:
        if choice.whole is not None and texts:
            texts[-1] = choice.whole
        else:
            texts.append(text(view, choice))
    return tuple(texts)


def _merged(view: View, moves: Sequence[Move], depth: int) -> list[tuple[Choice, ...]]:
    """The choices of step number `depth`, each joined with those of later steps that are asked together with it."""
    limits = {step.name: step.joins for step in view.match.info.steps}
    picks = [move.choices[depth : depth + 1] for move in moves]
    while True:
        ahead = [move.choices[depth + len(pick) :][:1] for move, pick in zip(moves, picks, strict=True)]
        most = min((limits[choice.step] for step in ahead for choice in step if limits[choice.step]), default=0)
        joined = [tuple(choice for choice in step if limits[choice.step]) for step in ahead]
        longer = [(*pick, *step) for pick, step in zip(picks, joined, strict=True)]
        if len(set(longer)) > most:
            return list(dict.fromkeys(picks))
        picks = longer


def typed(view: View, written: str, *, notation: bool = False) -> tuple[Move, ...]:
    """The legal moves whose words begin with a text, or else those that have each word of it somewhere.

    With `notation` also in their notation.
    """
    told = {move: (fold(line(view, move)), fold(move.text) if notation else "") for move in view.moves}
    begun = tuple(move for move, (shown, _) in told.items() if shown.startswith(fold(written)))
    wanted = [fold(word) for word in written.split()]
    return begun or tuple(move for move, texts in told.items() if all(word in " ".join(texts) for word in wanted))


def line(view: View, move: Move) -> str:
    """A move in words, as menus show it."""
    return ", ".join(_joined(move.choices, label, view))


def beginnings(view: View, moves: Sequence[Move], most: int) -> list[str]:
    """What moves can begin with, in words: as many steps of them as give at most so many beginnings."""
    found: list[str] = []
    for depth in range(1, max((len(move.choices) for move in moves), default=0) + 1):
        begun = [", ".join(_joined(move.choices[:depth], label, view)) for move in moves]
        if len(set(begun)) > most:
            break
        # A later step may say the whole in other words.
        if all(line(view, move).startswith(text) for move, text in zip(moves, begun, strict=True)):
            found = list(dict.fromkeys(begun))
    return found


def common_path(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The values with which all these moves begin."""
    shared: list[str] = []
    for column in zip(*(move.values for move in moves), strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return tuple(shared)


def label(view: View, choice: Choice) -> str:
    """A choice on a button: a person's name if it means a seat, else the game's label."""
    if choice.seat is None:
        return choice.label
    return names.plain_people(view.match)[choice.seat] + (" (you)" if choice.seat == view.seat else "")


def words(view: View, choice: Choice) -> str:
    """A choice in the text of a message, like `label`."""
    return names.people(view.match)[choice.seat] if choice.seat is not None else choice.label


def _options(moves: Sequence[Move], depth: int) -> dict[str, Choice]:
    """What can be picked in step number `depth` of these moves, which begin alike."""
    return {move.values[depth]: move.choices[depth] for move in moves if len(move.choices) > depth}


def in_words(view: View, choices: Sequence[Choice]) -> tuple[str, ...]:
    """Choices in the text of a message, one after the other."""
    return _joined(choices, words, view)


def as_asked(view: View, move: Move) -> tuple[str, ...]:
    """A move in words, page by page as the panel asks for it."""
    told: list[str] = []
    picked, done, here = move.values, 0, _at(view, ())
    while here is not None and here.move is None:
        ahead = next((entry.path for entry in here.entries if picked[: len(entry.path)] == entry.path), None)
        if ahead is None:
            break
        told += in_words(view, move.choices[done : len(ahead)])
        done, here = len(ahead), _at(view, ahead)
    return (*told, *in_words(view, move.choices[done:]))
