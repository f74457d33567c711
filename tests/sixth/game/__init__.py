"""Cairn: the player who takes a cairn's last stone owns it, and everybody wants one cairn in secret (cairn.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.core import Game
from tests.sixth.game.observation import CairnObservation
from tests.sixth.game.state import CairnState, new_match

__all__ = ["GAME", "CairnObservation", "CairnState"]

GAME: Final = Game(CairnState.info, new_match, Path(__file__).parent.parent / "rules")
