"""How stones and tokens look."""

from __future__ import annotations

from typing import Final

from render.palette import INK, shade
from render.tiles import Pen, square_tile

LAYER: Final = 14
"""The height that one stone adds to a cairn of width 100."""

_STONE: Final = (shade("rock", 0.55), shade("rock", 0.75))


@square_tile
def cairn(pen: Pen, stones: int) -> None:
    """This many stones on top of each other."""
    for number in range(stones):
        middle, half = 92 - LAYER * number, 44 - 4 * number
        pen.oval(50, middle, half, 8, _STONE[number % 2], rim=2)


@square_tile
def token(pen: Pen, letter: str) -> None:
    """A token with its letter."""
    pen.circle(50, 50, 48, shade("gold", 0.72), rim=5)
    pen.text(50, 50, letter, 60, INK)
