"""How stones and tokens look."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from render.palette import INK, Colour, shade
from render.tiles import Pen, Sprite

LAYER: Final = 14
"""The height that one stone adds to a cairn of width 100."""

_STONE: Final = (shade("rock", 0.55), shade("rock", 0.75))


@lru_cache(maxsize=64)
def cairn(stones: int, size: int, ground: Colour) -> Sprite:
    """This many stones on top of each other, in a square of `size` pixels."""
    pen = Pen(size, size, 100, ground)
    for number in range(stones):
        middle, half = 92 - LAYER * number, 44 - 4 * number
        pen.oval(50, middle, half, 8, INK)
        pen.oval(50, middle, half - 2, 6, _STONE[number % 2])
    return pen.tile()


@lru_cache(maxsize=64)
def emblem(size: int, ground: Colour) -> Sprite:
    """The picture of the game in its lobby."""
    return cairn(4, size, ground)


@lru_cache(maxsize=32)
def token(letter: str, size: int, ground: Colour) -> Sprite:
    """A token with its letter."""
    pen = Pen(size, size, 100, ground)
    pen.circle(50, 50, 48, INK)
    pen.circle(50, 50, 43, shade("gold", 0.72))
    pen.text(50, 50, letter, 60, INK)
    return pen.tile()
