"""Pyramids seen from above, stacks that can be read layer by layer, trees seen from the side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from games.ambush.components import PIPS
from render.frame import INK, PAPER
from render.palette import Colour, mixed, oklab, shade
from render.tiles import Pen, Sprite

COLOURS: Final = ((shade("slate", 0.22), PAPER), (shade("red", 0.5), PAPER))
"""The colours of the two players' badges: black and red."""

FACES: Final = (
    (shade("slate", 0.56), shade("slate", 0.42), shade("slate", 0.22), shade("slate", 0.3)),
    (shade("red", 0.76), shade("red", 0.6), shade("red", 0.34), shade("red", 0.46)),
)
"""By player the four faces of a pyramid: back, left, right, front."""

HALF: Final = {"S": 23.0, "M": 34.0, "L": 45.0}
"""Half the side of a pyramid, in units of a square's width / 100."""

_SIDE_WIDTH: Final = {"S": 14.0, "M": 24.0, "L": 34.0}


def visible(sizes: str) -> tuple[bool, ...]:
    """Which pyramids of a stack, from the bottom up, no larger one hides (B3)."""
    out, largest = [], 0
    for size in reversed(sizes):
        out.append(PIPS[size] >= largest)
        largest = max(largest, PIPS[size])
    return tuple(reversed(out))


def _offsets(sizes: str) -> list[float]:
    """How far each pyramid of a stack is drawn above the lowest, so that what lies under it still shows."""
    out = [0.0]
    for below, size in pairwise(sizes):
        out.append(out[-1] + (19 if PIPS[size] == PIPS[below] else 5 if PIPS[size] < PIPS[below] else 2))
    return out


def _pyramid(pen: Pen, x: float, y: float, half: float, owner: int, pips: int, scale: float) -> None:
    """One pyramid about a point: four faces towards a tip, its pips on the front edge."""
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    edge = 3.2 * scale
    pen.polygon([(px + (edge if px > x else -edge), py + (edge if py > y else -edge)) for px, py in corners], INK)
    tip = (x, y - half * 0.22)
    back, left, right, front = FACES[owner]
    for (one, other), colour in zip(((0, 1), (3, 0), (1, 2), (2, 3)), (back, left, right, front), strict=True):
        pen.polygon([corners[one], corners[other], tip], colour)
    radius, gap = 4.6 * scale, 17 * scale
    for i in range(pips):
        at = x + (i - (pips - 1) / 2) * gap
        _pip(pen, at, y + half - 8.5 * scale, radius, owner, PAPER)


def _pip(pen: Pen, x: float, y: float, radius: float, owner: int, colour: Colour) -> None:
    """A pip: round on the first player's pyramids, square on the second's."""
    if owner == 0:
        pen.circle(x, y, radius, colour)
    else:
        pen.box(x - radius, y - radius, x + radius, y + radius, colour)


@lru_cache(maxsize=2048)
def stack(owner: int, sizes: str, strength: int, size: int, ground: Colour) -> Sprite:
    """A stack on its square, `size` pixels: seen from above; with several layers also their side view and strength."""
    pen = Pen(size, size, 100, ground)
    offsets = _offsets(sizes)
    tops = [offset + HALF[name] for offset, name in zip(offsets, sizes, strict=True)]
    low = max(HALF[name] - offset for offset, name in zip(offsets, sizes, strict=True))
    several = len(sizes) > 1
    room, x, bottom = (76.0, 60.0, 88.0) if several else (94.0, 50.0, 97.0)
    wide = 2 * max(HALF[name] for name in sizes)
    scale = min(1.0, room / (max(tops) + low), room / wide)
    y = bottom - low * scale - (0 if several else (94 - (max(tops) + low) * scale) / 2)
    for offset, name in zip(offsets, sizes, strict=True):
        _pyramid(pen, x, y - offset * scale, HALF[name] * scale, owner, PIPS[name], scale)
    if several:
        _layers(pen, owner, sizes)
        pen.circle(80, 20, 20, INK)
        pen.circle(80, 20, 16.5, PAPER)
        pen.text(80, 20, str(strength), 27 if strength < 10 else 22, INK)
    return pen.tile()


def _layers(pen: Pen, owner: int, sizes: str) -> None:
    """The side view of a stack in the lower left corner: bars from the bottom up, hollow where a pyramid is hidden."""
    step = min(9.5, 84 / len(sizes))
    for i, (name, shown) in enumerate(zip(sizes, visible(sizes), strict=True)):
        half, y = _SIDE_WIDTH[name] / 2, 96 - i * step
        pen.box(19 - half - 2, y - step, 19 + half + 2, y + 1.5, INK, 2)
        pen.box(19 - half, y - step + 2, 19 + half, y - 0.5, FACES[owner][1] if shown else PAPER)


@lru_cache(maxsize=128)
def tree(owner: int, left: int, width: int, height: int, ground: Colour) -> Sprite:
    """A tree from the side: `left` of its three pyramids are still there (0 to 3), the others faint."""
    pen = Pen(width, height, 100, ground)
    _, face, _, front = FACES[owner]
    faint = mixed(ground, PAPER if oklab(ground)[0] < 0.6 else INK, 0.14)
    for i, (name, half, top, low) in enumerate((("L", 46, 66, 128), ("M", 33, 40, 92), ("S", 20, 8, 58))):
        there = i < left
        outline: Sequence[tuple[float, float]] = [(50, top), (50 + half, low), (50 - half, low)]
        if not there:
            pen.polygon(outline, faint)
            continue
        pen.polygon([(50, top - 7), (50 + half + 5, low + 4), (50 - half - 5, low + 4)], INK)
        pen.polygon(outline, front)
        pen.polygon([(50, top), (50, low), (50 - half, low)], face)
        count = PIPS[name]
        for pip in range(count):
            _pip(pen, 50 + (pip - (count - 1) / 2) * 16, low - 8, 5, owner, PAPER)
    return pen.tile()


@lru_cache(maxsize=128)
def pyramid(owner: int, name: str, size: int, ground: Colour) -> Sprite:
    """A single pyramid from above, as large as its square."""
    pen = Pen(size, size, 100, ground)
    _pyramid(pen, 50, 50, HALF[name], owner, PIPS[name], 1)
    return pen.tile()


@lru_cache(maxsize=32)
def turning(angle: int, size: int) -> Sprite:
    """A round arrow: a coaster has turned clockwise by so many degrees."""
    pen = Pen(size, size, 100, None)
    pen.circle(50, 50, 49, INK)
    pen.circle(50, 50, 45, shade("gold", 0.85))
    start = -90.0
    for wide, colour in ((15, INK),):
        pen.arc(50, 50, 33, start, start + angle - 14, wide, colour)
    end = {90: ((83, 40), (70, 44), (96, 44), (83, 62)), 180: ((58, 83), (56, 70), (56, 96), (38, 83))}.get(
        angle, ((17, 60), (4, 56), (30, 56), (17, 38))
    )
    pen.polygon(end[1:], INK)
    pen.text(50, 51, str(angle), 24, INK)
    return pen.tile()
