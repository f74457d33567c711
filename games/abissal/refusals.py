"""Why an action of Ambiente Abissal is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from games.abissal.actions import PASS, Action, Play
from games.abissal.components import DECKS, PAIRS, Strength, card_in_words, cards_of, mask_of
from games.abissal.observation import AbissalObservation
from games.core import Refusal


def why_illegal(seen: AbissalObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    if not isinstance(action, Play):
        return Refusal("D1", "Only chance deals.")
    if action == PASS:
        return Refusal("D3", "You lead this trick, so you must play one or two cards.")
    if action.cards & ~DECKS[seen.players]:
        return Refusal("D1", "With two players there are no gray cards and no 6s.")
    rule = "D3" if seen.strength is None else "D4"
    missing = action.cards & ~mask_of(seen.hand)
    if missing:
        return Refusal(rule, f"You don't have {_listed(missing)} in your hand.")
    count = action.cards.bit_count()
    if count > 2:
        return Refusal("D3", "A play is one card or two.")
    if action.strength is None:
        return Refusal("D3", "Two cards must have the same suit or the same number.")
    assert seen.strength is not None
    pairs = seen.strength in PAIRS
    if pairs != (count == 2):
        return Refusal(
            "D4", f"This trick is played with {'pairs' if pairs else 'single cards'}: play the same or pass."
        )
    last = mask_of(seen.trick[-1].cards)
    if pairs and action.strength is not seen.strength:
        return Refusal("D5", f"This trick is played with {seen.strength}s, and only another {seen.strength} beats one.")
    match seen.strength:
        case Strength.SUIT_PAIR:
            return Refusal(
                "D5", f"Only a pair of a stronger suit than {_suit(last)} beats that pair; numbers don't count."
            )
        case Strength.NUMBER_PAIR:
            return Refusal(
                "D5", f"Only a pair of a higher number than {_number(last)} beats that pair; suits don't count."
            )
        case Strength.SUIT:
            return Refusal(
                "D7", f"This trick goes by suit, so your card must be of a stronger suit than {_suit(last)}."
            )
        case Strength.NUMBER:
            return Refusal("D7", f"This trick goes by number, so your card must be higher than {_number(last)}.")
    return Refusal("D6", f"Your card must be stronger than {_listed(last)}, in suit, in number or in both.")


def _listed(cards: int) -> str:
    return " and ".join(map(card_in_words, cards_of(cards)))


def _suit(cards: int) -> str:
    """Return the suit of the first of these cards, in words."""
    return card_in_words(cards_of(cards)[0])[:-2].lower()


def _number(cards: int) -> str:
    return cards_of(cards)[0][1]
