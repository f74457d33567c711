"""Badges: the signs of seats, for places too small for a name (P22).

A badge has the seat's colour and shape. On it stands the shortest beginning of the player's name that no other name
shares. If there is none, or no font has its letters, the seat's number from 1 stands there, as on its plate.
"""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache
from typing import Final

from render import fonts
from render.palette import INK, PAPER, Colour, shade
from render.style import People
from render.tiles import Pen, Point, square_tile

_NUMBERED: Final = re.compile(r"#[0-9]+ ")

LONGEST: Final = 3
"""Most letters on a badge."""

SeatColours = tuple[tuple[Colour, Colour], ...]
"""By seat: the colour of the badge, and of the letters on it."""

SEAT_COLOURS: Final[SeatColours] = (
    (shade("red", 0.33), PAPER),
    (shade("blue", 0.27), PAPER),
    (shade("gold", 0.82), INK),
    (shade("green", 0.45), INK),
    (shade("purple", 0.67), INK),
    (shade("orange", 0.67), INK),
    (shade("teal", 0.78), INK),
    (shade("pink", 0.56), INK),
    (shade("brown", 0.22), PAPER),
    (shade("ink", 1.0), INK),
)
"""The default colours of seats.

Their lightness is chosen so that any two differ as much as possible for colour-blind people too.
"""


_RIM: Final = shade("ink", 0.85)


def _regular(corners: int, radius: float, turn: float = -90) -> list[Point]:
    """A regular polygon about 50,50."""
    angles = [math.radians(turn + 360 * i / corners) for i in range(corners)]
    return [(50 + radius * math.cos(a), 50 + radius * math.sin(a)) for a in angles]


def _shape(pen: Pen, seat: int, grow: float, colour: Colour) -> None:
    """Draw the outline of a seat's badge, enlarged by `grow` units. No two seats have the same."""
    if seat == 0:
        pen.circle(50, 50, 40 + grow, colour)
    elif seat == 1:
        pen.box(14 - grow, 14 - grow, 86 + grow, 86 + grow, colour, 14)
    elif seat == 2:
        pen.polygon(_regular(4, 48 + 1.4 * grow), colour)
    elif seat == 3:
        pen.polygon(_regular(6, 45 + 1.15 * grow), colour)
    elif seat == 4:
        g = grow
        shield = [(12 - g, 14 - g), (88 + g, 14 - g), (88 + g, 52), (50, 94 + 1.3 * g), (12 - g, 52)]
        pen.polygon(shield, colour)
    elif seat == 5:
        pen.polygon(_regular(8, 45 + 1.1 * grow, -67.5), colour)
    elif seat == 6:
        for i in range(8):
            a = math.radians(45 * i)
            pen.circle(50 + 29 * math.cos(a), 50 + 29 * math.sin(a), 15 + grow, colour)
        pen.circle(50, 50, 32, colour)
    elif seat == 7:
        pen.polygon(_regular(5, 48 + 1.25 * grow), colour)
    elif seat == 8:
        pen.box(28 - grow, 8 - grow, 72 + grow, 92 + grow, colour, 8)
        pen.box(8 - grow, 28 - grow, 92 + grow, 72 + grow, colour, 8)
    else:
        g = grow
        pen.polygon([(22 - g, 12 - g), (78 + g, 12 - g), (94 + 1.3 * g, 88 + g), (6 - 1.3 * g, 88 + g)], colour)


_ROOM: Final = (68, 66, 66, 70, 69, 72, 72, 67, 76, 66)
"""By seat: the greatest width of the text, in percent of the badge's width."""

_MIDDLE: Final = {4: 46, 7: 55}
"""By seat: how far down the middle of the text is, in percent of the badge's height, if not 52."""

_HIGHEST: Final = 54
_TEXT: Final = 66


@lru_cache(maxsize=512)
def texts(people: People, least: int = 1) -> tuple[str, ...]:
    """The text on every seat's badge: at least `least` letters or the seat's number from 1, no two alike."""
    letters = [_letters(name) for name in people]
    folded = [_folded("".join(each)) for each in letters]
    return tuple(
        next(
            (
                text
                for length in range(least, min(LONGEST, len(own)) + 1)
                if _stands_for_a_name(text := "".join(own[:length]))
                and not any(other.startswith(_folded(text)) for other in folded[:seat] + folded[seat + 1 :])
            ),
            str(seat + 1),
        )
        for seat, own in enumerate(letters)
    )


def _letters(name: str) -> list[str]:
    """The grapheme clusters of a name, from its first letter or digit on."""
    # A name that isn't alone at its table begins with its number, which stands on the badge then.
    found = [] if _NUMBERED.match(name) else fonts.clusters(name)
    while found and not found[0][0].isalnum():
        del found[0]
    return found


def _folded(text: str) -> str:
    """A key that is equal for texts that differ only in case or width."""
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_for_a_name(text: str) -> bool:
    """Whether a text suits a badge: one font has all of it, it is no number and doesn't end in a space."""
    return not text.isnumeric() and not text[-1].isspace() and len(fonts.runs(text)) == 1 and fonts.is_drawable(text)


@square_tile
def drawn(pen: Pen, text: str, seat: int, colours: SeatColours = SEAT_COLOURS) -> None:
    """A seat's badge with a text or none, `size` pixels square. Without `ground` it is transparent around its shape."""
    colour, letter = colours[seat]
    # A light rim inside the dark one, so that the shape shows on any ground.
    for grow, layer in ((5, INK), (1, _RIM), (-4, colour)):
        _shape(pen, seat, grow, layer)
    if not text:
        return
    wide, high = pen.measure(text, _TEXT)
    pen.text(50, _MIDDLE.get(seat, 52), text, _TEXT * min(1, _ROOM[seat] / wide, _HIGHEST / high), letter)
