"""Sentences about people that are fitted into a picture: long names are shortened, and nothing else is ever cut.

A *sentence* names people by seat: ``{0}`` stands for the name of seat 0.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from render import fonts
from render.grammar import cut, plain
from render.style import People


def seats(players: int) -> People:
    """Return placeholders for the names. A function that makes a text about people makes a sentence from these."""
    return tuple(f"{{{seat}}}" for seat in range(players))


def told(sentence: str, people: People) -> str:
    """Return a sentence with the names of the people, for a text without markdown."""
    return sentence.format(*map(plain, people))


LENGTHS: Final = (32, 20, 14, 9, 6, 4)
"""The lengths to which names are cut, one after another, until a sentence fits."""


class Fitted(NamedTuple):
    """A sentence as lines of text, and their font size."""

    lines: tuple[str, ...]
    size: int

    @property
    def step(self) -> int:
        """Distance from one line to the next, in pixels."""
        return self.size * 3 // 2

    @property
    def height(self) -> int:
        """Height of all lines, in pixels."""
        return len(self.lines) * self.step


def fitted(sentence: str, people: People, sizes: Sequence[int], wide: int, high: int) -> Fitted:
    """Break a sentence into lines that fill at most `wide` × `high` pixels, in the first of `sizes` that allows it.

    Names stay whole if a smaller size allows it, and are shortened otherwise. They are never broken between lines. If
    nothing helps, the text is higher.
    """
    tries = [(size, [cut(name, length) for name in people]) for length in LENGTHS for size in sizes]
    # A single letter can be as wide as ten.
    short_names = [cut(name, LENGTHS[-1]) for name in people]
    tries += [(sizes[-1], [fonts.fitted(name, sizes[-1], wide // parts) for name in short_names]) for parts in (4, 8)]
    for size, names in tries:
        short = [fonts.isolated(_low(name)) for name in names]
        # "Ann… ." would have two marks in a row.
        words = [word.format(*short).replace(f"{_CUT}.", _CUT) for word in sentence.split()]
        lines = fonts.wrapped(words, size, wide)
        shown = Fitted(tuple(lines), size)
        if shown.height <= high and all(fonts.width(line, size) <= wide for line in lines):
            break
    return shown


_CUT: Final = f"{fonts.ELLIPSIS}{fonts.ISOLATE_END}"


def bare(name: str) -> str:
    """Return a name without marks above and below its letters, for lines that are close together."""
    composed = unicodedata.normalize("NFC", name)
    return "".join(letter for letter in composed if unicodedata.combining(letter) not in (220, 230))


def _low(name: str) -> str:
    """Return a name with at most one mark above and below each letter, so that it doesn't reach into other lines."""
    kept: list[str] = []
    marks: set[int] = set()
    for letter in unicodedata.normalize("NFC", name):
        place = unicodedata.combining(letter)
        if place == 0:
            marks.clear()
        if not (place in (220, 230) and place in marks):
            kept.append(letter)
        marks.add(place)
    return "".join(kept)
