"""Badges: what stands for a seat wherever there is no room for a name (P22). Here alone it is decided what is on them.

A badge is the seat's colour and shape with the shortest beginning of the name that nobody else's name has. Where there
is none, or no font has it, it is the seat's number, as typed moves and logs have it.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache
from typing import Final

from render import fonts
from render.kept import kept
from render.palette import INK, PAPER, Colour, shade
from render.style import People
from render.tiles import Pen, Point, Sprite

LONGEST: Final = 3
"""Letters on a badge at most."""

SeatColours = tuple[tuple[Colour, Colour], ...]
"""By seat its colour, and that of the letter on it."""

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
"""The colours of the seats in games that name none.

Of each family the lightness at which any two stay furthest apart for who does not see red, green or blue light.
"""


_RIM: Final = shade("ink", 0.85)


def _regular(corners: int, radius: float, turn: float = -90) -> list[Point]:
    """A regular polygon about 50,50."""
    angles = [math.radians(turn + 360 * i / corners) for i in range(corners)]
    return [(50 + radius * math.cos(a), 50 + radius * math.sin(a)) for a in angles]


def _shape(pen: Pen, seat: int, grow: float, colour: Colour) -> None:
    """The outline of a seat's badge, a different one each; `grow` makes it larger by so much."""
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
"""By seat how wide a text may be on the badge, in percent."""

_MIDDLE: Final = {4: 46, 7: 55}
"""How far down its middle is on the badges that are not as wide above as below; else 52."""

_HIGHEST: Final = 54
_TEXT: Final = 66


@lru_cache(maxsize=512)
def texts(people: People, least: int = 1) -> tuple[str, ...]:
    """By seat what stands on the badge: of `least` letters or more, different for every seat."""
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
            str(seat),
        )
        for seat, own in enumerate(letters)
    )


def _letters(name: str) -> list[str]:
    """A name from its first letter or digit on, as what people take for single letters."""
    found = fonts.clusters(name)
    while found and not found[0][0].isalnum():
        del found[0]
    return found


def _folded(text: str) -> str:
    """Equal for texts that are told apart by capitals or widths alone."""
    return unicodedata.normalize("NFKC", text).casefold()


def _stands_for_a_name(text: str) -> bool:
    """Whether a font has it, and nobody takes it for a number or overlooks its end."""
    return not text.isnumeric() and not text[-1].isspace() and len(fonts.runs(text)) == 1 and fonts.is_drawable(text)


@kept
def drawn(text: str, seat: int, size: int, ground: Colour | None, colours: SeatColours = SEAT_COLOURS) -> Sprite:
    """A seat's badge: its colour, its shape and a text, `size` pixels square; without `ground` a sprite."""
    pen = Pen(size, size, 100, ground)
    colour, letter = colours[seat]
    # A light rim within the dark one: the shape shows on any ground, whatever the colour.
    for grow, layer in ((5, INK), (1, _RIM), (-4, colour)):
        _shape(pen, seat, grow, layer)
    wide, high = pen.measure(text, _TEXT)
    pen.text(50, _MIDDLE.get(seat, 52), text, _TEXT * min(1, _ROOM[seat] / wide, _HIGHEST / high), letter)
    return pen.tile()
