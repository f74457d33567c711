"""Saboteur: 3 to 10 players, hidden roles, three rounds (rules page saboteur, S1-S21)."""

from __future__ import annotations

from games.saboteur.observation import FinishCard, RoundResult, SaboteurObservation, Uncovered
from games.saboteur.state import GAME, INFO, SaboteurState

__all__ = ["GAME", "INFO", "FinishCard", "RoundResult", "SaboteurObservation", "SaboteurState", "Uncovered"]
