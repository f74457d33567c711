"""Illustrations of the rules: positions of real matches, with places pointed out in them.

A line of its own in a game's page (`games.pages`) stands for one:

    ![what is seen, in words](position: saboteur-fit; allowed NS@0,-1, EW@2,-2; refused NS@2,0; arrows 0,0>1,0)

The position is the last one of the log with that name, or the one after the line ``ply 40``. Every line of the log is
checked, so that no picture shows something impossible.

``allowed`` actions of the current player are numbered from 1, at their places, and the picture shows what they would
lay there. ``refused`` actions are crossed out. A test checks both against the rules. ``numbers`` continues the
numbering at other places, and ``crosses`` crosses out other places. ``hand 0`` shows the cards of seat 0 instead of the
board, and places are then cards; ``role 0`` shows the role of seat 0.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from games import pages
from games.core import Choice, Observation, State
from games.log import Beat, beats, parse_log, position_after

_LINE = re.compile(r"^!\[(?P<alt>[^\]]+)\]\(position: (?P<name>[a-z0-9-]+)(?P<rest>(?:; [^;)]+)*)\)$", re.MULTILINE)
_WORDS: Final = ("allowed", "refused", "numbers", "crosses", "arrows")
_NUMBERS: Final = ("ply", "hand", "role")


class Illustration(NamedTuple):
    """A picture for a section of the rules, as its line describes it (see the module).

    `name` is the name of the log. `alt` describes the picture in a sentence or two. Actions and places are in the
    notation. `arrows` are pairs of places.
    """

    name: str
    alt: str
    ply: int | None = None
    hand: int | None = None
    role: int | None = None
    allowed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    crosses: tuple[str, ...] = ()
    arrows: tuple[tuple[str, str], ...] = ()

    @property
    def viewer(self) -> int | None:
        """The seat whose secrets the picture shows; ``None`` if it shows the board."""
        return self.hand if self.hand is not None else self.role


class Pointer(NamedTuple):
    """A place to point out. Number 0 crosses it out. `action` is the action that the place belongs to, if any."""

    number: int
    place: str
    action: Any = None


def split_illustrations(text: str) -> tuple[str, tuple[Illustration, ...]]:
    """Return a text without its illustration lines, and the illustrations. Raises ValueError for a malformed line."""
    asked = tuple(_read(*found.group("alt", "name", "rest")) for found in _LINE.finditer(text))
    return re.sub(r"\n{3,}", "\n\n", _LINE.sub("", text)).strip(), asked


def _read(alt: str, name: str, rest: str) -> Illustration:
    said: dict[str, Any] = {}
    for part in rest.split("; ")[1:]:
        kind, _, listed = part.partition(" ")
        words = listed.split(", ")
        if kind in said or not all(words):
            raise ValueError(f"The illustration {name} says something that can't be read: {part!r}.")
        if kind in _NUMBERS and len(words) == 1 and words[0].isdecimal():
            said[kind] = int(words[0])
        elif kind == "arrows" and all(word.count(">") == 1 for word in words):
            said[kind] = tuple(tuple(word.split(">")) for word in words)
        elif kind in _WORDS and kind != "arrows":
            said[kind] = tuple(words)
        else:
            raise ValueError(f"The illustration {name} says something that can't be read: {part!r}.")
    return Illustration(name, alt, **said)


@lru_cache(maxsize=128)
def position(name: str, ply: int | None = None) -> State[Any]:
    """Return the position after a line of a log, by default the last one. Every line is checked.

    Raises LogError for a log that doesn't replay or has no such line, FileNotFoundError for a missing log.
    """
    return position_after(pages.position_log(name), ply)


def observed(shown: Illustration) -> Observation:
    """Return the observation that an illustration shows: the viewer's for a hand or a role, else a spectator's."""
    return position(shown.name, shown.ply).observation(shown.viewer)


def game_of(shown: Illustration) -> str:
    """Return the key of an illustration's game."""
    return position(shown.name, shown.ply).info.key


def pointed_out(shown: Illustration) -> tuple[Pointer, ...]:
    """Return every place that is numbered or crossed out. Raises ActionError for an action that can't be read."""
    state, found = position(shown.name, shown.ply), []
    for number, text in (*enumerate(shown.allowed, 1), *((0, text) for text in shown.refused)):
        action = state.string_to_action(state.current_player, text)
        found += [Pointer(number, place, action) for place in _places(shown, state.choices(action))]
    found += [Pointer(number, place) for number, place in enumerate(shown.numbers, len(shown.allowed) + 1)]
    return (*found, *(Pointer(0, place) for place in shown.crosses))


def _places(shown: Illustration, choices: tuple[Choice, ...]) -> list[str]:
    """Return where to show an action with these choices: its last place on the board, or its cards in the hand."""
    if shown.hand is not None:
        hand = getattr(observed(shown), "hand", ())
        return [choice.value for choice in choices if choice.value in hand]
    return [choice.place for choice in choices if choice.place][-1:]


def of_game(key: str) -> tuple[Illustration, ...]:
    """Return all illustrations of a game's rules, in order."""
    return split_illustrations(pages.page(key))[1]


@lru_cache(maxsize=8)
def watched(name: str) -> tuple[Beat, ...]:
    """Return a whole log as an animation of it needs it. Raises LogError."""
    header, lines = parse_log(pages.position_log(name))
    return tuple(beats(header, lines))
