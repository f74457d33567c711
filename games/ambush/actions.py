"""The actions of Ambush, their notation, and other ways in which people type them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from games.ambush.components import SIZES
from games.core import AmbiguousAction, reader
from games.typed import by_word, shortened


class First(NamedTuple):
    """Chance decides who starts (B1)."""

    player: int


class Place(NamedTuple):
    """The player puts the top pyramid of one of their trees on a square (B2)."""

    size: str
    square: str


class Rotate(NamedTuple):
    """A coaster turns clockwise by `angle` degrees. The player pays with a pyramid of the size `price` (B7)."""

    coaster: str
    angle: int
    price: str


class Capture(NamedTuple):
    """The player chooses `square` for the next capture (B9)."""

    square: str


Action = First | Place | Rotate | Capture

_WORD: Final = re.compile(r"[a-z]+|[0-9]+|[^a-z0-9\s.,°-]")
_ARTICLE: Final = re.compile(r"\ba\s+(?=[a-z])")
_MINUS: Final = re.compile(r"(?<![a-z0-9])-\s*[0-9]")
_TYPED_CAPTURE: Final = re.compile(r"X([A-F][1-6])")
_TYPED_PLACE: Final = re.compile(r"([SML]?)([A-F][1-6])([SML]?)")
_TYPED_ROTATION: Final = re.compile(r"([NS][EW])(<?)(90|180|270)(<?)([SML]?)")
_WORDS: Final = by_word(
    {
        "s": "small south",
        "m": "medium middle mid",
        "l": "large big",
        "n": "north",
        "e": "east",
        "w": "west",
        "nw": "northwest",
        "ne": "northeast",
        "sw": "southwest",
        "se": "southeast",
        "x": "capture captures take takes remove",
        "<": "left counterclockwise anticlockwise counter anti ccw",
        "90": "quarter",
        "180": "half",
        "": "place put play add drop pyramid on onto to at rotate turn spin coaster by degrees deg right clockwise cw"
        " pay paid pays paying with for cost price and the of",
    }
)
"""Maps what people type to its text without spaces. The words mapped to ``""`` are ignored."""


def action_to_string(action: Action) -> str:
    """Return the canonical text of an action."""
    match action:
        case Place(size, square):
            return f"{size}{square}"
        case Rotate(coaster, angle, price):
            return f"{coaster}{angle}-{price}"
        case Capture(square):
            return f"x{square}"
        case First(player):
            return f"first {player}"


string_to_action: Final = reader(
    "isn't a move in Ambush.",
    {
        "([SML])([A-F][1-6])": Place,
        "([NS][EW])(90|180|270)-([SML])": lambda coaster, angle, price: Rotate(coaster, int(angle), price),
        "x([A-F][1-6])": Capture,
    },
    {"first ([01])": lambda player: First(int(player))},
)


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return the notation for what somebody typed, or the text itself if nothing fits.

    If the size is missing, the only legal one is meant. Raises AmbiguousAction if several are legal.
    """
    possible = _readings(text)
    allowed = set(map(action_to_string, legal))
    meant = [reading for reading in possible if reading in allowed] or list(possible[:1])
    if len(meant) > 1:
        names = ", ".join(f"`{reading}`" for reading in meant)
        raise AmbiguousAction(f"“{shortened(text)}” could mean {names}. Please write the one you mean.")
    return meant[0] if meant else text


def _readings(text: str) -> tuple[str, ...]:
    """Return the possible notations of what somebody typed: several if the size is missing, none if nothing fits.

    People may write sizes and coasters in full, the size before or after the square, and angles to the left.
    """
    typed = text.casefold()
    if _MINUS.search(typed):
        return ()
    typed = "".join(_WORDS.get(word, word) for word in _WORD.findall(_ARTICLE.sub("", typed))).upper()
    if found := _TYPED_CAPTURE.fullmatch(typed):
        return (f"x{found[1]}",)
    if found := _TYPED_PLACE.fullmatch(typed):
        before, square, after = found.groups()
        if before or after:
            return (f"{before}{after}{square}",) if not (before and after) else ()
        return (*(f"{size}{square}" for size in SIZES), f"x{square}")
    if found := _TYPED_ROTATION.fullmatch(typed):
        coaster, left, angle, left_after, price = found.groups()
        clockwise = 360 - int(angle) if left or left_after else int(angle)
        return tuple(f"{coaster}{clockwise}-{size}" for size in price or SIZES)
    return ()
