"""When a computer's decision is shown: after a delay that tells nothing.

The time that a search takes depends on a secret hand: a forced discard takes no time, a full hand takes long. So the
delay follows from the level and from public facts alone. If the machine is busy and the search isn't ready by then, the
decision is shown at the next multiple of `LATE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from games.core import Stage, State
from matches.computers.levels import Level

SECONDS: Final[Mapping[Level, int]] = {Level.EASY: 1, Level.NORMAL: 2, Level.HARD: 2, Level.EXPERT: 3}
"""The delay of a turn in seconds, by level: long enough for 999 of 1000 searches on a quiet machine."""

PICK: Final = 1
"""The delay in seconds for each small pick of a `Stage.SERIES`."""

LATE: Final = 5
"""A late decision is shown after a multiple of this many seconds."""


def due_after(position: State[Any], level: Level) -> int:
    """Return the delay of the decision at this position, in seconds. It depends on public facts only."""
    return PICK if position.stage is Stage.SERIES else SECONDS[level]


def told_after(due: int, thought: float) -> int:
    """Return after how many seconds to show a decision that is due after `due` and took `thought` seconds."""
    return due if thought <= due else ceil(thought / LATE) * LATE
