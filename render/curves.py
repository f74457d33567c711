"""The score of two players as curves over the course of a match, one column for each duel, turn or round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from render.cache import cached
from render.canvas import Canvas
from render.frame import Mood
from render.palette import INK, PAPER, Colour, mixed, shade
from render.tiles import Pen, Sprite

Scores = tuple[tuple[int, int], ...]
"""Both players' points after each column."""

_INSET: Final = 0.1
"""Room above the highest point and below zero, as a share of the height."""

_RIGHT: Final = 0.99
_BAND: Final = shade("gold", 0.7)


def column(number: int, columns: int, left: int, wide: int) -> int:
    """The middle of a column, from 1 on, in pixels; of number 0 the left edge of the first one."""
    return round(left + max(0.0, number - 0.5) * (wide * _RIGHT - left) / columns)


def _grid(most: int) -> int:
    """From one line of the grid to the next, in points."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100) if most <= 4 * step)


def _row(points: int, most: int, high: int) -> float:
    inset = high * _INSET
    return high - inset - (high - 2 * inset) * points / most


@cached
def _drawn(
    wide: int,
    high: int,
    left: int,
    columns: int,
    scores: Scores,
    low: int,
    colours: tuple[Colour, Colour],
    ground: Colour,
) -> Sprite:
    pen, most = Pen(wide, high, wide, ground), _most(scores)
    for points in range(0, most + 1, _grid(most)):
        y = _row(points, most, high)
        pen.line([(left, y), (wide, y)], wide / 400, mixed(ground, PAPER, 0.25))
    if low:
        x, half = column(low, columns, left, wide), wide * 0.3 / columns
        pen.box(x - half, 0, x + half, high, mixed(ground, _BAND, 0.3), 12)
    small = wide / 120
    # The curve of whoever is ahead in the end lies on top.
    for seat in sorted((1, 0), key=lambda seat: scores[-1][seat] if scores else 0):
        corners = [
            (column(number, columns, left, wide), _row(pair[seat], most, high))
            for number, pair in enumerate(((0, 0), *scores))
        ]
        pen.line(corners, wide / 70, INK)
        pen.line(corners, wide / 105, colours[seat])
        for x, y in corners[1:]:
            for size, colour in ((small * 1.5, INK), (small, colours[seat])):
                if seat:
                    pen.box(x - size, y - size, x + size, y + size, colour, size / 3)
                else:
                    pen.circle(x, y, size * 1.15, colour)
    return pen.tile()


def _most(scores: Sequence[tuple[int, int]]) -> int:
    """The points at the top."""
    return max(4, *(max(pair) for pair in ((0, 0), *scores)))


def draw(
    canvas: Canvas,
    mood: Mood,
    top: int,
    high: int,
    left: int,
    columns: int,
    scores: Scores,
    low: int,
    colours: tuple[Colour, Colour],
    ground: Colour,
) -> None:
    """Draw both curves, `high` pixels high, with the scale in the `left` pixels.

    The first player's points are round, the second's square, as their badges are. `low`: the column on a bright band.
    """
    canvas.seam(top)
    canvas.paste(_drawn(canvas.width, high, left, columns, scores, low, colours, ground), 0, top)
    most = _most(scores)
    for points in range(0, most + 1, _grid(most)):
        y = top + round(_row(points, most, high))
        canvas.text(left - canvas.px(16), y, str(points), canvas.px(38), mood.plate_dim, ground, "right")
