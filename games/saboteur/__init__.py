"""Saboteur: 3 to 10 players, hidden roles, three rounds (rules/saboteur.md, S1-S21)."""

from __future__ import annotations

from games.saboteur.observation import FinishCard, RoundResult, SaboteurObservation, Uncovered

__all__ = ["FinishCard", "RoundResult", "SaboteurObservation", "Uncovered"]
