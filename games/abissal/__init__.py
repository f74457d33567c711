"""Ambiente Abissal: a climbing game for 2 or 3 in which suit and number are both strengths (games/rules/abissal.md)."""

from __future__ import annotations

from typing import Final

from games.abissal.advance import ADVANCE
from games.abissal.components import Strength
from games.abissal.goals import GOALS
from games.abissal.observation import AbissalObservation, Laid, RoundResult
from games.abissal.state import AbissalState, new_match
from games.core import Game

__all__ = ["GAME", "AbissalObservation", "AbissalState", "Laid", "RoundResult", "Strength"]

GAME: Final = Game(AbissalState, new_match, goals=GOALS, advance=ADVANCE)
