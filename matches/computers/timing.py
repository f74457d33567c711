"""When a computer's decision is told: after a time that everybody at the table can foresee.

How long a thought takes depends on the hand that it is about: a forced discard takes no time, a full hand long. So what
people wait for follows from the level and from what everybody sees, never from the thought. A thought that is not ready
by then, since the machine has other work, is told at the next of the few moments that `LATE` leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from games.core import Stage, State
from matches.computers.levels import Level

SECONDS: Final[Mapping[Level, int]] = {Level.EASY: 1, Level.NORMAL: 2, Level.HARD: 2, Level.EXPERT: 3}
"""By level, after how many seconds a turn is told: long enough for 999 of 1000 thoughts on a quiet machine."""

PICK: Final = 1
"""Seconds for each of the small picks of a `Stage.SERIES`, which hardly need a thought."""

LATE: Final = 5
"""What is late is told after a multiple of so many seconds."""


def due_after(position: State[Any], level: Level) -> int:
    """After how many seconds the decision at this position is told: equal for all who look alike from outside."""
    return PICK if position.stage is Stage.SERIES else SECONDS[level]


def told_after(due: int, thought: float) -> int:
    """After how many seconds a decision is told that is due after `due` and took `thought` seconds."""
    return due if thought <= due else ceil(thought / LATE) * LATE
