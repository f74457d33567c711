"""The levels of computer players, and their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import count
from typing import Final, NamedTuple


class Level(StrEnum):
    """How well a computer plays."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"
    EXPERT = "expert"


class Strength(NamedTuple):
    """What makes a level: how much it searches, and how much it errs.

    Attributes:
        share: the number of iterations, in units of `Judgement.iterations`.
        temperature: 0 takes the most visited action. Above 0 an action is drawn, weighted by its visits to the power
            of 1 / `temperature`.
        slips: the probability of playing any of the judgement's candidates without a search.
        nodes: the number of positions for the exact search, which comes first. With a `share` of 0 it decides alone.
            Otherwise the iterations decide what it doesn't settle. In a race it is the number of positions for
            `Judgement.ends`.
        recalls: whether it uses the lines of the match, if the game's judgement does (`Judgement.remembers`).
        horizon: replaces the horizon of the game's judgement.
    """

    share: float
    temperature: float
    slips: float = 0.0
    nodes: int = 0
    recalls: bool = True
    horizon: int | None = None

    @property
    def plans(self) -> bool:
        """Whether it searches nothing, and follows `Judgement.planned`."""
        return not self.share and not self.nodes


STRENGTHS: Final[Mapping[Level, Strength]] = {
    Level.EASY: Strength(0.04, 1.0),
    Level.NORMAL: Strength(1.0, 0.4),
    Level.HARD: Strength(1.2, 0.0),
    Level.EXPERT: Strength(1.7, 0.0),
}
"""The default strengths."""

NAMES: Final[Mapping[Level, tuple[str, ...]]] = {
    Level.EASY: ("Pebble", "Minnow", "Thimble", "Acorn", "Puddle", "Button", "Crumb", "Teacup", "Sparrow"),
    Level.NORMAL: ("Juniper", "Copper", "Otter", "Marble", "Thistle", "Beacon", "Walnut", "Ferry", "Magpie"),
    Level.HARD: ("Granite", "Kestrel", "Basalt", "Anvil", "Tempest", "Lynx", "Obsidian", "Glacier", "Raven"),
    Level.EXPERT: ("Comet", "Eclipse", "Saturn", "Polaris", "Aurora", "Prism", "Compass", "Obelisk", "Phoenix"),
}
"""Nine names for each level: as many computers as can sit at a table with one person. No name is at two levels."""


def name_for(level: Level, taken: Collection[str]) -> str:
    """Return a name for a computer of this level that isn't in `taken`."""
    names = (name if number == 1 else f"{name} {number}" for number in count(1) for name in NAMES[level])
    return next(name for name in names if name not in taken)
