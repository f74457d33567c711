"""Saboteur: 3 to 10 players, hidden roles, three rounds (games/rules/saboteur.md, S1-S21)."""

from __future__ import annotations

from typing import Final

from games.core import Game
from games.saboteur.advance import ADVANCE
from games.saboteur.goals import GOALS
from games.saboteur.observation import FinishCard, RoundResult, SaboteurObservation, Uncovered
from games.saboteur.state import SaboteurState, new_match

__all__ = ["GAME", "FinishCard", "RoundResult", "SaboteurObservation", "SaboteurState", "Uncovered"]

GAME: Final = Game(SaboteurState, new_match, goals=GOALS, advance=ADVANCE)
