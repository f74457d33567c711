"""Marks on a picture: numbered or named places, and in illustrations of the rules arrows and crosses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from render.cache import cached
from render.canvas import Canvas
from render.palette import INK, PAPER, shade
from render.style import Mark
from render.tiles import Pen, Sprite, square_tile


class Spot(NamedTuple):
    """A place on a canvas: its middle, and the size of a mark there, in pixels.

    `small`: a mark in the middle would hide what lies there, so a mark with `aside` stands beside it. Other marks stand
    `shift` pixels from the middle. `corner` is how far from the middle the mark of an action stands.
    """

    x: int
    y: int
    size: int
    small: bool = True
    shift: tuple[int, int] = (0, 0)
    corner: tuple[int, int] = (0, 0)


TICK: Final = "✓"
"""The name of a mark that says: this one."""

Find = Callable[[str], Spot | None]
"""Finds a place of a picture by its notation; gives ``None`` for a place that the picture doesn't show."""


def draw_marks(canvas: Canvas, marks: Sequence[Mark], find: Find) -> None:
    """Draw arrows from middle to middle, then numbers and crosses."""
    marks = [mark for mark in marks if mark.seat is None]
    for mark in marks:
        if mark.towards is not None:
            _draw_arrow(canvas, find(mark.place), find(mark.towards))
    for mark in marks:
        spot = find(mark.place) if mark.towards is None else None
        if spot is not None:
            aside = mark.aside and spot.small
            size = spot.size * 7 // 8 if aside else spot.size
            across, down = (spot.size * 5 // 8, -spot.size * 5 // 8) if aside else spot.shift
            text = mark.name or (str(mark.number) if mark.number else "")
            tile = text_mark(size, None, text) if text else cross_mark(size, None)
            canvas.centre(tile, spot.x + across, spot.y + down)


def _draw_arrow(canvas: Canvas, start: Spot | None, end: Spot | None) -> None:
    """Draw an arrow that doesn't hide what stands at its start, and hides little of what stands at its end."""
    if start is None or end is None or start[:2] == end[:2]:
        return
    across, down = end.x - start.x, end.y - start.y
    away = start.size / math.hypot(across, down)
    before, behind = min(0.4, 0.75 * away), min(0.2, 0.4 * away)
    middle, part = (1 + before - behind) / 2, 1 - before - behind
    x, y = round(start.x + across * middle), round(start.y + down * middle)
    canvas.centre(_arrow(round(across * part), round(down * part), max(6, start.size // 6)), x, y)


@square_tile
def text_mark(pen: Pen, text: str) -> None:
    """The number or the short name of a legal place: ink on a light disc, `size` pixels square."""
    pen.circle(50, 50, 49, shade("gold", 0.95), rim=6)
    if text == TICK:
        # No font has it.
        pen.line([(26, 52), (44, 70), (76, 32)], 13, INK)
        return
    pen.text(50, 50, text, 62 if len(text) == 1 else 58 if len(text) == 2 else 38, INK)


@square_tile
def tab(pen: Pen, number: int) -> None:
    """The number of an action: ink on a light disc."""
    pen.circle(50, 50, 49, shade("gold", 0.95), rim=6)
    pen.text(50, 50, str(number), 82 if number < 10 else 62, INK)


SIGNS = PASS, CHOICE, CARD, GOLD = "pass", "choice", "card", "gold"
"""The signs of what a player has done that no place of the board shows."""


@square_tile
def sign(pen: Pen, name: str) -> None:
    """One of these signs on a disc."""
    pen.circle(50, 50, 49, PAPER, rim=7)
    if name == PASS:
        pen.box(22, 42, 78, 58, INK, 6)
    elif name == CHOICE:
        pen.line([(28, 52), (44, 68), (74, 34)], 12, INK)
    elif name == CARD:
        pen.box(32, 22, 68, 78, shade("brown", 0.75), 5, rim=6, outer=9)
    else:
        pen.circle(50, 50, 27, shade("gold", 0.72), rim=7)


@square_tile
def cross_mark(pen: Pen) -> None:
    """The mark of a forbidden place: a cross on a red disc, `size` pixels square."""
    pen.circle(50, 50, 49, shade("red", 0.4), rim=6)
    for start, end in ((30, 70), (70, 30)):
        pen.line([(30, start), (70, end)], 13, PAPER)


@cached
def _arrow(across: int, down: int, wide: int) -> Sprite:
    """An arrow over a distance in pixels, centred in the tile; its line is `wide` pixels wide."""
    edge = 3 * wide
    width, height = abs(across) + 2 * edge, abs(down) + 2 * edge
    pen = Pen(width, height, width, None)
    start = (edge + max(-across, 0), edge + max(-down, 0))
    tip = (start[0] + across, start[1] + down)
    length = math.hypot(across, down)
    ax, ay = across / length, down / length
    back = (tip[0] - ax * 2.2 * wide, tip[1] - ay * 2.2 * wide)
    for rim, colour in ((0.45 * wide, INK), (0.0, PAPER)):
        half = 1.4 * wide + 1.6 * rim
        heel, point = (back[0] - ax * rim, back[1] - ay * rim), (tip[0] + ax * 2 * rim, tip[1] + ay * 2 * rim)
        pen.line([start, back], wide + 2 * rim, colour)
        pen.polygon(
            [point, (heel[0] - ay * half, heel[1] + ax * half), (heel[0] + ay * half, heel[1] - ax * half)], colour
        )
    return pen.tile()
