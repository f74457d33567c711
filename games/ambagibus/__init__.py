"""Ambagibus: 2 to 4 players build one maze of tunnels, basic or advanced (games/rules/ambagibus.md, A1-A16)."""

from __future__ import annotations

from typing import Final

from games.ambagibus.advance import ADVANCE
from games.ambagibus.board import Passage
from games.ambagibus.observation import AmbagibusObservation, MazeCard
from games.ambagibus.state import AmbagibusState, new_match
from games.core import Game

__all__ = ["GAME", "AmbagibusObservation", "AmbagibusState", "MazeCard", "Passage"]

GAME: Final = Game(AmbagibusState, new_match, advance=ADVANCE)
