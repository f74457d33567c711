"""How a person picks an action of Ambiente Abissal: the card, then a second one."""

from __future__ import annotations

from games.abissal.actions import PASS, Action, Play
from games.abissal.components import CARDS, NUMBERS, card_in_words, indices
from games.abissal.observation import AbissalObservation
from games.core import Choice


def choices(seen: AbissalObservation, action: Action) -> tuple[Choice, ...]:
    """Return the card, then the second card or "alone".

    Of a pair, the card with the higher number comes first, or else the one of the stronger suit.
    """
    if not isinstance(action, Play):
        return ()
    if action == PASS:
        return (Choice("card", "pass", "Pass", gives_up=True),)
    first, *others = sorted(indices(action.cards), key=lambda index: (index % NUMBERS, index), reverse=True)
    second = CARDS[others[0]] if others else None
    return (
        Choice("card", CARDS[first], card_in_words(CARDS[first])),
        Choice("second", second, f"with {card_in_words(second)}") if second else Choice("second", "alone", "Alone"),
    )
