"""The actions of Moor, their notation, and other ways in which people type them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from games.core import CHANCE, InvalidAction
from games.typed import shortened


class Deal(NamedTuple):
    """Chance gives every seat a token, named by its letter (M1)."""

    tokens: tuple[str, ...]


class Take(NamedTuple):
    """The player takes `number` stones from a cairn (M2)."""

    cairn: str
    number: int


Action = Deal | Take

_DEAL: Final = re.compile(r"deal ([A-D]{2,3})", re.ASCII)
_TAKE: Final = re.compile(r"([A-D])-([1-9])", re.ASCII)

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


def string_to_action(player: int, text: str) -> Action:
    """Return the action of `player` (or of `CHANCE`) with this canonical text, legal or not. Raises InvalidAction."""
    if player == CHANCE:
        if found := _DEAL.fullmatch(text):
            return Deal(tuple(found[1]))
    elif found := _TAKE.fullmatch(text):
        return Take(found[1], int(found[2]))
    raise InvalidAction(f"“{shortened(text)}” isn't a move in Moor.")


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return the notation for what somebody typed, or the text itself if nothing fits.

    Number and letter may come in any order: ``two stones from B``.
    """
    words = [_NUMBERS.get(word, word) for word in _WORD.findall(text.casefold()) if word not in _SILENT]
    match sorted(words):
        case [count, cairn] if count.isdecimal() and len(cairn) == 1:
            return f"{cairn.upper()}-{count}"
    return text
