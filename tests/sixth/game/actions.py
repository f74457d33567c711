"""The actions of Moor, their notation, and other ways in which people type them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from games.core import reader


class Deal(NamedTuple):
    """Chance gives every seat a token, named by its letter (M1)."""

    tokens: tuple[str, ...]


class Take(NamedTuple):
    """The player takes `number` stones from a cairn (M2)."""

    cairn: str
    number: int


Action = Deal | Take

_WORD: Final = re.compile(r"[^\W\d]+|\d+|[^\w\s.,-]")
_SILENT: Final = frozenset({"take", "takes", "remove", "stone", "stones", "from", "of", "off", "cairn", "the"})
_NUMBERS: Final = {"one": "1", "two": "2", "three": "3"}


def action_to_string(action: Action) -> str:
    """Return the canonical text of an action: ``B-2``, ``deal AC``."""
    match action:
        case Take(cairn, number):
            return f"{cairn}-{number}"
        case Deal(tokens):
            return f"deal {''.join(tokens)}"


string_to_action: Final = reader(
    "isn't a move in Moor.",
    {"([A-D])-([1-9])": lambda cairn, number: Take(cairn, int(number))},
    {"deal ([A-D]{2,3})": lambda letters: Deal(tuple(letters))},
)


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return the notation for what somebody typed, or the text itself if nothing fits.

    Number and letter may come in any order: ``two stones from B``.
    """
    words = [_NUMBERS.get(word, word) for word in _WORD.findall(text.casefold()) if word not in _SILENT]
    match sorted(words):
        case [count, cairn] if count.isdecimal() and len(cairn) == 1:
            return f"{cairn.upper()}-{count}"
    return text
