"""The pictures of computer players: a small disc each, with the thing that its name says.

A computer's name is a word for a thing (`matches.computers.levels.NAMES`). A person may have the same name, so callers
mark the names of computers by their type, `Computer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from render.palette import INK, PAPER, Colour, shade
from render.tiles import Pen, Point, Sprite, square_tile

Shape = Callable[[Pen], None]

_GREY: Final = shade("slate", 0.55)
_PALE: Final = shade("slate", 0.85)
_STONE: Final = shade("slate", 0.35)
_BROWN: Final = shade("brown", 0.4)
_TAN: Final = shade("brown", 0.7)
_CREAM: Final = shade("brown", 1)
_RED: Final = shade("red", 0.5)
_GOLD: Final = shade("gold", 0.72)
_ORANGE: Final = shade("orange", 0.5)
_GREEN: Final = shade("green", 0.36)
_LEAF: Final = shade("green", 0.6)
_BLUE: Final = shade("blue", 0.4)
_SKY: Final = shade("blue", 0.75)
_ICE: Final = shade("blue", 1)
_PURPLE: Final = shade("purple", 0.5)

_EASY: Final = shade("green", 0.86)
_NORMAL: Final = shade("gold", 0.95)
_HARD: Final = shade("red", 0.9)
_EXPERT: Final = shade("purple", 0.9)


class Computer(str):
    """The name of a computer player, or of a person who has left, for whom a computer plays as a `guest`."""

    guest: bool

    def __new__(cls, name: str, guest: bool = False) -> Computer:
        """Make the name, with what is known about the computer."""
        computer = super().__new__(cls, name)
        computer.guest = guest
        return computer


def _oval(x: float, y: float, wide: float, high: float, colour: Colour) -> Shape:
    return lambda pen: pen.oval(x, y, wide, high, colour)


def _box(x0: float, y0: float, x1: float, y1: float, colour: Colour, radius: float = 0) -> Shape:
    return lambda pen: pen.box(x0, y0, x1, y1, colour, radius)


def _area(colour: Colour, *points: Point) -> Shape:
    return lambda pen: pen.polygon(points, colour)


def _line(width: float, colour: Colour, *points: Point) -> Shape:
    return lambda pen: pen.line(points, width, colour)


def _bird(body: Colour, wing: Colour, belly: Colour, beak: Colour) -> tuple[Shape, ...]:
    """A bird that looks to the right."""
    return (
        _area(body, (10, 70), (34, 46), (42, 62)),
        _oval(50, 54, 25, 19, body),
        _oval(56, 62, 16, 10, belly),
        _oval(66, 36, 15, 14, body),
        _area(beak, (78, 30), (94, 38), (78, 42)),
        _area(wing, (24, 62), (38, 42), (60, 52), (46, 66)),
        _oval(69, 34, 3.5, 3.5, PAPER if body == INK else INK),
    )


_DRAWINGS: Final[dict[Colour, dict[str, Sequence[Shape]]]] = {
    _EASY: {
        "Pebble": (_oval(50, 56, 34, 24, _STONE), _oval(47, 52, 30, 19, _GREY), _oval(38, 46, 10, 5, _PALE)),
        "Minnow": (
            _area(_BLUE, (34, 50), (8, 32), (14, 50), (8, 68)),
            _oval(56, 50, 32, 17, _BLUE),
            _oval(58, 55, 26, 9, _SKY),
            _oval(74, 46, 4, 4, INK),
        ),
        "Thimble": (
            _area(_GREY, (32, 22), (68, 22), (78, 80), (22, 80)),
            _oval(50, 24, 18, 9, _PALE),
            *(_oval(x, y, 3, 3, _STONE) for x, y in ((40, 40), (50, 40), (60, 40), (38, 54), (50, 54), (62, 54))),
            _box(18, 70, 82, 82, _STONE, 5),
        ),
        "Acorn": (
            _line(6, _BROWN, (50, 26), (56, 12)),
            _area(_TAN, (24, 42), (76, 42), (66, 70), (50, 88), (34, 70)),
            _oval(50, 36, 31, 14, _BROWN),
        ),
        "Puddle": (
            _oval(46, 70, 36, 14, _BLUE),
            _oval(60, 64, 26, 12, _BLUE),
            _oval(52, 67, 26, 7, _SKY),
            _area(_BLUE, (50, 12), (62, 36), (38, 36)),
            _oval(50, 38, 12.5, 11, _BLUE),
        ),
        "Button": (
            _oval(50, 50, 36, 36, _RED),
            _oval(50, 50, 27, 27, shade("red", 0.7)),
            *(_oval(x, y, 5, 5, INK) for x in (41, 59) for y in (41, 59)),
        ),
        "Crumb": (
            _area(_BROWN, (24, 60), (32, 34), (58, 26), (76, 44), (70, 70), (44, 76)),
            _area(_TAN, (30, 56), (38, 38), (56, 34), (66, 46), (60, 62), (44, 66)),
            _oval(22, 80, 6, 5, _BROWN),
            _oval(78, 80, 5, 4, _BROWN),
        ),
        "Teacup": (
            _oval(74, 52, 15, 14, _BLUE),
            _oval(74, 52, 8, 8, _EASY),
            _area(_BLUE, (18, 36), (76, 36), (64, 72), (30, 72)),
            _oval(47, 36, 29, 8, PAPER),
            _oval(47, 37, 23, 5, _ORANGE),
            _box(16, 76, 78, 83, _BLUE, 3),
        ),
        "Sparrow": _bird(_BROWN, shade("brown", 0.25), _CREAM, _GOLD),
    },
    _NORMAL: {
        "Juniper": (
            _line(5, _BROWN, (20, 82), (80, 20)),
            *(_line(6, _GREEN, (x, 100 - x), (x - 4, 74 - x)) for x in (38, 54, 70)),
            *(_line(6, _GREEN, (x, 100 - x), (x + 22, 106 - x)) for x in (34, 50, 64)),
            *(_oval(x, y, 9, 9, _BLUE) for x, y in ((38, 44), (58, 60), (70, 36))),
        ),
        "Copper": (
            _oval(50, 50, 36, 36, shade("orange", 0.3)),
            _oval(50, 50, 28, 28, _ORANGE),
            _area(shade("orange", 0.85), (50, 28), (68, 50), (50, 72), (32, 50)),
        ),
        "Otter": (
            _oval(26, 30, 9, 9, _BROWN),
            _oval(74, 30, 9, 9, _BROWN),
            _oval(50, 50, 33, 32, _BROWN),
            _oval(50, 62, 24, 18, _CREAM),
            _oval(37, 42, 5, 5, INK),
            _oval(63, 42, 5, 5, INK),
            _oval(50, 54, 9, 6, INK),
        ),
        "Marble": (
            _oval(50, 50, 36, 36, _BLUE),
            _area(PAPER, (26, 66), (40, 36), (70, 26), (58, 52), (38, 74)),
            _area(_SKY, (56, 74), (66, 54), (82, 44), (76, 62)),
            _oval(36, 30, 6, 5, PAPER),
        ),
        "Thistle": (
            _line(6, _GREEN, (50, 94), (50, 60)),
            _area(_GREEN, (50, 84), (26, 76), (40, 72), (22, 62), (48, 70)),
            _area(_PURPLE, (30, 46), (22, 14), (38, 26), (50, 8), (62, 26), (78, 14), (70, 46)),
            _oval(50, 54, 22, 17, _GREEN),
        ),
        "Beacon": (
            _area(_GOLD, (44, 26), (4, 12), (4, 44)),
            _area(_GOLD, (56, 26), (96, 12), (96, 44)),
            _area(PAPER, (38, 38), (62, 38), (70, 90), (30, 90)),
            _area(_RED, (36, 52), (64, 52), (66.5, 68), (33.5, 68)),
            _box(38, 18, 62, 38, INK, 4),
            _box(43, 22, 57, 34, _GOLD, 2),
        ),
        "Walnut": (
            _oval(50, 52, 33, 36, _BROWN),
            _oval(36, 52, 14, 26, _TAN),
            _oval(64, 52, 14, 26, _TAN),
            _line(4, _BROWN, (30, 42), (40, 50), (32, 62)),
            _line(4, _BROWN, (70, 42), (60, 50), (68, 62)),
        ),
        "Ferry": (
            _box(54, 16, 66, 40, _RED),
            _box(28, 36, 74, 60, PAPER, 3),
            *(_oval(x, 47, 4, 4, INK) for x in (38, 51, 64)),
            _area(INK, (10, 56), (92, 56), (78, 80), (22, 80)),
            _line(6, _BLUE, (10, 86), (30, 80), (50, 88), (70, 80), (90, 86)),
        ),
        "Magpie": _bird(INK, _BLUE, PAPER, _STONE),
    },
    _HARD: {
        "Granite": (
            _area(_GREY, (14, 72), (22, 40), (52, 52), (50, 86)),
            _area(_PALE, (22, 40), (48, 20), (80, 32), (52, 52)),
            _area(_STONE, (52, 52), (80, 32), (88, 66), (50, 86)),
        ),
        "Kestrel": (
            _area(_BROWN, (6, 34), (30, 30), (50, 44), (70, 30), (94, 34), (72, 52), (50, 60), (28, 52)),
            _line(4, _TAN, (16, 38), (36, 44)),
            _line(4, _TAN, (84, 38), (64, 44)),
            _area(_BROWN, (44, 56), (56, 56), (62, 88), (38, 88)),
            _oval(50, 42, 10, 15, _TAN),
            _oval(50, 29, 9, 9, _STONE),
            _area(_GOLD, (46, 32), (54, 32), (50, 41)),
        ),
        "Basalt": tuple(
            shape
            for x, top in ((18, 46), (40, 22), (62, 36))
            for shape in (
                _box(x, top, x + 20, 86, _STONE),
                _box(x, top, x + 7, 86, shade("slate", 0.2)),
                _oval(x + 10, top, 10, 5, _GREY),
            )
        ),
        "Anvil": (
            _area(_STONE, (8, 32), (90, 32), (90, 46), (66, 54), (62, 66), (38, 66), (34, 54), (24, 48)),
            _box(24, 66, 76, 82, _STONE, 3),
            _line(4, _GREY, (28, 36), (86, 36)),
        ),
        "Tempest": (
            *(_oval(x, y, r, r, _STONE) for x, y, r in ((32, 42, 18), (54, 34, 21), (72, 44, 16))),
            _box(24, 44, 80, 60, _STONE, 8),
            _area(INK, (54, 52), (32, 76), (46, 76), (38, 98), (68, 66), (53, 66), (62, 52)),
            _area(_GOLD, (54, 56), (38, 73), (50, 73), (45, 88), (61, 69), (49, 69), (57, 56)),
        ),
        "Lynx": (
            _area(INK, (16, 8), (42, 30), (22, 44)),
            _area(INK, (84, 8), (58, 30), (78, 44)),
            _area(_ORANGE, (20, 20), (42, 30), (22, 48)),
            _area(_ORANGE, (80, 20), (58, 30), (78, 48)),
            _oval(50, 54, 31, 29, _ORANGE),
            _area(_CREAM, (20, 56), (48, 62), (40, 84), (14, 80)),
            _area(_CREAM, (80, 56), (52, 62), (60, 84), (86, 80)),
            _oval(38, 48, 5, 6, INK),
            _oval(62, 48, 5, 6, INK),
            _area(INK, (43, 62), (57, 62), (50, 70)),
        ),
        "Obsidian": (
            _area(INK, (50, 6), (80, 44), (64, 94), (30, 82), (22, 38)),
            _area(_PURPLE, (50, 14), (72, 44), (52, 52)),
            _area(_STONE, (46, 14), (46, 52), (30, 40)),
            _area(shade("purple", 0.25), (50, 58), (72, 50), (60, 86)),
        ),
        "Glacier": (
            _area(_BLUE, (4, 84), (38, 18), (72, 84)),
            _area(_ICE, (38, 18), (22, 49), (34, 44), (42, 56), (53, 47)),
            _area(_SKY, (36, 84), (68, 36), (96, 84)),
            _area(PAPER, (68, 36), (57, 53), (66, 52), (72, 60), (80, 56)),
        ),
        "Raven": _bird(INK, _STONE, shade("slate", 0.2), _STONE),
    },
    _EXPERT: {
        "Comet": (
            _area(_SKY, (10, 10), (76, 50), (50, 76)),
            _area(PAPER, (30, 30), (72, 54), (54, 72)),
            _oval(66, 66, 18, 18, _GOLD),
            _oval(62, 62, 9, 9, _CREAM),
        ),
        "Eclipse": (
            *(
                _line(5, _GOLD, (50 + 0.5 * x, 50 + 0.5 * y), (50 + x, 50 + y))
                for x, y in ((0, 44), (0, -44), (44, 0), (-44, 0), (31, 31), (31, -31), (-31, 31), (-31, -31))
            ),
            _oval(50, 50, 29, 29, _GOLD),
            _oval(53, 48, 26, 26, INK),
        ),
        "Saturn": (
            _oval(50, 50, 46, 14, _BROWN),
            _oval(50, 49, 36, 8, _EXPERT),
            _oval(50, 46, 26, 26, _ORANGE),
            _line(5, _TAN, (27, 38), (73, 38)),
            _line(7, _BROWN, (6, 52), (28, 61), (50, 63), (72, 61), (94, 52)),
        ),
        "Polaris": (
            _area(_SKY, (50, 38), (70, 30), (62, 50), (70, 70), (50, 62), (30, 70), (38, 50), (30, 30)),
            _area(_BLUE, (50, 4), (59, 41), (96, 50), (59, 59), (50, 96), (41, 59), (4, 50), (41, 41)),
            _oval(50, 50, 8, 8, PAPER),
        ),
        "Aurora": (
            _oval(50, 50, 40, 40, INK),
            _area(_GREEN, (20, 62), (30, 24), (42, 34), (38, 70)),
            _area(_LEAF, (38, 70), (44, 20), (58, 30), (56, 74)),
            _area(_PURPLE, (56, 74), (62, 26), (76, 34), (74, 66)),
            _oval(66, 18, 2.5, 2.5, PAPER),
            _oval(30, 80, 2.5, 2.5, PAPER),
        ),
        "Prism": (
            _line(5, INK, (4, 62), (36, 52)),
            _line(6, _RED, (58, 46), (96, 50)),
            _line(6, _GOLD, (58, 52), (96, 60)),
            _line(6, _BLUE, (58, 58), (96, 70)),
            _area(_ICE, (48, 14), (82, 80), (14, 80)),
            _area(_SKY, (48, 14), (48, 80), (14, 80)),
        ),
        "Compass": (
            _oval(50, 50, 38, 38, _BROWN),
            _oval(50, 50, 31, 31, _CREAM),
            _area(_RED, (68, 24), (56, 56), (44, 44)),
            _area(INK, (32, 76), (44, 44), (56, 56)),
            _oval(50, 50, 4, 4, PAPER),
        ),
        "Obelisk": (
            _area(_GREY, (50, 6), (62, 22), (66, 82), (34, 82), (38, 22)),
            _area(_STONE, (50, 6), (62, 22), (66, 82), (50, 82)),
            _area(_GOLD, (50, 6), (62, 22), (38, 22)),
            _box(24, 80, 76, 92, _STONE, 2),
        ),
        "Phoenix": _bird(_RED, _ORANGE, _GOLD, _GOLD),
    },
}
"""By the colour of the disc, which shows the level, and the first word of the name: the shapes on the disc."""


@square_tile
def machine(pen: Pen, coat: Colour) -> None:
    """The face that all computers share."""
    pen.line([(50, 24), (50, 8)], 8, INK)
    pen.circle(50, 9, 8, INK)
    pen.box(8, 20, 92, 92, coat, 11, rim=7, outer=16)
    for x in (33, 67):
        pen.circle(x, 50, 9, INK)
    pen.box(32, 67, 68, 74, INK, 3)


def emblem(name: str, size: int, ground: Colour) -> Sprite | None:
    """The picture of a computer player, `size` pixels square; ``None`` for a person, a guest, or a name without one."""
    if not isinstance(name, Computer) or name.guest:
        return None
    word = next((part for part in name.split(" ") if not part.startswith("#")), "")
    return next((_drawn(size, ground, disc, word) for disc, words in _DRAWINGS.items() if word in words), None)


@square_tile
def _drawn(pen: Pen, disc: Colour, word: str) -> None:
    pen.circle(50, 50, 50, disc, rim=5)
    inner = pen.inset(11, 11, 78)
    for shape in _DRAWINGS[disc][word]:
        shape(inner)
