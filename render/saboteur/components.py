"""The cards of the mine: tunnels that look dug, the ladder, the doors at the far end, the action cards.

A card is drawn 100 units wide and 120 high; a tunnel's mouth is in the middle of its edge and of one width, so that
cards laid side by side join.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from games.grid import EDGES
from render.cache import cached
from render.maze import OUT
from render.palette import INK, Colour, shade
from render.saboteur import icons
from render.tiles import Pen, Point, Sprite, tile

HIGH: Final = 120
"""Height of a card in units of its width / 100."""

_LEGIBLE: Final = 48
"""Least width in pixels at which a card has facets: it is narrower in an overview."""

_MOUTH: Final = 17.0
"""Half the width of a tunnel where it leaves the card."""

_RIM: Final = shade("rock", 0.0)

SHADOW: Final = shade("rock", 0.06)
"""The colour between rocks."""

DARK: Final = shade("rock", 0.14)
"""Rock without light."""

POINT: Final = shade("rock", 0.4)


class _Tones(NamedTuple):
    """The colours of rock: its face, its hollows, and its joints."""

    face: Colour
    dark: Colour
    joint: Colour


_NEAR: Final = _Tones(shade("earth", 0.08), shade("earth", 0.0), shade("earth", 0.0))
_DUG: Final = _Tones(shade("earth", 0.23), shade("earth", 0.15), shade("earth", 0.08))
_UNLIT: Final = _Tones(shade("rock", 0.33), shade("rock", 0.27), shade("rock", 0.2))
"""Rock in a place beside a lit tunnel, around a lit tunnel, and around a tunnel that is cut off."""

_LIT: Final = (shade("earth", 0.38), shade("earth", 0.66), shade("earth", 0.8))
_DARK: Final = (shade("rock", 0.06), shade("rock", 0.2), shade("rock", 0.27))
"""Colours in a lit tunnel, and in one that is cut off from the start card: shadow, floor, middle."""


def _side(rng: Random, start: float, length: float) -> list[Point]:
    """One dug wall along a corridor: distances from the centre and from the corridor's axis."""
    count = max(1, round((length - start) / 15))
    steps = [start + (length - start) * i / count for i in range(count)]
    return [(t, _MOUTH + rng.uniform(-3.5, 4.0)) for t in steps] + [(length, _MOUTH), (length + 8, _MOUTH)]


class _Dug:
    """The outline of a card's tunnels, the same on every drawing of that card."""

    def __init__(self, name: str) -> None:
        rng = Random(f"tunnels of {name}")
        self.joined = name.isupper()
        self.arms: list[tuple[str, list[Point], list[Point]]] = []
        for edge in name.upper():
            length = HIGH / 2 if edge in "NS" else 50.0
            start = -4.0 if self.joined else 35.0
            self.arms.append((edge, _side(rng, start, length), _side(rng, start, length)))
        self.hall = [_MOUTH + 3 + rng.uniform(-2.5, 3.5) for _ in range(10)]

    def draw(self, pen: Pen, grow: float, colour: Colour, shift: Point = (0, 0)) -> None:
        """Draw all tunnels, wider by `grow` on both sides."""
        x, y = 50 + shift[0], HIGH / 2 + shift[1]
        for edge, left, right in self.arms:
            (dx, dy) = OUT[edge]
            outline = [(x + dx * t + dy * (w + grow), y + dy * t - dx * (w + grow)) for t, w in left]
            outline += [(x + dx * t - dy * (w + grow), y + dy * t + dx * (w + grow)) for t, w in reversed(right)]
            pen.polygon(outline, colour)
            if not self.joined:
                # A rounded dead end.
                start = left[0][0]
                pen.circle(x + dx * start, y + dy * start, _MOUTH - 1 + grow, colour)
        if self.joined:
            turn = 2 * math.pi / len(self.hall)
            corners = [
                (x + (r + grow) * math.cos(i * turn), y + (r + grow) * math.sin(i * turn))
                for i, r in enumerate(self.hall)
            ]
            pen.polygon(corners, colour)


def _rock_face(pen: Pen, seed: str, tones: _Tones) -> None:
    """Draw rock with a hollow, and thin joints at its edges."""
    pen.box(0, 0, 100, HIGH, tones.joint)
    pen.box(1.5, 1.5, 98.5, HIGH - 1.5, tones.face)
    if pen.width < _LEGIBLE:
        return
    rng = Random(f"rock of {seed}")
    for x, y in rng.sample(((21, 26), (79, 24), (22, 96), (78, 95)), 1):
        corners = [
            (x + 17 * math.cos(a), y + 15 * math.sin(a)) for a in (rng.uniform(0, 1) + i * 1.6 for i in range(4))
        ]
        pen.polygon(corners, tones.dark)


@cached
def rock(variant: int, width: int, height: int) -> Sprite:
    """A place where nothing is dug yet, in the light of a tunnel beside it."""
    pen = Pen(width, height, 100, _NEAR.face)
    if pen.width >= _LEGIBLE:
        # Few edges: this is the most frequent tile, and edges make the file larger.
        rng = Random(f"solid {variant}")
        x, y = rng.uniform(30, 70), rng.uniform(35, 85)
        angles = [rng.uniform(0, 0.8) + i * 1.25 for i in range(5)]
        corners = [(x + 22 * math.cos(a), y + 16 * math.sin(a)) for a in angles]
        pen.polygon(corners, _NEAR.dark)
    return pen.tile()


def _tunnels(pen: Pen, name: str, lit: bool) -> None:
    shadow, floor, middle = _LIT if lit else _DARK
    dug = _Dug(name)
    dug.draw(pen, 4.5, _RIM)
    dug.draw(pen, 0, shadow)
    dug.draw(pen, -2.5, floor, (1.2, 2.2))
    dug.draw(pen, -9.5, middle, (0.6, 1.2))


def _planks(pen: Pen) -> None:
    """Draw two boards nailed crosswise: a dead end."""
    x, y = 50.0, HIGH / 2
    for dx in (15, -15):
        pen.line([(x - dx, y - 16), (x + dx, y + 16)], 14, INK)
        pen.line([(x - dx, y - 16), (x + dx, y + 16)], 8.5, icons.WOOD_LIGHT)
    for dx in (15, -15):
        pen.circle(x - dx, y - 16, 2, INK)
        pen.circle(x + dx, y + 16, 2, INK)


@tile(HIGH)
def path_card(pen: Pen, name: str, lit: bool = True, *, held: bool = False) -> None:
    """A path card as it lies (``NES``, ``es``); not `lit` if it is cut off from the start.

    `held`: the card is in a hand, so it has an edge.
    """
    _rock_face(pen, name, _DUG if lit else _UNLIT)
    _tunnels(pen, name, lit)
    if name.islower():
        _planks(pen)
    if held:
        for x0, y0, x1, y1 in ((0, 0, 100, 3), (0, HIGH - 3, 100, HIGH), (0, 0, 3, HIGH), (97, 0, 100, HIGH)):
            pen.box(x0, y0, x1, y1, INK)


@tile(HIGH)
def start_card(pen: Pen) -> None:
    """The start card: tunnels on all sides and the ladder to the surface."""
    _rock_face(pen, "start", _DUG)
    _tunnels(pen, EDGES, True)
    pen.oval(50, 62, 27, 30, shade("blue", 0.75), rim=5)
    pen.oval(50, 66, 18, 18, shade("blue", 0.92))
    for x in (38, 62):
        pen.line([(x, 34), (x, 92)], 9, INK)
    for y in range(42, 92, 12):
        pen.line([(38, y), (62, y)], 8, INK)
        pen.line([(38, y), (62, y)], 4, icons.WOOD_LIGHT)
    for x in (38, 62):
        pen.line([(x, 34), (x, 92)], 5, icons.WOOD_LIGHT)


@tile(HIGH)
def door(pen: Pen, known: str | None = None) -> None:
    """A finish card that lies face down; `known`: what the viewer has seen under it."""
    pen.box(0, 0, 100, HIGH, icons.WOOD_DARK, 7, rim=3, outer=9)
    for x in (5, 28.5, 52, 75.5):
        pen.box(x, 5, x + 20, HIGH - 5, icons.WOOD, 3)
    for y in (18, 88):
        pen.box(3, y, 97, y + 14, INK)
        pen.box(3, y + 2, 97, y + 12, icons.IRON)
        for x in (14, 38, 62, 86):
            pen.circle(x, y + 7, 3, icons.IRON_DARK)
    if known is None:
        pen.circle(50, 60, 31, icons.GOLD, rim=4)
        pen.text(50, 60, "?", 50, INK)
    else:
        pen.circle(50, 60, 35, shade("paper", 0.85), rim=4)
        if known == "T":
            icons.chest(pen.inset(26, 36, 48))
        else:
            _bend(pen, known)
            icons.boulder(pen.inset(26, 37, 48))


def _bend(pen: Pen, stone: str) -> None:
    """Draw the curve of a stone that the viewer has seen: a little tunnel under it."""
    for wide, colour in ((17, INK), (10, _LIT[1])):
        for edge in stone:
            dx, dy = OUT[edge]
            pen.line([(50, 60), (50 + 24 * dx, 60 + 24 * dy)], wide, colour)


@tile(HIGH)
def finish_card(pen: Pen, card: str, treasure: bool, lit: bool = True) -> None:
    """A finish card that is turned up, as it lies."""
    pen.box(0, 0, 100, HIGH, icons.GOLD_DARK if treasure else icons.IRON_DARK, 9)
    pen.box(4, 4, 96, HIGH - 4, (_DUG if lit else _UNLIT).face, 6)
    _tunnels(pen, card, lit)
    if treasure:
        pen.circle(50, 62, 37, shade("gold", 0.96), rim=4)
        icons.chest(pen.inset(23, 34, 54))
    else:
        # In the corner that the curve leaves free, so that the curve can be seen.
        icons.boulder(pen.inset(4 if "E" in card else 50, 60 if "N" in card else 12, 48))


@tile(HIGH)
def gold_card(pen: Pen, value: int) -> None:
    """A gold card: as many nuggets as it is worth."""
    pen.box(0, 0, 100, HIGH, icons.GOLD_DARK, 7, rim=3, outer=9)
    pen.box(10, 10, 90, HIGH - 10, shade("earth", 0.9), 5)
    for x, y, size in {
        1: ((34, 50, 46),),
        2: ((46, 24, 42), (16, 64, 44)),
        3: ((48, 14, 40), (12, 58, 40), (48, 68, 40)),
    }[value]:
        icons.nugget(pen.inset(x, y, size, part=True))
    pen.text(27, 28, str(value), 46, INK)


def _signs(name: str) -> Iterator[tuple[str, float, float, float]]:
    """The pictures on an action card: name, place and size."""
    if name in {"rock", "map"}:
        yield name, 14, 24, 72
    elif len(name) == 2:
        yield name[1], 16, 16, 68
    else:
        yield name[1], 5, 10, 52
        yield name[2], 44, 40, 52


@tile(HIGH)
def action_card(pen: Pen, name: str) -> None:
    """An action card (``-P``, ``+LW``, ``rock``, ``map``)."""
    kind = name[0] if name[0] in "+-" else ""
    frame = icons.BAD if kind == "-" else icons.GOOD if kind == "+" else icons.GOLD_DARK
    pen.box(0, 0, 100, HIGH, frame, 7, rim=3, outer=9)
    pen.box(10, 10, 90, HIGH - 10, shade("paper", 0.82), 5)
    for sign, x, y, size in _signs(name):
        icons.ICONS[sign](pen.inset(x, y, size))
    if kind == "-":
        icons.crack(pen.inset(18, 14, 66, part=True))
        icons.cross(pen.inset(54, 72, 46))
    elif kind == "+":
        icons.check(pen.inset(54, 72, 46))


def hand_card(name: str, width: int, ground: Colour) -> Sprite:
    """Any card as it is held in the hand."""
    if name.upper().strip(EDGES):
        return action_card(width, ground, name)
    return path_card(width, ground, name, held=True)
