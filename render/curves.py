"""The score of two players as curves over the course of a match, one column for each duel, turn or round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from render.cache import cached
from render.canvas import Canvas
from render.frame import Mood
from render.palette import INK, PAPER, Colour, mixed, shade
from render.style import Style
from render.tiles import Pen, Sprite

Scores = tuple[tuple[int, int], ...]
"""Both players' points after each column."""


class Look(NamedTuple):
    """How the curves of a game look.

    `scale`: the width of the scale on their left, in units of the design. `colours` are those of both players.
    """

    columns: int
    scale: int
    colours: tuple[Colour, Colour]
    ground: Colour

    def left(self, wide: int) -> int:
        """The left edge of the first column, in a picture of this width."""
        return Style(wide).px(self.scale)

    def column(self, number: int, wide: int) -> int:
        """The middle of column `number`, from 1 on, in pixels. For 0, the left edge of column 1."""
        left = self.left(wide)
        return round(left + max(0.0, number - 0.5) * (wide * _RIGHT - left) / self.columns)


_INSET: Final = 0.1
"""Room above the highest point and below zero, as a share of the height."""

_RIGHT: Final = 0.99
_BAND: Final = shade("gold", 0.7)


def _grid(most: int) -> int:
    """The distance between neighbouring lines of the grid, in points."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100) if most <= 4 * step)


def _row(points: int, most: int, high: int) -> float:
    inset = high * _INSET
    return high - inset - (high - 2 * inset) * points / most


@cached
def _drawn(wide: int, high: int, look: Look, scores: Scores, low: int) -> Sprite:
    pen, most, ground = Pen(wide, high, wide, look.ground), _most(scores), look.ground
    for points in range(0, most + 1, _grid(most)):
        y = _row(points, most, high)
        pen.line([(look.left(wide), y), (wide, y)], wide / 400, mixed(ground, PAPER, 0.25))
    if low:
        x, half = look.column(low, wide), wide * 0.3 / look.columns
        pen.box(x - half, 0, x + half, high, mixed(ground, _BAND, 0.3), 12)
    small = wide / 120
    # The curve of whoever is ahead in the end lies on top.
    for seat in sorted((1, 0), key=lambda seat: scores[-1][seat] if scores else 0):
        corners = [
            (look.column(number, wide), _row(pair[seat], most, high)) for number, pair in enumerate(((0, 0), *scores))
        ]
        pen.line(corners, wide / 70, INK)
        pen.line(corners, wide / 105, look.colours[seat])
        for x, y in corners[1:]:
            for size, colour in ((small * 1.5, INK), (small, look.colours[seat])):
                if seat:
                    pen.box(x - size, y - size, x + size, y + size, colour, size / 3)
                else:
                    pen.circle(x, y, size * 1.15, colour)
    return pen.tile()


def _most(scores: Sequence[tuple[int, int]]) -> int:
    """The points at the top."""
    return max(4, *(max(pair) for pair in ((0, 0), *scores)))


def draw(canvas: Canvas, mood: Mood, look: Look, top: int, high: int, scores: Scores, low: int) -> None:
    """Draw both curves, `high` pixels high, with the scale on their left.

    The first player's points are round, the second's square, as their badges are. `low`: the column on a bright band.
    """
    canvas.seam(top)
    canvas.paste(_drawn(canvas.width, high, look, scores, low), 0, top)
    most, right = _most(scores), look.left(canvas.width) - canvas.px(16)
    for points in range(0, most + 1, _grid(most)):
        y = top + round(_row(points, most, high))
        canvas.text(right, y, str(points), canvas.px(38), mood.plate_dim, look.ground, "right")
