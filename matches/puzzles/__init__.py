"""Puzzles: positions with a question whose answers are known. `docs/puzzles.md` says how they are found and proven.

`shelves` loads them and `attempt` plays them. `solving` and `posting` are the part of the host. The rest is for whoever
makes puzzles: `python -m matches.puzzles GAME`.
"""

from __future__ import annotations

from typing import Final

from db.puzzles.kept import Streak
from db.puzzles.rows import CaseRow
from matches.puzzles.solving import Puzzles
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "CaseRow", "Puzzles", "Streak"]

FEATURE: Final = Feature[Table](key="puzzles", part=Puzzles)
