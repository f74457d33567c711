"""How well computer players play, and what they are called."""

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
    """What makes a level: how many iterations it searches, and how much it errs.

    `share` is the number of iterations in the unit of the game's judgement. With a `temperature` of 0 the
    action that was visited most is taken; above, an action is drawn by the visits to the power of 1 / temperature.
    One decision in 1 / `slips` is made without any thought: any action that comes into question at all. Where `nodes`
    is not 0, the exact search looks at so many positions first; with a share of 0 it decides alone, else what it does
    not settle is left to the iterations. `recalls` is whether it goes by what has happened in the match so far, where
    the game's judgement remembers that. A `horizon` is after how many lines a playout is judged, instead of what the
    game's judgement says about that.
    """

    share: float
    temperature: float
    slips: float = 0.0
    nodes: int = 0
    recalls: bool = True
    horizon: int | None = None


STRENGTHS: Final[Mapping[Level, Strength]] = {
    Level.EASY: Strength(0.04, 1.0),
    Level.NORMAL: Strength(1.0, 0.4),
    Level.HARD: Strength(1.2, 0.0),
    Level.EXPERT: Strength(1.7, 0.0),
}
"""The levels of a game whose judgement has none of its own."""

NAMES: Final[Mapping[Level, tuple[str, ...]]] = {
    Level.EASY: ("Pebble", "Minnow", "Thimble", "Acorn", "Puddle", "Button", "Crumb", "Teacup", "Sparrow"),
    Level.NORMAL: ("Juniper", "Copper", "Otter", "Marble", "Thistle", "Beacon", "Walnut", "Ferry", "Magpie"),
    Level.HARD: ("Granite", "Kestrel", "Basalt", "Anvil", "Tempest", "Lynx", "Obsidian", "Glacier", "Raven"),
    Level.EXPERT: ("Comet", "Eclipse", "Saturn", "Polaris", "Aurora", "Prism", "Compass", "Obelisk", "Phoenix"),
}
"""Nine a level, as many as can sit at a table with one person; no name stands at two levels."""


def name_for(level: Level, taken: Collection[str]) -> str:
    """A name for a computer of this level that nobody at the table has."""
    names = (name if number == 1 else f"{name} {number}" for number in count(1) for name in NAMES[level])
    return next(name for name in names if name not in taken)
