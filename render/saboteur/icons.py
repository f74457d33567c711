"""The tools and signs of the mine, drawn in a square of 100 units."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from render.palette import INK, PAPER, Colour, shade
from render.tiles import Pen, square_tile

WOOD: Final = shade("brown", 0.55)
WOOD_LIGHT: Final = shade("brown", 0.75)
WOOD_DARK: Final = shade("brown", 0.3)
IRON: Final = shade("slate", 0.6)
IRON_LIGHT: Final = shade("slate", 0.85)
IRON_DARK: Final = shade("slate", 0.25)
GOLD: Final = shade("gold", 0.72)
GOLD_LIGHT: Final = shade("gold", 0.92)
GOLD_DARK: Final = shade("gold", 0.38)
BAD: Final = shade("red", 0.48)
GOOD: Final = shade("green", 0.45)


def pick(pen: Pen) -> None:
    """A pickaxe."""
    pen.line([(20, 86), (66, 34)], 18, INK)
    pen.arc(36, 66, 46, -112, 22, 21, INK)
    pen.line([(20, 86), (66, 34)], 10, WOOD)
    pen.arc(36, 66, 46, -110, 20, 12, IRON_LIGHT)
    pen.line([(62, 26), (76, 40)], 12, IRON)


def lantern(pen: Pen) -> None:
    """A miner's lantern, lit."""
    pen.arc(50, 24, 17, -180, 0, 8, INK)
    pen.polygon([(24, 42), (38, 16), (62, 16), (76, 42)], INK)
    pen.polygon([(34, 36), (43, 22), (57, 22), (66, 36)], IRON)
    pen.box(20, 36, 80, 96, INK, 10)
    pen.box(29, 44, 71, 82, GOLD, 6)
    pen.oval(50, 65, 12, 16, GOLD_LIGHT)
    pen.box(27, 82, 73, 90, IRON, 3)


def wagon(pen: Pen) -> None:
    """A mine wagon, loaded."""
    for x, y, r in ((32, 30, 15), (52, 24, 17), (70, 31, 14)):
        pen.circle(x, y, r, GOLD, rim=6)
    pen.polygon([(4, 32), (96, 32), (84, 76), (16, 76)], INK)
    pen.polygon([(14, 40), (86, 40), (77, 68), (23, 68)], IRON)
    pen.polygon([(14, 40), (86, 40), (84, 48), (16, 48)], IRON_LIGHT)
    for x in (32, 68):
        pen.circle(x, 80, 16, IRON_LIGHT, rim=8)


TOOLS: Final[dict[str, Callable[[Pen], None]]] = {"P": pick, "L": lantern, "W": wagon}


def crack(pen: Pen) -> None:
    """A zigzag through the whole square: what is under it is broken."""
    zigzag = [(70.0, 2.0), (42.0, 40.0), (62.0, 52.0), (30.0, 98.0)]
    pen.line(zigzag, 19, INK)
    pen.line(zigzag, 10, PAPER)


def cross(pen: Pen) -> None:
    """A light cross with a dark edge."""
    for colour, wide in ((INK, 30), (PAPER, 16)):
        pen.line([(20, 20), (80, 80)], wide, colour)
        pen.line([(80, 20), (20, 80)], wide, colour)


def check(pen: Pen) -> None:
    """A light tick with a dark edge."""
    for colour, wide in ((INK, 30), (PAPER, 16)):
        pen.line([(16, 54), (40, 80), (84, 22)], wide, colour)


def nugget(pen: Pen) -> None:
    """A lump of gold."""
    pen.polygon([(8, 66), (20, 30), (48, 12), (78, 24), (94, 58), (76, 86), (30, 90)], INK)
    pen.polygon([(18, 64), (28, 36), (49, 22), (72, 32), (83, 58), (70, 77), (34, 80)], GOLD)
    pen.polygon([(28, 36), (49, 22), (58, 40), (40, 54)], GOLD_LIGHT)
    pen.polygon([(40, 54), (58, 40), (72, 32), (83, 58), (62, 62)], shade("gold", 0.8))
    pen.polygon([(34, 80), (70, 77), (62, 62), (40, 54)], GOLD_DARK)


def boulder(pen: Pen) -> None:
    """A grey rock."""
    pen.polygon([(4, 70), (14, 34), (44, 10), (80, 22), (97, 60), (80, 90), (22, 92)], INK)
    pen.polygon([(13, 68), (22, 38), (46, 20), (74, 30), (87, 60), (74, 82), (27, 83)], shade("slate", 0.55))
    pen.polygon([(22, 38), (46, 20), (56, 42), (34, 56)], shade("slate", 0.8))
    pen.polygon([(27, 83), (74, 82), (87, 60), (62, 66), (34, 56)], shade("slate", 0.38))


def eye(pen: Pen) -> None:
    """An eye: somebody looked under a card."""
    pen.oval(50, 50, 48, 30, INK)
    pen.oval(50, 50, 38, 21, PAPER)
    pen.circle(50, 50, 17, INK)


def cards(pen: Pen) -> None:
    """Two cards, one behind the other: how many cards a player has."""
    pen.box(34, 8, 92, 84, WOOD, 7, rim=7, outer=12)
    pen.box(10, 20, 68, 96, PAPER, 7, rim=7, outer=12)
    pen.circle(39, 58, 11, WOOD)


def chart(pen: Pen) -> None:
    """A map with a cross on it."""
    pen.polygon([(4, 20), (34, 10), (66, 22), (96, 12), (96, 82), (66, 92), (34, 80), (4, 90)], INK)
    pen.polygon([(12, 26), (34, 18), (34, 72), (12, 79)], shade("paper", 0.75))
    pen.polygon([(34, 18), (66, 30), (66, 83), (34, 72)], shade("paper", 0.92))
    pen.polygon([(66, 30), (88, 22), (88, 76), (66, 83)], shade("paper", 0.75))
    pen.line([(20, 66), (32, 54), (46, 58), (58, 46)], 5, WOOD)
    pen.line([(64, 34), (80, 50)], 8, BAD)
    pen.line([(80, 34), (64, 50)], 8, BAD)


def rock_fall(pen: Pen) -> None:
    """Rocks coming down."""
    boulder(pen.inset(2, 38, 60, part=True))
    boulder(pen.inset(48, 52, 46, part=True))
    boulder(pen.inset(46, 6, 40, part=True))
    for x, y in ((14, 10), (32, 16), (36, 2)):
        pen.line([(x, y), (x, y + 14)], 6, INK)


def gold_card(pen: Pen) -> None:
    """A gold card whose worth nobody else knows: a golden card with a nugget on it."""
    pen.box(17, 0, 83, 100, INK, 16)
    pen.box(24, 7, 76, 93, GOLD, 10)
    pen.box(33, 16, 67, 84, GOLD_DARK, 6)
    nugget(pen.inset(25, 25, 50, part=True))


def chest(pen: Pen) -> None:
    """The treasure: an open chest full of gold."""
    pen.polygon([(10, 50), (14, 14), (24, 4), (76, 4), (86, 14), (90, 50)], INK)
    pen.polygon([(17, 48), (21, 17), (27, 11), (73, 11), (79, 17), (83, 48)], WOOD_DARK)
    for x in (34, 62):
        pen.line([(x + 3, 14), (x + 3, 42)], 6, IRON)
    for x, y, r in ((28, 44, 14), (50, 38, 17), (72, 44, 14)):
        pen.circle(x, y, r, GOLD, rim=5)
    for x, y in ((26, 40), (47, 31), (70, 39)):
        pen.circle(x, y, 4, GOLD_LIGHT)
    pen.box(4, 46, 96, 98, INK, 9)
    pen.box(11, 53, 89, 91, WOOD_LIGHT, 4)
    for x in (20, 68):
        pen.box(x, 53, x + 12, 91, IRON)
    pen.line([(8, 69), (92, 69)], 6, INK)
    pen.box(38, 56, 62, 84, INK, 5)
    pen.box(43, 61, 57, 79, GOLD, 3)
    pen.line([(50, 68), (50, 73)], 4, INK)


def rays(pen: Pen, colour: Colour = GOLD) -> None:
    """A star with many points behind something that shines."""
    for radius, fill in ((50, INK), (45, colour)):
        reach = [radius if step % 2 == 0 else radius * 0.74 for step in range(32)]
        turns = [math.tau * step / 32 for step in range(32)]
        pen.polygon([(50 + r * math.cos(a), 50 + r * math.sin(a)) for r, a in zip(reach, turns, strict=True)], fill)


def digger(pen: Pen) -> None:
    """The sign of a gold-digger: a miner's helmet with its lamp."""
    dome = [(50 + 44 * math.cos(a), 66 + 52 * math.sin(a)) for a in (math.pi * (1 + i / 16) for i in range(17))]
    pen.polygon(dome, INK)
    pen.polygon([(50 + (x - 50) * 0.84, 66 + (y - 66) * 0.86) for x, y in dome], GOLD)
    pen.polygon([(22, 62), (28, 38), (40, 26), (36, 44), (34, 62)], GOLD_LIGHT)
    pen.box(0, 60, 100, 90, INK, 14)
    pen.box(8, 68, 92, 82, GOLD_DARK, 7)
    pen.circle(50, 44, 23, PAPER, rim=7)
    pen.circle(50, 44, 8, GOLD_LIGHT)


def saboteur(pen: Pen) -> None:
    """The sign of a saboteur: a burning stick of dynamite."""
    pen.line([(50, 40), (54, 22), (70, 18)], 9, INK)
    for colour, grow in ((INK, 7), (BAD, 0)):
        pen.box(18 - grow, 40 - grow, 40 + grow, 92 + grow, colour, 6)
        pen.box(60 - grow, 40 - grow, 82 + grow, 92 + grow, colour, 6)
        pen.box(39 - grow, 36 - grow, 61 + grow, 94 + grow, colour, 6)
    pen.line([(39, 40), (39, 90)], 3, INK)
    pen.line([(61, 40), (61, 90)], 3, INK)
    pen.box(14, 58, 86, 72, INK, 3)
    pen.polygon(
        [(76, 2), (82, 12), (94, 10), (87, 20), (94, 30), (82, 28), (76, 38), (71, 27), (60, 24), (70, 14)], INK
    )
    pen.polygon([(76, 9), (80, 17), (87, 18), (82, 24), (76, 30), (73, 23), (68, 21)], GOLD)


ICONS: Final[dict[str, Callable[[Pen], None]]] = {
    **TOOLS,
    "nugget": nugget,
    "gold card": gold_card,
    "treasure": chest,
    "stone": boulder,
    "check": check,
    "eye": eye,
    "cards": cards,
    "map": chart,
    "rock": rock_fall,
    "D": digger,
    "S": saboteur,
}


@square_tile
def icon(pen: Pen, name: str) -> None:
    """A sign, `size` pixels square."""
    ICONS[name](pen)


@square_tile
def glory(pen: Pen) -> None:
    """The treasure that has been found: the chest in front of a star."""
    rays(pen, GOLD_LIGHT)
    chest(pen.inset(20, 20, 60, part=True))


@square_tile
def broken_tool(pen: Pen, tool: str) -> None:
    """A broken tool as it lies in front of a player: on red, with a crack through it."""
    pen.box(0, 0, 100, 100, shade("red", 0.72), 15, rim=6, outer=20)
    TOOLS[tool](pen.inset(8, 8, 84))
    for wide, colour in ((20, INK), (11, BAD)):
        pen.line([(14, 14), (86, 86)], wide, colour)


@square_tile
def mended_tool(pen: Pen, tool: str) -> None:
    """A tool that has been mended: on green, with a tick."""
    pen.box(0, 0, 100, 100, shade("green", 0.72), 15, rim=6, outer=20)
    TOOLS[tool](pen.inset(4, 4, 76))
    check(pen.inset(46, 46, 52, part=True))
