"""How a person picks an action of Saboteur: the card, its target, then how it lies or what it repairs."""

from __future__ import annotations

from games.core import Choice, of_several
from games.grid import Cell, cell_to_string
from games.saboteur.actions import Action, Break, Dig, LookAt, Pass, Repair, RockFall, Take, card_played
from games.saboteur.components import LABELS, PIECES_OF, TOOL_NAMES, piece_label
from games.saboteur.observation import SaboteurObservation


def choices(seen: SaboteurObservation, action: Action) -> tuple[Choice, ...]:
    """Return the card, then its place, its player or the discard, then how it lies or what it repairs.

    Cards are numbered as in the picture of the hand.
    """
    match action:
        case Take(value):
            worth = f"Gold card worth {value}"
            return (Choice("card", str(value), of_several(worth, seen.offered.count(value)), card=True),)
        case Pass():
            return (Choice("card", "pass", "Pass: no cards left", gives_up=True),)
    card = card_played(action)
    assert card is not None, "chance is not asked to choose"
    number = f"{1 + seen.hand.index(card)} · " if card in seen.hand else ""
    first = Choice("card", card, of_several(f"{number}{LABELS[card]}", seen.hand.count(card)), card=True)
    match action:
        case Dig(piece, cell):
            turn = Choice("turn", piece, f"Open {piece_label(piece)}")
            return (first, _place(cell), turn) if len(PIECES_OF[card]) > 1 else (first, _place(cell))
        case RockFall(cell) | LookAt(cell):
            return first, _place(cell)
        case Break(_, seat):
            return first, _person(seat)
        case Repair(_, seat, tool):
            repaired = Choice("tool", tool, TOOL_NAMES[tool].capitalize())
            return (first, _person(seat), repaired) if len(card) > 2 else (first, _person(seat))
        case _:
            return first, Choice("target", "drop", "Discard it face down", gives_up=True)


def _place(cell: Cell) -> Choice:
    place = cell_to_string(cell)
    return Choice("target", place, place, place=place)


def _person(seat: int) -> Choice:
    return Choice("target", str(seat), "A player", seat=seat)
