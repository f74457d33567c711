"""The cards of Abissal."""

from __future__ import annotations

from collections import Counter

from games.abissal import AbissalState
from games.abissal.components import cards_of


def material(state: AbissalState) -> Counter[str]:
    """Count every card once."""
    places = (*state.hands, state.aside, state.gone)
    return Counter(card for cards in places for card in cards_of(cards))
