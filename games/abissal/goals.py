"""What a lesson of Ambiente Abissal can ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.abissal.actions import PASS, Play
from games.abissal.components import Strength
from games.abissal.state import AbissalState
from games.core import Goal


def _plays(before: AbissalState, after: AbissalState, seat: int, *kind: str) -> bool:
    """That player has played cards: a ``suit pair``, a ``number pair``, or of any kind if none is named (D3, D4)."""
    played = _played(after, seat)
    return played is not None and (not kind or played.strength is Strength(" ".join(kind)))


def _makes(before: AbissalState, after: AbissalState, seat: int, strength: str) -> bool:
    """That player's card leaves the trick ``open``, or has it go by ``suit`` or by ``number`` (D6)."""
    return _played(after, seat) is not None and after.strength is Strength(strength)


def _played(state: AbissalState, seat: int) -> Play | None:
    """What that player has just played, ``None`` if they have passed."""
    player, action = state.last or (None, PASS)
    return action if player == seat and isinstance(action, Play) and action != PASS else None


GOALS: Final[Mapping[str, Goal]] = {"plays": _plays, "makes": _makes}
