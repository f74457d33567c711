"""Pyramids with a lit side, stacks with a list of their layers, and trees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from games.ambush.components import PIPS
from render.cache import cached
from render.palette import INK, PAPER, Colour, mixed, oklab, shade
from render.tiles import Pen, Point, Sprite, square_tile

COLOURS: Final = ((shade("slate", 0.22), PAPER), (shade("red", 0.5), PAPER))
"""The colours of the two players' badges: black and red."""

FACES: Final = (
    (shade("slate", 0.56), shade("slate", 0.42), shade("slate", 0.22), shade("slate", 0.3)),
    (shade("red", 0.76), shade("red", 0.6), shade("red", 0.34), shade("red", 0.46)),
)
"""By player: the tones of a pyramid: upper left, lower left, lower right, upper right."""

_HIDDEN: Final = shade("ink", 0.35)
"""Colour of the letter of a pyramid that a larger one hides."""

HALF: Final = {"S": 24.0, "M": 32.0, "L": 40.0}
"""Half the width of a pyramid, in units of a square's width / 100."""

_TALL: Final = 1.85
"""Height of a pyramid, as a multiple of half its width."""

_FOOT: Final = 13.0
"""Half the height of the sign with the strength."""

_LAYER: Final = 24.0
"""Height of a line, and of its letter, in the list of a stack's layers."""

_LAYERS: Final = 4
"""Most lines of the list in one column."""


def visible(sizes: str) -> tuple[bool, ...]:
    """Whether each pyramid of a stack, from the bottom up, is visible: no larger one hides it (B3)."""
    out, largest = [], 0
    for size in reversed(sizes):
        out.append(PIPS[size] >= largest)
        largest = max(largest, PIPS[size])
    return tuple(reversed(out))


def _offsets(sizes: str) -> list[float]:
    """How far each pyramid's foot is above the lowest one's, so that the pyramids below it show."""
    out = [0.0]
    for below, size in pairwise(sizes):
        share = 0.3 if PIPS[size] == PIPS[below] else 0.4 if PIPS[size] < PIPS[below] else 0.08
        out.append(out[-1] + share * _TALL * HALF[below])
    return out


def _corners(x: float, y: float, half: float, grow: float = 0) -> list[Point]:
    """The left, front and right corners of a pyramid's foot, and its tip. The foot is centred on a point."""
    return [
        (x - half - 1.3 * grow, y - 0.2 * half + 0.4 * grow),
        (x + 0.22 * half, y + 0.26 * half + 1.2 * grow),
        (x + half + 1.3 * grow, y - 0.1 * half + 0.4 * grow),
        (x, y - _TALL * half - 2 * grow),
    ]


def _pyramid(pen: Pen, x: float, y: float, half: float, owner: int, scale: float = 1) -> None:
    """Draw one pyramid on a point: two faces that meet in a bright edge, the left one lit, bands along the foot."""
    pen.polygon(_corners(x, y, half, 2.4 * scale), INK)
    left, front, right, tip = _corners(x, y, half)
    light, face, dark, dim = FACES[owner]
    pen.polygon([left, front, tip], light)
    pen.polygon([front, right, tip], dark)
    low = 0.36
    cut = [(px + (tip[0] - px) * low, py + (tip[1] - py) * low) for px, py in (left, front, right)]
    pen.polygon([left, front, cut[1], cut[0]], face)
    pen.polygon([cut[1], cut[2], tip], dim)
    pen.line([front, tip], 1.6 * scale, light)


def _shadow(pen: Pen, x: float, y: float, half: float, colour: Colour) -> None:
    """Draw the shadow that a pyramid casts to the right."""
    left, front, right, _ = _corners(x, y, half)
    pen.polygon([left, front, (x + 1.14 * half, y + 0.26 * half), (x + 1.2 * half, y + 0.04 * half), right], colour)


def _strength(pen: Pen, x: float, y: float, owner: int, strength: int) -> None:
    """Draw the strength at the foot of a stack, on a sign: round for the first player, square for the second."""
    for grow, colour in ((2.5, INK), (0.0, PAPER)):
        half = _FOOT + grow
        if owner == 0:
            pen.circle(x, y, half, colour)
        else:
            pen.box(x - half, y - half, x + half, y + half, colour, 4)
    pen.text(x, y, str(strength), 24 if strength < 10 else 23, INK)


@square_tile
def stack(pen: Pen, owner: int, sizes: str, strength: int, shadow: Colour) -> None:
    """A stack on its square, `size` pixels: pyramids, strength, and a list of their sizes if there are several."""
    columns = -(-len(sizes) // _LAYERS) if len(sizes) > 1 else 0
    start, wide = 26.0 * columns, 2 * max(HALF[name] for name in sizes)
    offsets = _offsets(sizes)
    top = max(offset + _TALL * HALF[name] for offset, name in zip(offsets, sizes, strict=True))
    scale = min(1.0, (96 - start) / wide, 78 / top)
    x, y = start + (100 - start) / 2, 84.0
    if not columns:
        y -= (78 - top) / 3
    _shadow(pen, x, y, HALF[sizes[0]] * scale, shadow)
    for offset, name in zip(offsets, sizes, strict=True):
        _pyramid(pen, x, y - offset * scale, HALF[name] * scale, owner, scale)
    _strength(pen, x, y - 1, owner, strength)
    if columns:
        _layers(pen, owner, sizes)


def _layers(pen: Pen, owner: int, sizes: str) -> None:
    """Draw the list of a stack's sizes, from the bottom up. Those that a larger pyramid hides have no colour."""
    colour, letter = COLOURS[owner]
    for i, (name, shown) in enumerate(zip(sizes, visible(sizes), strict=True)):
        x, y = 13 + 26 * (i // _LAYERS), 97 - _LAYER * (i % _LAYERS + 0.5)
        pen.box(x - 12, y - 12, x + 12, y + 12, colour if shown else PAPER, 3, rim=2, outer=5)
        pen.text(x, y, name, 24, letter if shown else _HIDDEN)


@cached
def tree(owner: int, left: int, width: int, height: int, ground: Colour) -> Sprite:
    """A tree from the side: `left` of its three pyramids are still there (0 to 3), the others faint."""
    pen = Pen(width, height, 100, ground)
    light, face, dark, _ = FACES[owner]
    faint = mixed(ground, PAPER if oklab(ground)[0] < 0.6 else INK, 0.14)
    for i, (half, top, low) in enumerate(((46, 66, 128), (33, 40, 92), (20, 8, 58))):
        outline: Sequence[Point] = [(50, top), (50 + half, low), (50 - half, low)]
        if i >= left:
            pen.polygon(outline, faint)
            continue
        pen.polygon([(50, top - 7), (50 + half + 5, low + 4), (50 - half - 5, low + 4)], INK)
        pen.polygon([(50, top), (50 + half, low), (58, low)], dark)
        pen.polygon([(50, top), (58, low), (50 - half, low)], face)
        pen.line([(50, top + 4), (58, low - 3)], 3, light)
    return pen.tile()


@square_tile
def pyramid(pen: Pen, owner: int, name: str) -> None:
    """A single pyramid with its strength, as large as its square."""
    _pyramid(pen, 50, 82, HALF[name], owner)
    _strength(pen, 50, 80, owner, PIPS[name])


@square_tile
def bare(pen: Pen, owner: int, name: str) -> None:
    """A captured pyramid: without its strength."""
    _pyramid(pen, 50, 84, HALF[name], owner, 2)


@square_tile
def turning(pen: Pen, angle: int) -> None:
    """A round arrow: a coaster has turned clockwise by so many degrees."""
    pen.circle(50, 50, 49, shade("gold", 0.85), rim=3)
    end = math.radians(angle - 90)
    pen.arc(50, 50, 39, -90, angle - 108, 9, INK)
    # The head of the arrow, across the end of its line.
    dx, dy = -math.sin(end), math.cos(end)
    x, y = 50 + 39 * math.cos(end), 50 + 39 * math.sin(end)
    ax, ay = math.cos(end), math.sin(end)
    back = (x - 14 * dx, y - 14 * dy)
    pen.polygon(
        [(x + 3 * dx, y + 3 * dy), (back[0] + 9 * ax, back[1] + 9 * ay), (back[0] - 9 * ax, back[1] - 9 * ay)], INK
    )
    pen.text(50, 51, str(angle), 36, INK)
