"""The animals of the jungle path, told apart by their outlines: wide ears and a trunk, pointed ears, round ears."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from render.palette import INK, PAPER, Colour, mixed, shade
from render.tiles import Pen, square_tile


def elephant(pen: Pen) -> None:
    """An elephant's face in a square of 100 units."""
    skin, light, dark = shade("slate", 0.66), shade("slate", 0.82), shade("slate", 0.42)
    for x in (20, 80):
        pen.oval(x, 40, 24, 31, dark, rim=6)
        pen.oval(x + (3 if x < 50 else -3), 42, 12, 18, shade("pink", 0.78))
    pen.oval(50, 38, 30, 31, INK)
    pen.line([(50, 50), (50, 78), (58, 90), (72, 90)], 27, INK)
    pen.oval(50, 38, 24, 25, skin)
    pen.oval(50, 28, 17, 12, light)
    pen.line([(50, 50), (50, 78), (58, 90), (72, 90)], 16, skin)
    for y in (60, 70, 80):
        pen.line([(45, y), (55, y)], 3, dark)
    for x in (33, 67):
        pen.line([(x, 60), (x + (-7 if x < 50 else 7), 76)], 11, INK)
        pen.line([(x, 60), (x + (-7 if x < 50 else 7), 76)], 5, PAPER)
    _eyes(pen, 38, 62, 38)


def cat(pen: Pen) -> None:
    """A cat's face in a square of 100 units."""
    fur, light, stripe = shade("orange", 0.58), shade("orange", 0.86), shade("orange", 0.36)
    for left in (True, False):
        ear = [(12, 4), (48, 26), (14, 58)]
        inner = [(20, 18), (38, 29), (20, 44)]
        pen.polygon([(x if left else 100 - x, y) for x, y in ear], INK)
        pen.polygon([(x + 4 if left else 96 - x, y + (5 if y < 20 else -3)) for x, y in ear], fur)
        pen.polygon([(x if left else 100 - x, y) for x, y in inner], shade("pink", 0.7))
    pen.oval(50, 58, 43, 38, fur, rim=6)
    for x in (40, 50, 60):
        pen.line([(x, 29), (x, 40)], 5, stripe)
    pen.oval(50, 72, 22, 15, light)
    _eyes(pen, 34, 66, 54, 8)
    pen.polygon([(43, 64), (57, 64), (50, 72)], INK)
    pen.line([(50, 70), (50, 77)], 3, INK)
    for x in (4, 96):
        for y in (64, 76):
            pen.line([(x, y), (30 if x < 50 else 70, 70)], 3, INK)


def mouse(pen: Pen) -> None:
    """A mouse's face in a square of 100 units."""
    fur, light = shade("brown", 0.74), shade("brown", 0.92)
    for x in (23, 77):
        pen.circle(x, 28, 25, fur, rim=6)
        pen.circle(x, 29, 12, shade("pink", 0.78))
    pen.polygon([(16, 46), (84, 46), (60, 95), (40, 95)], INK)
    pen.oval(50, 54, 37, 30, INK)
    pen.circle(50, 86, 13, INK)
    pen.polygon([(22, 52), (78, 52), (56, 90), (44, 90)], fur)
    pen.oval(50, 54, 31, 24, fur)
    pen.oval(50, 70, 14, 16, light)
    pen.circle(50, 86, 8, shade("pink", 0.6))
    _eyes(pen, 36, 64, 52, 7)
    for x in (8, 92):
        pen.line([(x, 72), (40 if x < 50 else 60, 80)], 3, INK)
        pen.line([(x, 86), (40 if x < 50 else 60, 84)], 3, INK)


def _eyes(pen: Pen, left: float, right: float, y: float, size: float = 6) -> None:
    for x in (left, right):
        pen.circle(x, y, size, INK)
        pen.circle(x - size / 3, y - size / 3, size / 3, PAPER)


ANIMALS: Final[dict[str, Callable[[Pen], None]]] = {"E": elephant, "C": cat, "M": mouse}

PIECE_COLOURS: Final = ((shade("red", 0.48), PAPER), (shade("blue", 0.36), PAPER), (shade("ink", 0.35), PAPER))
"""The rim of a piece and the text on it: of the two players, and of pieces without an owner."""


@square_tile
def piece(pen: Pen, name: str, owner: int, faded: Colour | None = None, slashes: int = 2) -> None:
    """A piece: the animal, its strength, its owner's colour and shape (0: round, 1: square, 2: no owner, round).

    `faded`: the piece has left the board, so it is mixed with this colour, and crossed out by one or two `slashes`.
    """

    def tone(colour: Colour) -> Colour:
        return colour if faded is None else mixed(colour, faded, 0.55)

    rim, text = PIECE_COLOURS[owner]
    for grow, colour in ((0, tone(INK)), (3, tone(rim)), (12, tone(shade("paper", 0.9)))):
        if owner == 1:
            pen.box(1 + grow, 1 + grow, 99 - grow, 99 - grow, colour, max(4, 24 - grow))
        else:
            pen.circle(50, 50, 49 - grow, colour)
    ANIMALS[name[0]](pen.inset(17, 10, 60))
    if faded is not None:
        for wide, colour in ((17, INK), (8, shade("red", 0.5))):
            if slashes == 2:
                pen.line([(16, 16), (84, 84)], wide, colour)
            pen.line([(84, 16), (16, 84)], wide, colour)
    # The strength stays legible on a fallen piece, too.
    pen.circle(76, 76, 23, rim, rim=4)
    pen.text(76, 76, name[1], 37, text)


@square_tile
def animal(pen: Pen, kind: str) -> None:
    """An animal's face alone."""
    ANIMALS[kind](pen.inset(2, 2, 96))
