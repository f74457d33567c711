"""What a caller chooses for a picture: the people's names, the marks on it, and its width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

People = tuple[str, ...]
"""The name of the person in every seat."""

MAX_SIDE: Final = 1600
"""Longest side of a picture, in pixels (P21)."""


class Mark(NamedTuple):
    """Something pointed out on a picture: a `place` in the notation (``3,-1``, ``B4``, ``n7``), with a number.

    In illustrations of the rules, number 0 draws a cross, and `towards` draws an arrow from the place to another.
    `aside`: the mark stands beside the middle, so that what lies there can be seen.
    `name` is written on the mark instead of the number.
    `supposed`: what the picture shows at the place isn't really there.

    `seat`: the mark is that of an action, `number` of those since the last picture, by which this player did something
    there. `sign` is what they did, if the place doesn't show it, and `gone` what left the board. `said` is the action
    as a sentence about people, on the first of its marks.
    """

    number: int
    place: str
    towards: str | None = None
    aside: bool = False
    supposed: bool = False
    name: str | None = None
    seat: int | None = None
    sign: str = ""
    gone: str = ""
    said: str = ""


Marks = tuple[Mark, ...]


@dataclass(frozen=True)
class Style:
    """The `width` of a person's pictures: 600 to 1200 pixels. No picture is higher than 4/3 of its width (P21)."""

    width: int = 1200

    def __post_init__(self) -> None:
        if not 600 <= self.width <= 1200:
            raise ValueError(f"A picture is 600 to 1200 pixels wide, not {self.width}.")

    def px(self, length: float) -> int:
        """Convert a length of the design, which is 1200 wide, to pixels of this style."""
        return round(length * self.width / 1200)


USUAL: Final = Style()
"""The default style."""
