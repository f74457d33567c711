"""How colours look to people with colour vision deficiencies, and how far apart two colours look.

The matrices are those of Machado, Oliveira and Fernandes, *A Physiologically-based Model for Simulation of Color Vision
Deficiency* (2009), for a missing kind of cone; they apply to linear light. Replacing the palette of a picture simulates
them.
"""

from math import dist
from typing import Final

from PIL import Image

from render.palette import PALETTE, Colour, oklab

Matrix = tuple[tuple[float, float, float], ...]

_IDENTITY: Final[Matrix] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_LUMINANCE: Final = (0.2126, 0.7152, 0.0722)

VISIONS: Final[dict[str, Matrix]] = {
    "usual": _IDENTITY,
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "greyscale": (_LUMINANCE, _LUMINANCE, _LUMINANCE),
}
"""Matrices for red, green and blue light."""


def linear(channel: int) -> float:
    """The linear light, 0 to 1, of a channel of an sRGB colour."""
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _channel(light: float) -> int:
    light = min(1.0, max(0.0, light))
    return round(255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))


def luminance(colour: Colour) -> float:
    """How light a colour is, 0 to 1, as WCAG 2 measures it."""
    return sum(share * linear(channel) for share, channel in zip(_LUMINANCE, colour, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2 measures it."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen(colour: Colour, vision: str) -> Colour:
    """A colour as it looks with one of the `VISIONS`."""
    light = [linear(channel) for channel in colour]
    r, g, b = (sum(m * c for m, c in zip(row, light, strict=True)) for row in VISIONS[vision])
    return _channel(r), _channel(g), _channel(b)


def apart(one: Colour, other: Colour, vision: str = "usual") -> float:
    """The distance of two colours in OKLab, where about 0.02 is just noticeable."""
    return dist(oklab(seen(one, vision)), oklab(seen(other, vision)))


def picture(image: Image.Image, vision: str) -> Image.Image:
    """A picture with our palette as it looks with one of the `VISIONS`."""
    other = image.copy()
    other.putpalette(bytes(channel for colour in PALETTE for channel in seen(colour, vision)))
    return other.convert("RGB")
