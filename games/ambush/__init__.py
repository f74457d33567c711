"""Ambush: pyramids on four turning coasters capture what stands between two of them (games/rules/ambush.md, B1-B11)."""

from __future__ import annotations

from typing import Final

from games.ambush.advance import ADVANCE
from games.ambush.goals import GOALS
from games.ambush.observation import AmbushObservation, Captured, Turned
from games.ambush.state import AmbushState, new_match
from games.core import Game

__all__ = ["GAME", "AmbushObservation", "AmbushState", "Captured", "Turned"]

GAME: Final = Game(AmbushState, new_match, goals=GOALS, advance=ADVANCE)
