"""The cards of the paper maze: folded paper in the colour and with the mark of its player, numbers at the openings.

A card is drawn 100 units square; a tunnel's mouth is in the middle of its edge.
"""

from __future__ import annotations

import math
from typing import Final

from PIL import ImageChops

from games.ambagibus.components import BOMB, CAVE, ROMAN
from games.grid import EDGES
from render.badges import SEAT_COLOURS
from render.cache import cached
from render.canvas import Canvas
from render.maze import OUT
from render.palette import INK, PAPER, Colour, shade
from render.tiles import Pen, Point, Sprite, square_tile

_SIGNED: Final = 40
"""Least width in pixels at which a card has signs: it is narrower in an overview."""

_LAID: Final = 52
"""Least width in pixels at which a number touches no pixel that differs from card to card."""

_HALF: Final = 23.0
"""Half the width of a tunnel."""

_OPEN: Final = (shade("paper", 1.0), shade("paper", 0.55), INK)
_CLOSED: Final = (shade("paper", 0.64), shade("paper", 0.36), shade("brown", 0.22))
_DARK: Final = (shade("felt", 0.56), shade("felt", 0.33), INK)
"""Colours of an open tunnel, of a closed one, and of one on a faint card: floor, shadow of the wall, numbers."""

_WALL: Final = shade("brown", 0.11)
_SEAL: Final = shade("gold", 0.8)
TINTS: Final = (shade("red", 0.78), shade("blue", 0.82), shade("gold", 0.92), shade("green", 0.45))
"""By player: the colour of the paper."""

FOLDS: Final = (shade("red", 0.67), shade("blue", 0.62), shade("gold", 0.78), shade("green", 0.27))
"""By player: the colour of the folded part."""

_FOLDED: Final[tuple[tuple[Point, ...], ...]] = (
    ((2.5, 97.5), (97.5, 97.5), (97.5, 2.5)),
    ((2.5, 50), (97.5, 50), (97.5, 97.5), (2.5, 97.5)),
    ((50, 2.5), (97.5, 2.5), (97.5, 97.5), (50, 97.5)),
    ((50, 2.5), (97.5, 2.5), (97.5, 50), (50, 50)),
)
_LIT: Final = (shade("red", 0.9), shade("blue", 1.0), shade("gold", 1.0), shade("green", 0.72))
_RIMS: Final = (shade("red", 0.11), shade("blue", 0.1), shade("gold", 0.18), shade("green", 0.0))
SIGNS: Final = (shade("red", 0.3), shade("blue", 0.2), shade("gold", 0.4), shade("green", 0.0))
"""By player: the colour of the signs on the paper."""

_CORNERS: Final[dict[int, tuple[Point, ...]]] = {
    2: ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    3: ((0, -1.1), (0.95, -0.55), (0.95, 0.55), (0, 1.1), (-0.95, 0.55), (-0.95, -0.55)),
}
"""By player: the corners of a sign that is a diamond or a hexagon."""


def _mark(pen: Pen, owner: int, x: float, y: float, size: float) -> None:
    """Draw the sign of an owner, in the shape of their badge: disc, square, diamond, hexagon."""
    colour = SIGNS[owner]
    if owner == 0:
        pen.circle(x, y, size, colour)
        pen.circle(x, y, size * 0.45, PAPER)
    elif owner == 1:
        pen.box(x - size * 0.88, y - size * 0.88, x + size * 0.88, y + size * 0.88, colour)
    else:
        pen.polygon([(x + size * across, y + size * down) for across, down in _CORNERS[owner]], colour)


_FAINT: Final = (shade("red", 0.22), shade("blue", 0.18), shade("gold", 0.27), shade("green", 0.27))
"""By player: the colour of the paper of a faint card."""


def _fold(pen: Pen, owner: int) -> None:
    """Draw the folded part of the paper."""
    pen.polygon(_FOLDED[owner], FOLDS[owner])
    if owner == 3:
        pen.box(2.5, 50, 50, 97.5, FOLDS[owner])


def _sheet(pen: Pen, owner: int, signed: bool = True) -> None:
    """Draw the paper in the owner's colour, folded in their way (aslant, across, along, twice), with their signs.

    Light comes from the upper left, so the edges there are bright. Not `signed`: it lies on its owner's plate.
    """
    pen.box(0, 0, 100, 100, _RIMS[owner], 7)
    pen.box(2.5, 2.5, 97.5, 97.5, TINTS[owner], 5)
    if signed and pen.width >= _SIGNED:
        _fold(pen, owner)
        for x1, y1 in ((97, 5.5), (5.5, 97)):
            pen.box(2.5, 2.5, x1, y1, _LIT[owner])
        for x in (14, 86):
            for y in (14, 86):
                _mark(pen, owner, x, y, 8.5)


def _arm(pen: Pen, edge: str, half: float, colour: Colour, shadow: float = 0) -> None:
    """Draw the tunnel from the middle to an edge. On the side of the light, a `shadow` is left free."""
    dx, dy = OUT[edge]
    x, y = 50 + 50 * dx, 50 + 50 * dy
    pen.box(
        min(50 - half, x - half * abs(dy)) + shadow * abs(dy),
        min(50 - half, y - half * abs(dx)) + shadow * abs(dx),
        max(50 + half, x + half * abs(dy)),
        max(50 + half, y + half * abs(dx)),
        colour,
    )


def _tunnels(pen: Pen, card: str, colours: tuple[Colour, Colour, Colour], numbered: str, depth: float = 5) -> None:
    """Draw tunnels from the middle to every opening, cut into the paper, with numbers at the `numbered` edges."""
    edges = [edge for edge, number in zip(EDGES, card, strict=True) if number != "0"]
    floor, dark, ink = colours
    bulge = 5 if len(edges) == 1 else 0
    layers = ((_HALF + 3, _WALL, 0.0), (_HALF, dark, 0.0), (_HALF, floor, depth))
    for half, colour, shadow in layers if depth else (layers[0], layers[2]):
        pen.circle(50 + shadow / 2, 50 + shadow / 2, half + bulge - shadow / 2, colour)
        for edge in edges:
            _arm(pen, edge, half, colour, shadow)
    for edge, number in zip(EDGES, card, strict=True):
        if edge in numbered and number != "0":
            dx, dy = OUT[edge]
            pen.text(51.5 + 31 * dx, 51.5 + 33 * dy, ROMAN[int(number)], 42, ink)


@square_tile
def tunnel(
    pen: Pen,
    card: str,
    owner: int,
    closed: bool = False,
    numbered: str = EDGES,
    signed: bool = True,
    inked: bool = False,
) -> None:
    """A tunnel card as it lies. `closed`: it belongs to a closed section (A16).

    Only openings at the `numbered` edges show their numbers. `inked`: numbers will be laid on it.
    """
    colours = _CLOSED if closed else _OPEN
    if inked:
        pen.expect(colours[2])
    _sheet(pen, owner, signed)
    _tunnels(pen, card, colours, numbered, 5 if pen.width >= _SIGNED else 0)
    if closed:
        pen.circle(50, 50, 12, _SEAL, rim=3.5)


def lay(
    canvas: Canvas, at: tuple[int, int], width: int, ground: Colour, card: str, owner: int, closed: bool, numbered: str
) -> None:
    """Put a tunnel card on a maze.

    Few cards of a match are alike, but their parts are. So a card is drawn without numbers, and they are laid on it.
    """
    numbers = [(edge, each) for edge, each in zip(EDGES, card, strict=True) if each != "0" and edge in numbered]
    if width < _LAID and numbers:
        canvas.put(tunnel(width, ground, card, owner, closed, numbered), *at)
        return
    openings = "".join(min(each, "1") for each in card)
    tile = tunnel(width, ground, openings, owner, closed, "", True, bool(numbers))
    signs = [_number(width, ground, *each, owner, closed) for each in numbers]
    canvas.put(tile._replace(reading=signs[0][0].reading) if signs else tile, *at)
    for sign, (across, down) in signs:
        canvas.paste(sign, at[0] + across, at[1] + down)


_NUMBERS: Final = {"N": (0, 0, 100, 35), "E": (50, 35, 100, 68), "S": (0, 68, 100, 100), "W": (0, 35, 50, 68)}
"""The rectangle in which the number of an opening lies: left, top, right and bottom."""


@cached
def _number(
    width: int, ground: Colour, edge: str, number: str, owner: int, closed: bool
) -> tuple[Sprite, tuple[int, int]]:
    """The pixels of a card that its number at an edge changes, and where they lie."""
    left, top, right, bottom = (round(end * width / 100) for end in _NUMBERS[edge])
    numbered = tunnel(width, ground, number * 4, owner, closed)
    bare = tunnel(width, ground, "1111", owner, closed, "", True, True)
    one, other = (each.image.crop((left, top, right, bottom)) for each in (numbered, bare))
    mask = ImageChops.difference(one, other).point([0] + [255] * 255, "1")
    return Sprite(one, mask, numbered.reading), (left, top)


@square_tile
def final(pen: Pen, card: str, owner: int, closed: bool, plain: bool) -> None:
    """A card of a maze that is finished: a tunnel or a Cave-in. It is bright if it belongs to a closed section.

    `plain`: without signs, rims and shadows, because fewer edges make the file smaller.
    """
    if not closed:
        pen.box(0, 0, 100, 100, _FAINT[owner], 0 if plain else 7)
    elif plain:
        pen.box(0, 0, 100, 100, TINTS[owner])
        _fold(pen, owner)
    else:
        _sheet(pen, owner)
    if card != CAVE:
        _tunnels(pen, card, _OPEN if closed else _DARK, "", 0 if plain else 5)
    else:
        _rubble(pen)


@square_tile
def caved_in(pen: Pen, owner: int, signed: bool = True) -> None:
    """A Cave-in: a heap of rubble where a tunnel was."""
    _sheet(pen, owner, signed)
    _rubble(pen)


def _rubble(pen: Pen) -> None:
    for x, y, r in ((32, 62, 21), (66, 64, 22), (50, 42, 22), (50, 68, 16), (24, 42, 11), (78, 42, 11)):
        pen.circle(x, y, r + 3, shade("slate", 0.5), rim=3)
        pen.circle(x - r / 4, y - r / 4, r / 2.2, shade("slate", 0.72))


@square_tile
def bomb(pen: Pen, owner: int) -> None:
    """A Bomb, which only lies on its owner's plate."""
    _sheet(pen, owner, signed=False)
    pen.line([(60, 36), (68, 22), (80, 20)], 8, INK)
    pen.line([(60, 36), (68, 22), (80, 20)], 3, shade("brown", 0.75))
    pen.circle(46, 58, 30, shade("slate", 0.3), rim=4)
    pen.circle(37, 48, 8, shade("slate", 0.7))
    star = [(80, 6), (85, 15), (95, 14), (89, 22), (95, 31), (84, 29), (79, 38), (75, 28), (66, 26), (73, 19)]
    pen.polygon(star, INK)
    pen.circle(81, 22, 7, shade("gold", 0.8))


@square_tile
def blast(pen: Pen) -> None:
    """The mark where a Bomb has removed a card."""
    points = []
    for i in range(16):
        reach, angle = 49 if i % 2 == 0 else 30, math.pi * i / 8
        points.append((50 + reach * round(math.cos(angle), 2), 50 + reach * round(math.sin(angle), 2)))
    pen.polygon(points, INK)
    pen.polygon([(50 + (x - 50) * 0.86, 50 + (y - 50) * 0.86) for x, y in points], shade("orange", 0.6))
    pen.polygon([(50 + (x - 50) * 0.55, 50 + (y - 50) * 0.55) for x, y in points], shade("gold", 0.85))


@square_tile
def passage(pen: Pen, edge: str, priority: int, owner: int) -> None:
    """An open passage: an arrow in its owner's colour that leads out of the card, with its number."""
    colour, text = SEAT_COLOURS[owner]
    for grow, fill in ((0, INK), (9, colour)):
        low, high = grow, 100 - grow
        arrow = [(50, low), (high, 42), (high, high), (low, high), (low, 42)]
        for _ in range(EDGES.index(edge)):
            arrow = [(100 - y, x) for x, y in arrow]
        pen.polygon(arrow, fill)
    dx, dy = OUT[edge]
    pen.text(50 - 10 * dx, 50 - 10 * dy, ROMAN[priority], 70, text)


@square_tile
def seal(pen: Pen) -> None:
    """The sign of a closed section."""
    pen.circle(50, 50, 46, _CLOSED[0], rim=8)
    pen.circle(50, 50, 25, _SEAL, rim=8)


def card(name: str, owner: int, size: int, ground: Colour) -> Sprite:
    """Any card of a deck, as it lies face up on its owner's plate."""
    if name == BOMB:
        return bomb(size, ground, owner)
    if name == CAVE:
        return caved_in(size, ground, owner, signed=False)
    return tunnel(size, ground, name, owner, signed=False)
