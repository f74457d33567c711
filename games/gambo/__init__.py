"""Gambo: elephants, cats and mice meet in duels along a narrow path (rules page gambo.md, G1-G13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.core import CHANCE, Game
from games.gambo.observation import Fought, GamboObservation, Moved
from games.gambo.state import GamboState

__all__ = ["GAME", "Fought", "GamboObservation", "GamboState", "Moved"]


def _start(players: int, options: Mapping[str, str]) -> GamboState:
    return GamboState(players=players, current_player=CHANCE, last=None)


GAME: Final = Game(GamboState.info, _start)
