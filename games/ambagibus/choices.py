"""How a person picks an action of Ambagibus: the card, its place, then how it lies."""

from __future__ import annotations

from games.ambagibus.actions import Action, Bury, Pass, Play, Shuffle
from games.ambagibus.components import CARD_OF, ROMAN, SPECIALS, card_label, lying_label
from games.ambagibus.observation import AmbagibusObservation
from games.core import Choice, of_several
from games.grid import Cell, cell_to_string


def choices(seen: AmbagibusObservation, action: Action) -> tuple[Choice, ...]:
    """Return the card, then the place or the bottom of the deck, then the rotation of a tunnel card."""
    match action:
        case Play(card, cell):
            place, name = cell_to_string(cell), CARD_OF[card]
            steps = (
                _card(seen, name),
                Choice("at", place, f"{place}{_what_is_there(seen, cell)}", place=place),
            )
            return steps if card in SPECIALS else (*steps, Choice("turned", card, lying_label(card)))
        case Bury(card):
            bottom = Choice("at", "bury", "To the bottom of the deck", gives_up=True)
            return _card(seen, card), bottom
        case Pass():
            return (Choice("card", "pass", "Pass: no cards left", gives_up=True),)
        case Shuffle():
            return ()


def _card(seen: AmbagibusObservation, name: str) -> Choice:
    row = seen.rows[seen.current_player]
    return Choice("card", name, of_several(card_label(name), row.count(name)))


def _what_is_there(seen: AmbagibusObservation, cell: Cell) -> str:
    """Return the card on a cell, or the passage that a placement there counts as joining (A5); empty if neither is."""
    mine, opponents = seen.current_player, "an opponent's"
    for there, card, owner in seen.maze:
        if there == cell:
            return f", on {'your' if owner == mine else opponents} {card_label(CARD_OF[card])}"
    passages = [(passage.owner != mine, passage.priority) for passage in seen.passages if passage.leads_to == cell]
    if not passages:
        return ""
    foreign, priority = min(passages)
    return f", on {opponents if foreign else 'your own'} {ROMAN[priority]}"
