"""The goals of lessons in Ambush."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.ambush.actions import Place
from games.ambush.state import AmbushState
from games.core import Goal


def _captures(before: AmbushState, after: AmbushState, seat: int, number: str) -> bool:
    """Return whether the player captured at least this many pyramids (B4-B6, B9)."""
    return sum(after.captured[seat]) - sum(before.captured[seat]) >= int(number)


def _safe(before: AmbushState, after: AmbushState, seat: int) -> bool:
    """Return whether the opponent can't place any pyramid that captures one of the player's (B4)."""
    opponent = 1 - seat
    placed = (action for action in after.legal_actions(opponent) if isinstance(action, Place))
    return not any(_captures(after, after.child(opponent, action), opponent, "1") for action in placed)


def _wins(before: AmbushState, after: AmbushState, seat: int) -> bool:
    """Return whether the match is over, and the player has won it alone (B11)."""
    outcome = after.outcome()
    return outcome is not None and outcome.winners == (seat,)


GOALS: Final[Mapping[str, Goal]] = {"captures": _captures, "safe": _safe, "wins": _wins}
