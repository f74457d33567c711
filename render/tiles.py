"""Drawing of tiles: shapes at several times the final size, reduced once to palette indices.

A tile is drawn in units of its own (a card is 100 wide whatever its size on the picture), so the same drawing serves
the hand and the board. An opaque tile is drawn on the colour that it will lie on, so its edges are smooth. A tile
without a ground can lie on anything. Its edges are hard, so it is drawn with a dark outline.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, Final, NamedTuple, ParamSpec

from PIL import Image, ImageDraw, ImageFont

from render import fonts
from render.cache import cached
from render.palette import INK, Colour, reduced

SUPERSAMPLE: Final = 4
"""How many times as large as the final tile the drawing is."""

P = ParamSpec("P")
Point = tuple[float, float]


class Reading(NamedTuple):
    """Something that has to be legible: a text or a sign, and its height in pixels (of a text its font size)."""

    what: str
    size: float


class Sprite(NamedTuple):
    """A tile: palette indices, a `mask` of the pixels drawn (``None``: all), and the smallest `reading` in it."""

    image: Image.Image
    mask: Image.Image | None = None
    reading: Reading | None = None

    @property
    def width(self) -> int:
        """Width in pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """Height in pixels."""
        return self.image.height


class Pen:
    """Draws one tile of `width` × `height` pixels. It is `units` wide in the units of the methods.

    `ground` fills the tile first; ``None`` leaves it transparent.
    """

    def __init__(self, width: int, height: int, units: float, ground: Colour | None) -> None:
        self.width = width
        self.scale = width * SUPERSAMPLE / units
        self._origin = (0.0, 0.0)
        size = width * SUPERSAMPLE, height * SUPERSAMPLE
        self.image = Image.new("RGB", size, ground) if ground else Image.new("RGBA", size, (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.image)
        self._opaque = ground is not None
        self._colours: set[Colour] = {ground} if ground else set()
        self._readings: list[Reading] = []

    def inset(self, x: float, y: float, size: float, *, part: bool = False) -> Pen:
        """A pen for a sign in the same tile: its units 0 to 100 are the square of `size` that begins at a point.

        `part`: it draws a part of a sign, which needn't be legible by itself.
        """
        if not part:
            self._readings.append(Reading("a sign", size * self.scale / SUPERSAMPLE))
        other = object.__new__(Pen)
        other.__dict__.update(self.__dict__)
        other._origin = self._at(x, y)
        other.scale = self.scale * size / 100
        return other

    def expect(self, colour: Colour) -> None:
        """Reduce the tile as if this colour were drawn on it, because what is drawn in it will lie there."""
        self._colours.add(colour)

    def _at(self, x: float, y: float) -> Point:
        return self._origin[0] + x * self.scale, self._origin[1] + y * self.scale

    def polygon(self, points: Sequence[Point], fill: Colour, grow: float = 0) -> None:
        """Draw a filled polygon, enlarged by `grow` on all sides, with round corners."""
        if grow:
            self.line([*points, points[0]], 2 * grow, fill)
        self._colours.add(fill)
        self._draw.polygon([self._at(x, y) for x, y in points], fill=fill)

    def line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line through `points`, with round ends and corners."""
        row = [self._at(x, y) for x, y in points]
        self._colours.add(fill)
        thick = max(1, round(width * self.scale))
        self._draw.line(row, fill=fill, width=thick)
        radius = thick / 2
        for x, y in row:
            self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)

    def oval(self, x: float, y: float, wide: float, high: float, fill: Colour, *, rim: float = 0) -> None:
        """Draw a filled ellipse around a centre; `wide` and `high` are half its width and half its height.

        `rim`: the width of a dark rim inside it.
        """
        if rim:
            self.oval(x, y, wide, high, INK)
            wide, high = wide - rim, high - rim
        self._colours.add(fill)
        self._draw.ellipse((*self._at(x - wide, y - high), *self._at(x + wide, y + high)), fill=fill)

    def circle(self, x: float, y: float, radius: float, fill: Colour, *, rim: float = 0) -> None:
        """Draw a filled circle, with a dark `rim` inside it."""
        self.oval(x, y, radius, radius, fill, rim=rim)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, width: float, fill: Colour) -> None:
        """Draw an arc from one angle to another, in degrees clockwise from the right."""
        steps = max(2, math.ceil(abs(end - start) / 8))
        angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
        self.line([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], width, fill)

    def box(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        fill: Colour,
        radius: float = 0,
        *,
        rim: float = 0,
        outer: float = 0,
    ) -> None:
        """Draw a filled rectangle, with round corners of `radius`.

        `rim`: the width of a dark rim inside it, whose own corners have the radius `outer`.
        """
        if rim:
            self.box(x0, y0, x1, y1, INK, outer)
            x0, y0, x1, y1 = x0 + rim, y0 + rim, x1 - rim, y1 - rim
        self._colours.add(fill)
        (left, top), (right, bottom) = self._at(x0, y0), self._at(x1, y1)
        # Pillow includes the last pixel. Here, a box from 0 to 10 is 10 wide.
        corners = (left, top, max(left, right - 1), max(top, bottom - 1))
        if radius:
            self._draw.rounded_rectangle(corners, radius * self.scale, fill=fill)
        else:
            self._draw.rectangle(corners, fill=fill)

    def text(self, x: float, y: float, text: str, size: float, fill: Colour) -> None:
        """Draw text with its ink centred on a point. One face has to have all its letters."""
        self._colours.add(fill)
        self._readings.append(Reading(text, round(size * self.scale) / SUPERSAMPLE))
        face, letters, wide = self._set(text, size)
        left, top, right, bottom = face.getbbox(letters, anchor="ls")
        across, down = self._at(x, y)
        at = (across - (left + right) / 2, down - (top + bottom) / 2)
        self._draw.text(at, letters, fill=fill, font=face, anchor="ls", stroke_width=wide)

    def measure(self, text: str, size: float) -> tuple[float, float]:
        """Width and height of a text's ink, in units."""
        face, letters, wide = self._set(text, size)
        left, top, right, bottom = face.getbbox(letters, anchor="ls")
        return (right - left + 2 * wide) / self.scale, (bottom - top + 2 * wide) / self.scale

    def _set(self, text: str, size: float) -> tuple[ImageFont.FreeTypeFont, str, int]:
        """The font of a text, its letters in drawing order, and the width of the stroke around them."""
        run, pixels = fonts.runs(text)[0], round(size * self.scale)
        face = run.face or fonts.FACES[0]
        return fonts.font(face, pixels), run.text, fonts.stroke(face, pixels)

    def tile(self) -> Sprite:
        """The finished tile: the drawing reduced to its final size and to the palette."""
        small = self.image.reduce(SUPERSAMPLE)
        reading = min(self._readings, key=lambda each: each.size, default=None)
        if self._opaque:
            return Sprite(reduced(small, self._colours), None, reading)
        mask = small.getchannel("A").point([0] * 128 + [255] * 128).convert("1")
        return Sprite(reduced(small.convert("RGB"), self._colours), mask, reading)


Drawing = Callable[Concatenate[Pen, P], None]
Drawn = Callable[Concatenate[int, Colour | None, P], Sprite]


def tile(high: int) -> Callable[[Drawing[P]], Drawn[P]]:
    """Decorate a drawing, 100 units wide and `high` units high: turn it into a cached function that returns its tile.

    The function takes the tile's width in pixels and its ground (``None``: transparent), then the arguments of the
    drawing.
    """

    def decorated(draw: Drawing[P]) -> Drawn[P]:
        @cached
        @wraps(draw)
        def drawn(width: int, ground: Colour | None, /, *args: P.args, **kwargs: P.kwargs) -> Sprite:
            pen = Pen(width, width * high // 100, 100, ground)
            draw(pen, *args, **kwargs)
            return pen.tile()

        return drawn

    return decorated


square_tile: Final = tile(100)
