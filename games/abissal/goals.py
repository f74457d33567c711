"""The goals of lessons in Ambiente Abissal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.abissal.actions import PASS, Play
from games.abissal.components import Strength
from games.abissal.state import AbissalState
from games.core import Goal


def _plays(before: AbissalState, after: AbissalState, seat: int, *kind: str) -> bool:
    """Return whether the player played cards: a ``suit pair``, a ``number pair``, or by default any cards (D3, D4)."""
    played = _played(after, seat)
    return played is not None and (not kind or played.strength is Strength(" ".join(kind)))


def _makes(before: AbissalState, after: AbissalState, seat: int, strength: str) -> bool:
    """Return whether the player's card left the trick ``open``, or made it go by ``suit`` or by ``number`` (D6)."""
    return _played(after, seat) is not None and after.strength is Strength(strength)


def _played(state: AbissalState, seat: int) -> Play | None:
    """Return what the player has just played, or ``None`` if they passed."""
    player, action = state.last or (None, PASS)
    return action if player == seat and isinstance(action, Play) and action != PASS else None


GOALS: Final[Mapping[str, Goal]] = {"plays": _plays, "makes": _makes}
