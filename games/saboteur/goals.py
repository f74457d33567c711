"""The goals of lessons in Saboteur."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.core import Goal
from games.saboteur.state import SaboteurState


def _reaches_treasure(before: SaboteurState, after: SaboteurState, seat: int) -> bool:
    """Return whether the round is over because the player has just reached the treasure (S15)."""
    return len(after.decided) > len(before.decided) and after.decided[-1].reached_by == seat


GOALS: Final[Mapping[str, Goal]] = {"reaches-treasure": _reaches_treasure}
