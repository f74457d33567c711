"""Illustrations of the rules: positions of real matches, and what is pointed out in them.

A line of its own in a game's page (`games.pages`) asks for one:

    ![what is seen, in words](position: saboteur-fit; allowed NS@0,-1, EW@2,-2; refused NS@2,0; arrows 0,0>1,0)

The position is the last one of the log of that name beside the page, or the one after the line ``ply 40``.
Every line of the log is checked, so that nothing is shown that could not happen.

``allowed`` actions of the player on turn are numbered from 1 on, at their places, and what they would lay is shown
there; ``refused`` ones are crossed out. A test holds them against the rules. ``numbers`` goes on counting with places
and ``crosses`` strikes out places; both only point. ``hand 0`` shows the cards of seat 0 instead of the board (places
are its cards then), ``role 0`` the role.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from games import pages
from games.core import Choice, Observation, State
from games.log import LogError, parse_log, replay

_LINE = re.compile(r"^!\[(?P<alt>[^\]]+)\]\(position: (?P<name>[a-z0-9-]+)(?P<rest>(?:; [^;)]+)*)\)$", re.MULTILINE)
_WORDS: Final = ("allowed", "refused", "numbers", "crosses", "arrows")
_NUMBERS: Final = ("ply", "hand", "role")


class Illustration(NamedTuple):
    """A picture for a section of the rules, as its line asks for it (see the module).

    `name` is the log's, `alt` says in a sentence or two what is seen; actions and places are written as in the
    notation, `arrows` lead from one place to another.
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
        """Whose secrets are shown; ``None`` where the board is."""
        return self.hand if self.hand is not None else self.role


class Pointer(NamedTuple):
    """A place to be pointed out: numbered, with number 0 crossed out; `action` is what would be done there, if any."""

    number: int
    place: str
    action: Any = None


def taken_out(text: str) -> tuple[str, tuple[Illustration, ...]]:
    """A text without the lines that ask for illustrations, and these. Raises ValueError for one that makes no sense."""
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
    """The position after a line of a log, the last one by default; every line is checked.

    Raises LogError for a log that does not replay or has no such line, FileNotFoundError where there is none.
    """
    header, lines = parse_log(pages.position_log(name))
    states = [state for _, state in replay(header, lines[: None if ply is None else ply + 1])]
    if ply is not None and ply + 1 != len(states):
        raise LogError(f"The log {name} has no line {ply}.")
    return states[-1]


def observed(shown: Illustration) -> Observation:
    """What is seen in it: what everybody sees, and for cards and roles what their owner does."""
    return position(shown.name, shown.ply).observation(shown.viewer)


def game_of(shown: Illustration) -> str:
    """The key of its game."""
    return position(shown.name, shown.ply).info.key


def pointed_out(shown: Illustration) -> tuple[Pointer, ...]:
    """Every place that is numbered or crossed out. Raises ActionError for an action that cannot be read."""
    state, found = position(shown.name, shown.ply), []
    for number, text in (*enumerate(shown.allowed, 1), *((0, text) for text in shown.refused)):
        action = state.string_to_action(state.current_player, text)
        found += [Pointer(number, place, action) for place in _places(shown, state.choices(action))]
    found += [Pointer(number, place) for number, place in enumerate(shown.numbers, len(shown.allowed) + 1)]
    return (*found, *(Pointer(0, place) for place in shown.crosses))


def _places(shown: Illustration, choices: tuple[Choice, ...]) -> list[str]:
    """Where an action that is picked by these choices is seen: on the board, or on cards of the hand."""
    if shown.hand is not None:
        hand = getattr(observed(shown), "hand", ())
        return [choice.value for choice in choices if choice.value in hand]
    return [choice.place for choice in choices if choice.place][-1:]


def of_game(key: str) -> tuple[Illustration, ...]:
    """All illustrations of a game's rules, in order."""
    return taken_out(pages.page(key))[1]


def watched(name: str) -> tuple[Observation, ...]:
    """What everybody sees in the course of a log, whenever somebody is to act and at the end. Raises LogError."""
    header, lines = parse_log(pages.position_log(name))
    states = (state for _, state in replay(header, lines))
    return tuple(state.observation(None) for state in states if state.current_player >= 0 or state.is_terminal)
