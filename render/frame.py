"""What all five pictures share, so that they look drawn by one hand: moods, the title bar, badges, plates and marks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from render.canvas import Canvas
from render.palette import Colour, shade
from render.tiles import Pen, Point, Sprite

LETTERS: Final = "ABCDEFGHIJ"
"""What stands for a seat beside its colour (P22)."""

INK: Final = shade("ink", 0)
PAPER: Final = shade("ink", 1)


@dataclass(frozen=True)
class Mood:
    """The colours of one game: the `ground` of the picture, the title `bar`, `plates` of the players.

    `dim` colours are for what matters less; `lit` is the plate of whoever acts; `accent` marks the last action.
    """

    ground: Colour
    bar: Colour
    bar_text: Colour
    bar_dim: Colour
    plate: Colour
    plate_text: Colour
    plate_dim: Colour
    lit: Colour
    lit_text: Colour
    lit_dim: Colour
    accent: Colour


SEAT_COLOURS: Final[tuple[tuple[Colour, Colour], ...]] = (
    (shade("red", 0.5), PAPER),
    (shade("blue", 0.45), PAPER),
    (shade("gold", 0.72), INK),
    (shade("green", 0.45), PAPER),
    (shade("purple", 0.45), PAPER),
    (shade("orange", 0.55), INK),
    (shade("teal", 0.66), INK),
    (shade("pink", 0.72), INK),
    (shade("brown", 0.4), PAPER),
    (shade("ink", 0.97), INK),
)
"""Colour of every seat, and of the letter on it."""


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


@lru_cache(maxsize=512)
def badge(seat: int, size: int, ground: Colour | None) -> Sprite:
    """A seat's badge: its colour, its shape and its letter, `size` pixels square; without `ground` a sprite."""
    pen = Pen(size, size, 100, ground)
    colour, letter = SEAT_COLOURS[seat]
    _shape(pen, seat, 4, INK)
    _shape(pen, seat, -2, colour)
    pen.text(50, 52 if seat != 7 else 55, LETTERS[seat], 50, letter)
    return pen.tile()


@lru_cache(maxsize=512)
def number_mark(number: int, size: int) -> Sprite:
    """The number of a legal place: ink on a light disc, `size` pixels square."""
    pen = Pen(size, size, 100, None)
    pen.circle(50, 50, 49, INK)
    pen.circle(50, 50, 43, shade("gold", 0.95))
    text = str(number)
    pen.text(50, 50, text, 62 if len(text) == 1 else 52 if len(text) == 2 else 38, INK)
    return pen.tile()


@lru_cache(maxsize=64)
def arrow(size: int, colour: Colour, ground: Colour) -> Sprite:
    """A triangle that points to the right: whose turn it is."""
    pen = Pen(size, size, 100, ground)
    pen.polygon([(22, 10), (88, 50), (22, 90)], colour)
    return pen.tile()


def ring(canvas: Canvas, x0: int, y0: int, x1: int, y1: int, wide: int, colour: Colour) -> None:
    """The mark of the last action: a bright frame with dark edges, so that it shows on anything."""
    thin = max(1, wide // 3)
    canvas.frame(x0 - thin, y0 - thin, x1 + thin, y1 + thin, wide + 2 * thin, INK)
    canvas.frame(x0, y0, x1, y1, wide, colour)
