"""The cards of Saboteur."""

from __future__ import annotations

from collections import Counter

from games.saboteur import SaboteurState
from games.saboteur.components import CARD_OF, FIXED, GOALS, ROLES, TOOLS


def material(state: SaboteurState) -> Counter[str]:
    """Count every card by name, wherever it is."""
    laid = [CARD_OF[piece] for cell, piece in state.maze.cards.items() if cell not in FIXED]
    broken = [f"-{tool}" for tool, seats in zip(TOOLS, state.broken, strict=True) for _ in range(seats.bit_count())]
    hidden = [card for cards in (*state.hands, *state.discards) for card in cards]
    nuggets = [*state.gold_stock, *(card for seat in range(state.players) for card in state.gold_of(seat))]
    if state.due == "take":
        nuggets += state.decided[-1].passing
    return Counter(
        [
            *(laid + broken + hidden + [*state.stock[state.drawn :], *state.pile]),
            *(f"gold {value}" for value in nuggets),
            *(f"role {role}" for role in state.roles or ROLES[state.players]),
            *(f"finish {goal}" for goal in state.goals or GOALS),
        ]
    )
