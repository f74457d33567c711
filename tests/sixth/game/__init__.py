"""Moor: the player who takes a cairn's last stone owns it, and everybody wants one cairn in secret (moor.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.core import Game
from tests.sixth.game.observation import MoorObservation
from tests.sixth.game.state import MoorState, new_match

__all__ = ["GAME", "MoorObservation", "MoorState"]

GAME: Final = Game(MoorState, new_match, Path(__file__).parent.parent / "rules")
