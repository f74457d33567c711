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
    name = card_in_words(CARDS[first])
    picked = Choice("card", CARDS[first], name, card=True)
    if second is None:
        return picked, Choice("second", "alone", "Alone", whole=name)
    pair = f"Pair: {name} + {card_in_words(second)}"
    return picked, Choice("second", second, f"+ {card_in_words(second)}", whole=pair, card=True)
