"""The one palette of every picture: families of colours, each a ramp from dark to light.

The families are data (`FAMILIES`): key colours and a number of shades, mixed evenly in OKLab so that the shades of a
ramp look evenly spaced. All art is drawn in these colours and reduced to them once, without dithering; a picture is
an image of palette indices from the canvas to the file.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from PIL import Image

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

FAMILIES: Final[dict[str, tuple[int, tuple[str, ...]]]] = {
    # Shared: print and warm light, and the hues of players, suits and pieces.
    "ink": (20, ("14100e", "4a423b", "9c9184", "d9cfbf", "fffaf0")),
    "slate": (10, ("10151c", "39434f", "7f8b98", "d7dee5")),
    "red": (10, ("2b0508", "8f1720", "dd3b35", "ff8a73", "ffd9cc")),
    "orange": (10, ("301202", "9a4708", "ef8322", "ffbb70", "ffe8cc")),
    "gold": (12, ("2e1a02", "8a5706", "dfa016", "ffd452", "fff4c4")),
    "green": (12, ("06200f", "14602f", "3aa354", "8fd98b", "defbd3")),
    "teal": (10, ("02211f", "0a635d", "22aa9c", "82e0d0", "d8fbf2")),
    "blue": (12, ("06122f", "173f8f", "3d7ee6", "8fbcff", "dcecff")),
    "purple": (10, ("1a0a33", "52288f", "8f5bd8", "c3a2ff", "ecdfff")),
    "pink": (10, ("2e0620", "8c1f62", "de559f", "ff9fcd", "ffdfee")),
    "brown": (10, ("1c0f06", "54301a", "8f5c36", "c69a6c", "ecd5b4")),
    # The mine: rock and the floor of tunnels.
    "rock": (16, ("120e0d", "2d2523", "51453f", "7d6c60", "b09c8a")),
    "earth": (14, ("2a170a", "704420", "b98342", "e5bd78", "fbe8bb")),
    # The deep sea.
    "sea": (18, ("020b18", "07304f", "12658a", "4eb0c4", "c4f0ee")),
    # The paper maze.
    "paper": (12, ("6f5f47", "a99676", "d8c8a6", "f3e9d2", "fdf9ee")),
    # The desk toy.
    "felt": (10, ("0c1f24", "1d4a4d", "3d7a72", "8db9a5")),
    # The jungle path.
    "jungle": (16, ("07160c", "1b4223", "437a31", "8fb84a", "e0ec9c")),
}


def _decode(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _encode(value: float) -> int:
    value = min(1.0, max(0.0, value))
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def oklab(colour: Colour) -> tuple[float, float, float]:
    """Lightness (0 to 1) and the two colour axes of a colour in OKLab, where equal steps look equally large."""
    r, g, b = (_decode(channel) for channel in colour)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _from_oklab(lightness: float, a: float, b: float) -> Colour:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _encode(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        _encode(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        _encode(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """The colour that lies `share` (0 to 1) of the way from the first to the second, in OKLab."""
    pairs = zip(oklab(first), oklab(second), strict=True)
    lightness, a, b = (one + (two - one) * share for one, two in pairs)
    return _from_oklab(lightness, a, b)


def _ramp(count: int, keys: tuple[str, ...]) -> tuple[Colour, ...]:
    colours = [(int(key[:2], 16), int(key[2:4], 16), int(key[4:], 16)) for key in keys]
    shades = []
    for step in range(count):
        position = step * (len(colours) - 1) / (count - 1)
        before = min(int(position), len(colours) - 2)
        shades.append(mixed(colours[before], colours[before + 1], position - before))
    return tuple(shades)


RAMPS: Final[dict[str, tuple[Colour, ...]]] = {name: _ramp(*family) for name, family in FAMILIES.items()}

PALETTE: Final[tuple[Colour, ...]] = tuple(colour for ramp in RAMPS.values() for colour in ramp)
"""Every colour by its index in the pictures."""

if len(PALETTE) > 256:
    raise ValueError(f"The palette has {len(PALETTE)} colours; a palette image can have 256.")

PALETTE_BYTES: Final = bytes(channel for colour in PALETTE for channel in colour)


def shade(family: str, lightness: float) -> Colour:
    """The colour of a family at `lightness`, 0 (its darkest) to 1 (its lightest)."""
    ramp = RAMPS[family]
    return ramp[round(min(1.0, max(0.0, lightness)) * (len(ramp) - 1))]


INK: Final = shade("ink", 0)
"""The dark of outlines."""

PAPER: Final = shade("ink", 1)
"""The light of print."""


@cache
def index(colour: Colour) -> int:
    """The index of the palette's colour that looks nearest to `colour`."""
    lightness, a, b = oklab(colour)
    return min(
        range(len(_LAB)),
        key=lambda i: (_LAB[i][0] - lightness) ** 2 + (_LAB[i][1] - a) ** 2 + (_LAB[i][2] - b) ** 2,
    )


_LAB: Final = tuple(oklab(colour) for colour in PALETTE)


@lru_cache(maxsize=1024)
def _between(colours: frozenset[Colour]) -> bytes:
    """Return the indices, in ascending order, of `colours` and of mixtures of two of them.

    If ink is among the colours, outlines are drawn in it, so mixtures with ink and with paper are enough.
    """
    ends = sorted(colours)
    found = {index(colour) for colour in ends}
    found.update(
        index(mixed(one, two, 0.5))
        for one, two in combinations(ends, 2)
        if INK not in colours or not {one, two}.isdisjoint((INK, PAPER))
    )
    return bytes(sorted(found))


@lru_cache(maxsize=32)
def _own(indices: bytes) -> Image.Image:
    """Return an image with a palette of these colours only. Pillow keeps half a megabyte of nearest colours with it."""
    image = Image.new("P", (1, 1))
    own = b"".join(PALETTE_BYTES[3 * i : 3 * i + 3] for i in indices)
    # The last colour is repeated. Filling the palette up with black would add a colour.
    image.putpalette(own + own[-3:] * (256 - len(indices)))
    return image


def reduced(image: Image.Image, colours: Iterable[Colour]) -> Image.Image:
    """Reduce an RGB image drawn in `colours` to palette indices, without dithering.

    Every pixel becomes the nearest of the colours and their mixtures. That is smooth enough for edges and brings no
    stray hues. The file is more than a tenth smaller than with the nearest colours of the whole palette.
    """
    indices = _between(frozenset(colours))
    near = image.quantize(palette=_own(indices), dither=Image.Dither.NONE)
    out = Image.frombytes("P", near.size, near.tobytes().translate(indices.ljust(256, indices[-1:])))
    out.putpalette(PALETTE_BYTES)
    return out


def blank(size: tuple[int, int], colour: Colour) -> Image.Image:
    """A palette image of one colour."""
    image = Image.new("P", size, index(colour))
    image.putpalette(PALETTE_BYTES)
    return image
