"""What a lesson of Ambush can ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.ambush.state import AmbushState
from games.core import Goal


def _captures(before: AmbushState, after: AmbushState, seat: int, number: str) -> bool:
    """So many pyramids at least are captured by that player (B4-B6, B9)."""
    return sum(after.captured[seat]) - sum(before.captured[seat]) >= int(number)


GOALS: Final[Mapping[str, Goal]] = {"captures": _captures}
