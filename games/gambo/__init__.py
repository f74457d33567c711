"""Gambo: elephants, cats and mice meet in duels in a narrow corridor (games/rules/gambo.md, G1-G13)."""

from __future__ import annotations

from typing import Final

from games.core import Game
from games.gambo.advance import ADVANCE
from games.gambo.observation import Fought, GamboObservation, Moved
from games.gambo.state import GamboState, new_match

__all__ = ["GAME", "Fought", "GamboObservation", "GamboState", "Moved"]

GAME: Final = Game(GamboState, new_match, advance=ADVANCE)
