"""An encoder of canvases as an animated GIF. Our palette is the GIF's palette, so no frame loses a colour.

Of every frame, only the rectangle that has changed is written. Runs of unchanged pixels in it are transparent: they
compress well. Pillow compresses the pixels (its LZW is written in C). The rest of the file is written here,
because Pillow's writer for animations converts every frame to RGB to compare it, which is a hundred times as slow.
gifsicle would make somewhat smaller files, but it is a program and can't be installed from the Python index.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PIL import GifImagePlugin, Image, ImageChops

from render.canvas import Canvas
from render.palette import PALETTE, PALETTE_BYTES

MAX_BYTES: Final = 8_000_000
"""Most bytes of an animation: chats take no larger files from people who pay nothing."""

MAX_FRAMES: Final = 240
"""Most frames: more than any match of Saboteur has. Some boards of longer matches are left out."""

_WHOLE: Final = 12_000
"""Hundredths of a second for the whole animation, as far as `_SHORTEST` and `_SLOWEST` allow."""

_SHORTEST, _SLOWEST, _STOP, _LAST = 60, 140, 320, 600
"""Hundredths of a second for a frame: at least, at most, for one to stop at, and for the last one."""

_COLOURS: Final = 256
_TRANSPARENT: Final = 255
_UNCHANGED: Final = [255] + [0] * 255
"""Maps the difference of two pixels to 255 if they are the same, else to 0: a mask of unchanged pixels."""

_RUN: Final = 12
"""How many unchanged pixels side by side become transparent, at least. Shorter runs would break up patterns."""

_LOOP: Final = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
_EXTENSION, _END = 0x21, b"\x3b"
_LONGEST: Final = 0xFFFF

if len(PALETTE) > _TRANSPARENT:
    raise ValueError(f"The palette has {len(PALETTE)} colours and leaves no index for what is transparent.")


class Stopped(Exception):
    """Nobody waits for the animation any more."""


class TooLarge(Exception):
    """The animation exceeds its limit of bytes."""


class Frame(NamedTuple):
    """A picture, painted on demand, and how many hundredths of a second it is shown."""

    paint: Callable[[], Canvas]
    delay: int


def delays(stops: Sequence[bool]) -> list[int]:
    """How long each frame is shown, in hundredths of a second. `stops` says of each frame whether to stop there."""
    usual = min(max(_WHOLE // len(stops), _SHORTEST), _SLOWEST)
    return [*(_STOP if stop else usual for stop in stops[:-1]), _LAST]


def chosen(stops: Sequence[bool]) -> list[int]:
    """Which frames are shown: all, or `MAX_FRAMES` from the first to the last.

    Frames to stop at have at most half of the room, the others the rest. Of both some are left out evenly.
    """
    if len(stops) <= MAX_FRAMES:
        return [*range(len(stops))]
    held = _spread_evenly([number for number, stop in enumerate(stops) if stop], MAX_FRAMES // 2)
    usual = [number for number, stop in enumerate(stops) if not stop]
    return sorted([*held, *_spread_evenly(usual, MAX_FRAMES - len(held))])


def _spread_evenly(numbers: list[int], most: int) -> list[int]:
    """At most so many of these numbers (two or more), with the first and the last."""
    if len(numbers) <= most:
        return numbers
    return [numbers[place * (len(numbers) - 1) // (most - 1)] for place in range(most)]


def animated(frames: Sequence[Frame], stopped: Callable[[], bool] = lambda: False, most: int | None = None) -> bytes:
    """Write an endless animation. A low frame stands at the top, and its own ground fills the room below it.

    Every frame is painted twice, because the size of the animation has to be known first. Raises Stopped soon after
    `stopped` returns true, TooLarge as soon as there are more bytes than `most`, and ValueError without frames.
    """
    if not frames:
        raise ValueError("An animation has at least one frame.")
    width, height = 0, 0
    for frame in frames:
        if stopped():
            raise Stopped
        canvas = frame.paint()
        width, height = max(width, canvas.width), max(height, canvas.height)
    parts = [
        struct.pack("<6sHHBBB", b"GIF89a", width, height, 0xF7, 0, 0),
        PALETTE_BYTES.ljust(3 * _COLOURS, b"\0"),
        _LOOP,
    ]
    before: Image.Image | None = None
    changes: list[tuple[int, bytes]] = []
    size = sum(map(len, parts)) + len(_END)
    for frame in frames:
        if stopped():
            raise Stopped
        picture = _spread(frame.paint(), width, height)
        change = _change(before, picture)
        if change is None:
            delay, same = changes.pop()
            changes.append((delay + frame.delay, same))
        else:
            changes.append((frame.delay, change))
            size += len(_control(frame.delay)) + len(change)
            if most is not None and size > most:
                raise TooLarge
        before = picture
    parts += [_control(delay) + change for delay, change in changes]
    return b"".join((*parts, _END))


def _spread(canvas: Canvas, width: int, height: int) -> Image.Image:
    """A canvas's palette indices as plain numbers, on an image of the animation's size."""
    pixels = Image.frombytes("L", canvas.image.size, canvas.image.tobytes()).crop(
        (1, 0, canvas.width + 1, canvas.height)
    )
    if pixels.size == (width, height):
        return pixels
    ground = pixels.getpixel((0, canvas.height - 1))
    assert isinstance(ground, int)
    whole = Image.new("L", (width, height), ground)
    whole.paste(pixels, (0, 0))
    return whole


def _change(before: Image.Image | None, now: Image.Image) -> bytes | None:
    """The image block that turns one picture into the next; ``None`` if nothing has changed."""
    if before is None:
        return _block(now, 0, 0)
    difference = ImageChops.difference(before, now)
    box = difference.getbbox()
    if box is None:
        return None
    part = now.crop(box)
    part.paste(_TRANSPARENT, (0, 0), _runs(difference.crop(box).point(_UNCHANGED)))
    return _block(part, box[0], box[1])


def _runs(unchanged: Image.Image) -> Image.Image:
    """The mask without runs of fewer than `_RUN` pixels in a row: a morphological opening. The ends of a row touch."""
    ends = _combined(unchanged, ImageChops.darker, 1)
    return _combined(ends, ImageChops.lighter, -1)


def _combined(mask: Image.Image, combine: Callable[[Image.Image, Image.Image], Image.Image], side: int) -> Image.Image:
    """Each pixel combined with the `_RUN` - 1 next ones on one side."""
    reached = 1
    while reached < _RUN:
        step = min(reached, _RUN - reached)
        mask = combine(mask, ImageChops.offset(mask, side * step, 0))
        reached += step
    return mask


def _control(delay: int) -> bytes:
    """The graphic control extension of an image: it stays after its delay, and `_TRANSPARENT` is transparent."""
    return struct.pack("<BBBBHBB", _EXTENSION, 0xF9, 4, 0b101, min(delay, _LONGEST), _TRANSPARENT, 0)


def _block(pixels: Image.Image, x: int, y: int) -> bytes:
    """An image block: place, size, compressed pixels."""
    return b"".join(GifImagePlugin.getdata(pixels, (x, y)))
