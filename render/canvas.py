"""The canvas: an image of palette indices for tiles, panels and labels, and its PNG file.

The image is one column wider than the picture. That column holds zeros: every row of a PNG begins with the number of
its filter, and 0 means none. So the encoder deflates the image's bytes as they are.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from PIL import Image, ImageDraw

from render import fonts, png
from render.cache import cached
from render.palette import PALETTE_BYTES, Colour, blank, index, mixed
from render.style import Marks
from render.tiles import Pen, Reading, Sprite

Anchor = Literal["left", "middle", "right"]

CAPITALS: Final = 0.7
"""Height of the fonts' capitals, as a share of the font size."""

_SHADES: Final = 3
"""Steps from the ground's colour to the letter's at the edges of text."""


@lru_cache(maxsize=1024)
def _shades(colour: Colour, ground: Colour) -> list[int]:
    """The palette index for every coverage, 0 to 255, of a letter of `colour` on `ground`."""
    steps = [index(mixed(ground, colour, step / _SHADES)) for step in range(_SHADES + 1)]
    return [steps[round(covered / 255 * _SHADES)] for covered in range(256)]


@cached
def label(text: str, size: int, colour: Colour, ground: Colour) -> tuple[Sprite, int, int]:
    """A line of text on its ground, and how far it reaches left of its start and above its baseline, in pixels."""
    room = fonts.width(text, size)
    above, below, side = round(1.25 * size), round(0.6 * size), size // 4
    mask = Image.new("L", (room + 2 * side, above + below), 0)
    at = float(side)
    for run in fonts.runs(text):
        face, letters = run
        if face is None:
            star = _star(size)
            mask.paste(star, (round(at), above - round((CAPITALS * size + star.height) / 2)))
        elif face in fonts.SHAPED or not at.is_integer():
            _write(mask, at, above, letters, face, size)
        else:
            for found in _WORD.finditer(letters):
                ink, left, high = _word(found[0], face, size)
                start = at + fonts.advance(fonts.Run(face, letters[: found.start()]), size)
                mask.paste(255, (int(start) - left, above - high), ink)
        at += fonts.advance(run, size)
    box = mask.getbbox() or (side, above - 1, side + 1, above)
    image = mask.crop(box).point(_shades(colour, ground))
    image.putpalette(PALETTE_BYTES)
    return Sprite(image), side - box[0], above - box[1]


_WORD: Final = re.compile(r"\S+")


@cached
def _word(word: str, face: str, size: int) -> tuple[Image.Image, int, int]:
    """The letters of a word, and how far they reach left of its start and above its baseline, in pixels.

    Lines are new on every picture, their words seldom. No letter of these faces begins within a pixel.
    """
    room = round(fonts.advance(fonts.Run(face, word), size))
    mask = Image.new("L", (room + 2 * size, 3 * size), 0)
    _write(mask, size, 2 * size, word, face, size)
    left, high, right, low = mask.getbbox() or (0, 0, 1, 1)
    return mask.crop((left, high, right, low)), size - left, 2 * size - high


def _write(mask: Image.Image, x: float, y: float, letters: str, face: str, size: int) -> None:
    """Draw letters of one face from a point of their baseline."""
    chosen, wide = fonts.font(face, size), fonts.stroke(face, size)
    ImageDraw.Draw(mask).text((x, y), letters, fill=255, font=chosen, anchor="ls", stroke_width=wide)


@cache
def _star(size: int) -> Image.Image:
    """The mark for characters that no font has: a four-pointed star."""
    edge = round(fonts.MARK_WIDTH * size)
    large = Image.new("L", (edge * 4, edge * 4), 0)
    middle, long, short = edge * 2, edge * 1.7, edge * 0.55
    points = [(0, -long), (short, -short), (long, 0), (short, short), (0, long), (-short, short), (-long, 0)]
    points.append((-short, -short))
    ImageDraw.Draw(large).polygon([(middle + x, middle + y) for x, y in points], fill=255)
    return large.reduce(4)


@cached
def _corner(radius: int, fill: Colour, ground: Colour) -> tuple[Sprite, ...]:
    """The four corners of a panel, from the upper left clockwise."""
    pen = Pen(radius, radius, radius, ground)
    pen.circle(radius, radius, radius, fill)
    image = pen.tile().image
    turns = (None, *(Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90))
    return tuple(Sprite(image if turn is None else image.transpose(turn)) for turn in turns)


Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels; right and bottom are exclusive."""


class Placed(NamedTuple):
    """A label on a canvas: its upper left corner and what was drawn, so that tests needn't search pixels for text."""

    x: int
    y: int
    label: Sprite
    text: str
    size: int
    colour: Colour
    ground: Colour

    @property
    def box(self) -> Box:
        """The rectangle of its ink."""
        return self.x, self.y, self.x + self.label.width, self.y + self.label.height


class Told(NamedTuple):
    """What tells an action: its number among those since the last picture, the place of its mark, its rectangle.

    A caption has no place.
    """

    number: int
    place: str
    box: Box


class Canvas:
    """A picture in the making, `width` × `height` pixels, never exactly square (P21).

    `done` are the marks of the actions that it tells, which have numbers if there are several.
    """

    def __init__(self, width: int, height: int, ground: Colour, done: Marks = ()) -> None:
        self.width = width
        self.height = height + 2 if height == width else height
        self.image = blank((self.width + 1, self.height), ground)
        self.image.paste(0, (0, 0, 1, self.height))
        self._pixels = self.image.im
        self.labels: list[Placed] = []
        self.readings: list[tuple[int, int, Reading]] = []
        """Everything that has to be legible, texts and tiles, with its middle in pixels."""
        self.done = done
        self.numbered = len({mark.number for mark in done if mark.number > 0}) > 1
        self.told: list[Told] = []
        """Every mark and caption of an action, in the order in which they were drawn."""
        self.overviews: list[Box] = []
        """Left, top, right and bottom of every overview: its content is also shown larger."""
        self._seams: set[int] = set()

    def px(self, length: float) -> int:
        """Convert a length of the design, which is 1200 wide, to pixels of this picture."""
        return round(length * self.width / 1200)

    def put(self, tile: Sprite, x: int, y: int) -> None:
        """Paste a tile with its upper left corner at a pixel, and note that it has to be legible."""
        width, height = tile.image.size
        edge = min(width, height)
        reading = tile.reading if tile.reading and tile.reading.size < edge else Reading("a tile", edge)
        self.readings.append((x + width // 2, y + height // 2, reading))
        self.paste(tile, x, y)

    def paste(self, tile: Sprite, x: int, y: int) -> None:
        """Paste a tile that needn't be legible by itself: a label, a corner of a panel, a background."""
        image, mask, _ = tile
        if x < 0:
            box = (-x, 0, image.width, image.height)
            image, mask = image.crop(box), mask.crop(box) if mask else None
            x = 0
        width, height = image.size
        box = (x + 1, y, x + 1 + width, y + height)
        # `Image.paste` first checks whether the images are loaded, which takes ten times as long as pasting.
        if mask is None:
            self._pixels.paste(image.im, box)
        else:
            self._pixels.paste(image.im, box, mask.im)

    def centre(self, tile: Sprite, x: int, y: int) -> None:
        """Put a tile with its middle at a pixel."""
        self.put(tile, x - tile.width // 2, y - tile.height // 2)

    def fill(self, x0: int, y0: int, x1: int, y1: int, colour: Colour) -> None:
        """Fill a rectangle; `x1` and `y1` are exclusive."""
        if x1 > x0 and y1 > y0:
            self._pixels.paste(index(colour), (max(x0, 0) + 1, y0, x1 + 1, y1))

    def panel(self, x0: int, y0: int, x1: int, y1: int, colour: Colour, ground: Colour, radius: int) -> None:
        """Fill a rectangle with round, smooth corners on `ground`."""
        radius = min(radius, (x1 - x0) // 2, (y1 - y0) // 2)
        self.fill(x0, y0, x1, y1, colour)
        if radius > 0:
            corners = _corner(radius, colour, ground)
            self.paste(corners[0], x0, y0)
            self.paste(corners[1], x1 - radius, y0)
            self.paste(corners[2], x1 - radius, y1 - radius)
            self.paste(corners[3], x0, y1 - radius)

    def frame(self, x0: int, y0: int, x1: int, y1: int, wide: int, colour: Colour) -> None:
        """Draw the outline of a rectangle, inside it."""
        self.fill(x0, y0, x1, y0 + wide, colour)
        self.fill(x0, y1 - wide, x1, y1, colour)
        self.fill(x0, y0, x0 + wide, y1, colour)
        self.fill(x1 - wide, y0, x1, y1, colour)

    def text(
        self,
        x: int,
        y: int,
        text: str,
        size: int,
        colour: Colour,
        ground: Colour,
        anchor: Anchor = "left",
        room: int | None = None,
    ) -> int:
        """Draw one line of text, its capitals centred on `y`, shortened to `room` pixels. Returns its width."""
        if room is not None:
            text = fonts.fitted(text, size, room)
        wide = fonts.width(text, size)
        image, before, above = label(text, size, colour, ground)
        left = x if anchor == "left" else x - wide if anchor == "right" else x - wide // 2
        placed = Placed(left - before, y + round(CAPITALS * size / 2) - above, image, text, size, colour, ground)
        self.paste(placed.label, placed.x, placed.y)
        self.readings.append((placed.x + image.width // 2, y, Reading(text, size)))
        self.labels.append(placed)
        return wide

    def cover(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """Forget what was written and put in a rectangle, because the caller draws something else there."""
        self.labels = [each for each in self.labels if not (x0 <= each.x < x1 and y0 <= each.y < y1)]
        self.readings = [each for each in self.readings if not (x0 <= each[0] < x1 and y0 <= each[1] < y1)]
        self.told = [each for each in self.told if not (x0 <= each.box[0] < x1 and y0 <= each.box[1] < y1)]

    def seam(self, y: int) -> None:
        """Note that a part of the picture begins at row `y`. In the next picture it may begin at another row."""
        self._seams.add(y)

    def png(self, *, once: bool = False) -> bytes:
        """The picture as a PNG file. `once`: no other picture will be much like it."""
        return png.encode(self.width, self.height, self.image.tobytes(), PALETTE_BYTES, self._seams, once=once)
