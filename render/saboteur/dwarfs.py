"""The two kinds of dwarf on the secret identity cards, drawn in a square of 100 units."""

from __future__ import annotations

import math
from typing import Final

from render.palette import INK, PAPER, Colour, shade
from render.saboteur import icons
from render.tiles import Pen, Point, square_tile

_SKIN: Final = shade("brown", 0.86)
_NOSE: Final = shade("orange", 0.72)


def _half_oval(x: float, y: float, wide: float, high: float) -> list[Point]:
    """The upper half of an ellipse."""
    angles = [math.pi + math.pi * i / 16 for i in range(17)]
    return [(x + wide * math.cos(a), y + high * math.sin(a)) for a in angles]


def _body(pen: Pen, coat: Colour, belt: Colour) -> None:
    pen.box(14, 62, 86, 112, INK, 22)
    pen.box(18, 66, 82, 112, coat, 18)
    pen.box(18, 90, 82, 98, belt)
    pen.box(43, 88, 57, 100, icons.GOLD, 1, rim=3, outer=2)


def _beard(pen: Pen, colour: Colour, dark: Colour, light: Colour) -> None:
    for grow, fill in ((3.5, INK), (0, colour)):
        pen.circle(27, 54, 11 + grow, fill)
        pen.circle(73, 54, 11 + grow, fill)
        pen.circle(33, 68, 13 + grow, fill)
        pen.circle(67, 68, 13 + grow, fill)
        pen.circle(50, 76, 17 + grow, fill)
        pen.box(27, 52, 73, 74, fill, 8)
    for x, y0, y1 in ((34, 66, 77), (44, 70, 86), (56, 70, 86), (66, 66, 77)):
        pen.line([(x, y0), (x + (1 if x < 50 else -1), y1)], 2.2, dark)
    pen.line([(29, 60), (32, 66)], 2.2, light)


def _moustache(pen: Pen, colour: Colour) -> None:
    for side in (-1, 1):
        swing = [(50 + side * 3, 54), (50 + side * 13, 56), (50 + side * 23, 52)]
        pen.line(swing, 11, INK)
    for side in (-1, 1):
        swing = [(50 + side * 3, 54), (50 + side * 13, 56), (50 + side * 23, 52)]
        pen.line(swing, 6.5, colour)


def gold_digger(pen: Pen) -> None:
    """A cheerful dwarf with a lamp on the helmet and a pick on the shoulder."""
    icons.pick(pen.inset(50, 2, 60, part=True))
    _body(pen, shade("blue", 0.36), shade("brown", 0.3))
    pen.circle(50, 40, 26, _SKIN, rim=3.5)
    _beard(pen, shade("orange", 0.5), shade("orange", 0.3), shade("orange", 0.7))
    for x in (41, 59):
        pen.circle(x, 40, 4.6, PAPER)
        pen.circle(x + 0.6, 40.4, 2.8, INK)
        pen.arc(x, 37, 6, -150, -30, 2.2, shade("orange", 0.3))
    pen.line([(44, 63), (50, 66), (56, 63)], 3, INK)
    _moustache(pen, shade("orange", 0.58))
    pen.oval(50, 48, 7.5, 6.5, INK)
    pen.oval(50, 48, 5, 4.2, _NOSE)
    pen.polygon(_half_oval(50, 32, 29, 27), INK)
    pen.polygon(_half_oval(50, 31, 25.5, 23), icons.GOLD)
    pen.polygon(_half_oval(43, 27, 11, 13), icons.GOLD_LIGHT)
    pen.box(17, 28, 83, 36, INK, 4)
    pen.box(20, 30, 80, 34, shade("gold", 0.6), 2)
    pen.circle(50, 20, 10, shade("ink", 0.98), rim=3)
    pen.circle(50, 20, 4, shade("gold", 0.95))
    icons.nugget(pen.inset(4, 70, 27, part=True))


def saboteur(pen: Pen) -> None:
    """A sly dwarf in a hood, masked, with a stick of dynamite."""
    _body(pen, shade("purple", 0.22), shade("slate", 0.3))
    pen.circle(50, 38, 33, INK)
    pen.polygon([(20, 26), (50, -3), (80, 26)], INK)
    pen.circle(50, 38, 29.5, shade("purple", 0.32))
    pen.polygon([(25, 24), (50, 2), (75, 24)], shade("purple", 0.32))
    pen.circle(50, 41, 23, _SKIN, rim=2.5)
    _beard(pen, shade("slate", 0.24), INK, shade("slate", 0.5))
    pen.box(27, 33, 73, 47, INK, 7)
    for side in (-1, 1):
        x = 50 + side * 10
        pen.polygon([(x - 6.5, 41 - side * 2.5), (x + 6.5, 41 + side * 2.5), (x + 4, 44), (x - 4, 44)], PAPER)
        pen.circle(x - side * 0.5, 42.2, 2, shade("red", 0.4))
    teeth = [(40, 60), (60, 60), (56, 67), (44, 67)]
    pen.polygon([(37, 58), (63, 58), (58, 69.5), (42, 69.5)], INK)
    pen.polygon(teeth, PAPER)
    for x in (46, 50, 54):
        pen.line([(x, 60), (x, 67)], 1, INK)
    _moustache(pen, shade("slate", 0.3))
    pen.oval(50, 50, 7.5, 6.5, INK)
    pen.oval(50, 50, 5, 4.2, _NOSE)
    icons.saboteur(pen.inset(62, 58, 40, part=True))


@square_tile
def role_card(pen: Pen, role: str) -> None:
    """A role card as it lies beside a name: the dwarf in front of one colour, which takes fewer bytes."""
    edge = _blank(pen, role)
    (gold_digger if role == "D" else saboteur)(pen.inset(10, 10, 80, part=True))
    pen.box(0, 95, 100, 100, edge)


@square_tile
def sign_card(pen: Pen, role: str) -> None:
    """A role card with the role's sign instead of the dwarf. Ten dwarfs would make a picture too large."""
    _blank(pen, role)
    (icons.digger if role == "D" else icons.saboteur)(pen.inset(14, 14, 72, part=True))


def _blank(pen: Pen, role: str) -> Colour:
    """Draw the card without what is on it. Returns the colour of its edge."""
    edge, glow = (icons.GOLD_DARK, shade("earth", 0.72)) if role == "D" else (shade("red", 0.22), shade("red", 0.46))
    pen.box(0, 0, 100, 100, edge, 10)
    pen.box(5, 5, 95, 95, glow, 6)
    return edge


@square_tile
def portrait(pen: Pen, role: str) -> None:
    """A dwarf on its card: gold light behind the digger, a red glow behind the saboteur."""
    edge, glow, light = (
        (icons.GOLD_DARK, shade("earth", 0.62), shade("earth", 0.82))
        if role == "D"
        else (shade("red", 0.22), shade("red", 0.36), shade("red", 0.56))
    )
    pen.box(0, 0, 100, 100, edge, 8, rim=1.5, outer=9)
    pen.box(5, 5, 95, 95, glow, 5)
    for i in range(12):
        a = math.radians(30 * i + 8)
        b = math.radians(30 * i + 20)
        pen.polygon(
            [(50, 46), (50 + 64 * math.cos(a), 46 + 64 * math.sin(a)), (50 + 64 * math.cos(b), 46 + 64 * math.sin(b))],
            light,
        )
    (gold_digger if role == "D" else saboteur)(pen.inset(12, 13, 76))
    for box in ((0, 95, 100, 100), (0, 0, 5, 100), (95, 0, 100, 100), (0, 0, 100, 5)):
        pen.box(*box, edge)
    pen.box(0, 98.5, 100, 100, INK)
