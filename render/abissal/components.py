"""The cards of the deep: six creatures as suits, from the shell, the weakest, to the kraken.

Every creature has an outline of its own, so that suits are told apart without their colours (P22).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from render.palette import INK, PAPER, Colour, mixed, shade
from render.tiles import Pen, square_tile, tile

HIGH: Final = 140
"""Height of a card in units of its width / 100."""

FAN: Final = 66
"""How far the second card of a pair lies beside the first, in percent of its width."""

FAMILIES: Final = {"G": "slate", "O": "orange", "Y": "gold", "T": "teal", "B": "blue", "P": "purple"}
_TONES: Final = {"G": 0.44, "O": 0.56, "Y": 0.74, "T": 0.44, "B": 0.73, "P": 0.56}
"""Lightness of each suit, chosen so that any two differ as much as possible for colour-blind people too."""


def tone(suit: str, step: float = 0) -> Colour:
    """A suit's colour, or one lighter or darker by `step`."""
    return shade(FAMILIES[suit], _TONES[suit] + step)


def shell(pen: Pen) -> None:
    """A scallop shell."""
    ribs = [(50 + 46 * math.cos(a), 78 + 66 * math.sin(a)) for a in (math.pi + math.pi * i / 6 for i in range(7))]
    for grow, colour in ((6, INK), (0, tone("G"))):
        pen.box(30 - grow, 78 - grow, 70 + grow, 92 + grow, colour, 6)
        for (x0, y0), (x1, y1) in pairwise(ribs):
            pen.circle((x0 + x1) / 2, (y0 + y1) / 2, 12 + grow, colour)
        pen.polygon([(50, 92 + grow), *((x + (grow if x > 50 else -grow), y) for x, y in ribs)], colour)
    for i, (x, y) in enumerate(ribs[1:-1]):
        pen.line([(50, 84), (50 + (x - 50) * 0.92, 84 + (y - 84) * 0.86)], 4, tone("G", -0.34))
        if i % 2:
            pen.circle(50 + (x - 50) * 0.8, 84 + (y - 84) * 0.9, 5, tone("G", 0.26))


def starfish(pen: Pen) -> None:
    """A starfish."""
    tips = [math.radians(-90 + 72 * i) for i in range(5)]
    for grow, colour in ((7, INK), (0, tone("O"))):
        pen.circle(50, 53, 21 + grow, colour)
        for angle in tips:
            for i in range(9):
                reach = 8 + i * 4.4
                pen.circle(50 + reach * math.cos(angle), 53 + reach * math.sin(angle), 14 - i * 0.95 + grow, colour)
    for angle in tips:
        for reach in (14, 25, 35):
            pen.circle(50 + reach * math.cos(angle), 53 + reach * math.sin(angle), 3.6 - reach / 22, tone("O", 0.32))
    for x in (43, 57):
        pen.circle(x, 50, 4.5, INK)
    pen.arc(50, 53, 8, 25, 155, 3.5, INK)


def fish(pen: Pen) -> None:
    """A round fish."""
    for grow, colour in ((7, INK), (0, tone("Y"))):
        tail = [(70, 50), (97, 22), (92, 50), (97, 80)]
        pen.polygon(tail, colour, grow)
        pen.oval(44, 52, 39 + grow, 30 + grow, colour)
        pen.polygon([(26, 30 - grow), (52, 10 - grow), (68 + grow, 32)], colour)
    for x in (50, 64):
        pen.arc(x - 24, 52, 26, -52, 52, 7, tone("Y", -0.4))
    pen.polygon([(36, 60), (52, 56), (46, 72)], tone("Y", -0.22))
    pen.circle(22, 45, 9, PAPER)
    pen.circle(20, 45, 5.5, INK)
    pen.line([(7, 60), (15, 62)], 3.5, INK)


def turtle(pen: Pen) -> None:
    """A sea turtle, swimming up."""
    for grow, colour in ((6, INK), (0, tone("T", 0.26))):
        pen.oval(50, 16, 12 + grow, 15 + grow, colour)
        for side in (-1, 1):
            fin = [(50 + side * 22, 34), (50 + side * 47, 30), (50 + side * 44, 56), (50 + side * 30, 48)]
            foot = [(50 + side * 20, 76), (50 + side * 38, 84), (50 + side * 30, 97), (50 + side * 14, 88)]
            for limb in (fin, foot):
                pen.polygon(limb, colour, grow)
    pen.oval(50, 56, 37, 40, tone("T"), rim=6)
    hexagon = [(50 + 15 * math.cos(math.radians(60 * i)), 56 + 17 * math.sin(math.radians(60 * i))) for i in range(6)]
    for i, (x, y) in enumerate(hexagon):
        angle = math.radians(60 * i)
        pen.line([(x, y), (50 + 32 * math.cos(angle), 56 + 35 * math.sin(angle))], 4.5, INK)
    pen.polygon(hexagon, INK)
    pen.polygon([(50 + (x - 50) * 0.72, 56 + (y - 56) * 0.72) for x, y in hexagon], tone("T", 0.2))
    for x in (45, 55):
        pen.circle(x, 12, 3, INK)


def whale(pen: Pen) -> None:
    """A whale that blows."""
    for grow, colour in ((6, INK), (0, tone("B"))):
        pen.oval(44, 62, 40 + grow, 29 + grow, colour)
        tail = [(70, 62), (86, 40), (74, 22), (90, 28), (99, 16), (98, 44), (88, 70), (70, 82)]
        pen.polygon(tail, colour, grow)
    pen.oval(38, 76, 27, 13, tone("B", 0.25))
    for x in (26, 38, 50):
        pen.line([(x, 70), (x + 2, 86)], 2.5, tone("B", -0.1))
    pen.polygon([(50, 68), (66, 72), (58, 86)], tone("B", -0.22))
    pen.circle(20, 58, 5.5, PAPER)
    pen.circle(19, 58, 3.6, INK)
    for x in (28, 42):
        pen.line([(36, 30), (36, 20), (x, 10)], 9, INK)
    for x in (28, 42):
        pen.line([(36, 30), (36, 20), (x, 10)], 4, shade("sea", 0.92))


def kraken(pen: Pen) -> None:
    """A kraken: a large head over curling arms."""
    arms = []
    for side in (-1, 1):
        arms.append([(50 + side * 18, 52), (50 + side * 34, 66), (50 + side * 43, 58), (50 + side * 40, 48)])
        arms.append([(50 + side * 15, 56), (50 + side * 27, 80), (50 + side * 41, 84), (50 + side * 45, 75)])
        arms.append([(50 + side * 7, 58), (50 + side * 10, 82), (50 + side * 20, 95), (50 + side * 29, 93)])
    for wide, colour in ((23, INK), (11, tone("P"))):
        for arm in arms:
            pen.line(arm, wide, colour)
        grow = (wide - 11) / 2
        pen.oval(50, 34, 27 + grow, 30 + grow, colour)
        pen.box(32 - grow, 36, 68 + grow, 66 + grow, colour, 10)
    for arm in arms:
        for x, y in arm[1:3]:
            pen.circle(x, y, 2.8, tone("P", 0.4))
    pen.oval(42, 18, 9, 7, tone("P", 0.28))
    for x in (39, 61):
        pen.circle(x, 44, 8.5, PAPER)
        pen.circle(x, 45, 5, INK)
    pen.line([(30, 34), (42, 38)], 4, INK)
    pen.line([(70, 34), (58, 38)], 4, INK)


CREATURES: Final[dict[str, Callable[[Pen], None]]] = {
    "G": shell,
    "O": starfish,
    "Y": fish,
    "T": turtle,
    "B": whale,
    "P": kraken,
}


@square_tile
def creature(pen: Pen, suit: str) -> None:
    """A suit's sign, `size` pixels square."""
    CREATURES[suit](pen)


@tile(HIGH)
def card(pen: Pen, name: str) -> None:
    """A card: its name (``B4``) large in the corner, and its creature. Without `ground` it may overlap others."""
    suit, number = name[0], name[1]
    pen.box(0, 0, 100, HIGH, tone(suit, -0.04), 11, rim=3, outer=13)
    pen.box(8, 46, 92, HIGH - 8, shade("sea", 0.97), 8)
    pen.oval(50, HIGH - 12, 40, 10, shade("sea", 0.86))
    CREATURES[suit](pen.inset(13, 52, 74))
    ink = PAPER if suit == "G" else INK
    pen.text(24, 25, suit, 34, ink)
    pen.text(52, 25, number, 46, ink)
    for i in range(int(number)):
        x, y = 74 + (i % 2) * 13, 14 + (i // 2) * 11
        pen.circle(x, y, 3.6, ink)


@square_tile
def small(pen: Pen, name: str, dim: bool = False) -> None:
    """A card in a long row: its name alone, as large as possible. `dim`: on a darker ground."""
    colour = tone(name[0], -0.04)
    pen.box(0, 0, 100, 100, mixed(colour, shade("sea", 0.2), 0.72) if dim else colour, 14, rim=5, outer=18)
    pen.text(50, 50, name, 69, PAPER if dim or name[0] == "G" else INK)


@tile(HIGH)
def back(pen: Pen) -> None:
    """The back of a card."""
    pen.box(0, 0, 100, HIGH, shade("sea", 0.42), 10, rim=4, outer=13)
    for radius in (34, 22, 10):
        pen.circle(50, HIGH / 2, radius, shade("sea", 0.72))
        pen.circle(50, HIGH / 2, radius - 6, shade("sea", 0.42))
