"""Ambush: pyramids on four turning coasters capture what stands between two of them (rules page ambush.md, B1-B11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.ambush.observation import AmbushObservation, Captured, Turned
from games.ambush.state import AmbushState
from games.core import CHANCE, Game

__all__ = ["GAME", "AmbushObservation", "AmbushState", "Captured", "Turned"]


def _start(players: int, options: Mapping[str, str]) -> AmbushState:
    return AmbushState(players=players, current_player=CHANCE, last=None)


GAME: Final = Game(AmbushState.info, _start)
