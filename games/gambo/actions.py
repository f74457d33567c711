"""The actions of Gambo, their notation, and other ways in which people type them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.core import reader
from games.gambo.components import PIECES
from games.typed import by_word


class Deal(NamedTuple):
    """Chance fills both rows, each from left to right (G1)."""

    north: tuple[str, ...]
    south: tuple[str, ...]


class Side(NamedTuple):
    """Player 0 takes `side`, ``"north"`` or ``"south"`` (G1)."""

    side: str


class Advance(NamedTuple):
    """A piece moves from its starting square into the corridor (G3)."""

    piece: str


class Duel(NamedTuple):
    """The player's piece `attacker` attacks the opponent's piece `target` (G5)."""

    attacker: str
    target: str


class Swap(NamedTuple):
    """Two pieces of the player change places (G9). They are in the order of `PIECES`."""

    pieces: tuple[str, str]


@dataclass(frozen=True)
class Pass:
    """No other action is legal (G2). A dataclass, because an empty tuple counts as false."""


Action = Deal | Side | Advance | Duel | Swap | Pass

PASS: Final = Pass()

_TYPED_PIECE: Final = re.compile(r"(?<![a-wyz])(e|c|m|elephants?|cats?|mouse|mice)[\s.-]*([123])(?![0-9])")
_WORD: Final = re.compile(r"\w+|[^\w\s,.:;!-]")
_VERBS: Final = by_word(
    {
        "adv": "adv advance advances move moves go goes enter enters forward",
        "duel": "duel duels attack attacks fight fights take takes capture captures beat beats against vs x × > →",
        "swap": "swap swaps exchange exchanges switch switches change changes with",
        "pass": "pass passes skip",
        "north": "north top upper",
        "south": "south bottom lower",
        "": "and for to my the a i side row choose play corridor",
    }
)
"""Maps what people type to the verb of the notation. The words mapped to ``""`` are ignored."""


def action_to_string(action: Action) -> str:
    """Return the canonical text of an action."""
    match action:
        case Swap((one, other)):
            return f"swap {one} {other}"
        case Advance(piece):
            return f"adv {piece}"
        case Duel(attacker, target):
            return f"duel {attacker}x{target}"
        case Side(side):
            return f"side {side}"
        case Deal(north, south):
            return f"deal {''.join(north)}/{''.join(south)}"
        case Pass():
            return "pass"


def _row(text: str) -> tuple[str, ...]:
    return tuple(text[place : place + 2] for place in range(0, len(text), 2))


_PIECE: Final = "([ECM][123])"
string_to_action: Final = reader(
    "isn't a move in Gambo.",
    {
        "pass": lambda: PASS,
        f"adv {_PIECE}": Advance,
        f"duel {_PIECE}x{_PIECE}": Duel,
        f"swap {_PIECE} {_PIECE}": lambda one, other: Swap((one, other)),
        "side (north|south)": Side,
    },
    {"deal ((?:[ECM][123]){9})/((?:[ECM][123]){9})": lambda north, south: Deal(_row(north), _row(south))},
)


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return the notation for what somebody typed, or the text itself if nothing fits.

    People may write kinds in full, use other verbs, name the pieces of a swap in any order, and advance a piece by
    naming it alone.
    """
    typed = text.casefold()
    pieces = [f"{found[1][0]}{found[2]}".upper() for found in _TYPED_PIECE.finditer(typed)]
    words = _WORD.findall(_TYPED_PIECE.sub(" ", typed))
    if not _VERBS.keys() >= set(words):
        return text
    match pieces, *({_VERBS[word] for word in words} - {""}):
        case [[], "pass"]:
            return "pass"
        case [[], ("north" | "south") as side]:
            return f"side {side}"
        case [[piece]] | [[piece], "adv"]:
            return f"adv {piece}"
        case [[attacker, target], "duel"]:
            return f"duel {attacker}x{target}"
        case [[_, _], "swap"]:
            return "swap " + " ".join(sorted(pieces, key=PIECES.index))
    return text
