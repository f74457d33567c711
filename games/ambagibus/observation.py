"""What one viewer of a match of Ambagibus may see: everything but the order of the decks.

Cards in rows and decks have their names in the deck list (``1020``, ``bomb``, ``cave``). Cards in the maze are written
as they lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.ambagibus.board import Passage
from games.core import Observation
from games.grid import Cell


class MazeCard(NamedTuple):
    """A card in the maze: its cell, the card as it lies or ``cave``, and its owner."""

    cell: Cell
    card: str
    owner: int


@dataclass(frozen=True)
class AmbagibusObservation(Observation):
    """Everything that `viewer` may see. Nobody has secrets of their own.

    Attributes:
        variant: ``basic`` or ``advanced``.
        starter: the seat with the first card in the maze (A2), ``None`` before that.
        revealed: by seat the cards turned up to see who starts (A1), before all were shuffled again; empty before that.
        maze: the cards on the table, by cell.
        passages: the open passages, by cell and edge.
        closed_sections: by seat the closed sections, the largest first, each as the cells of its cards.
        scores: the number of closed sections of every seat.
        rows: the face-up cards of every seat: in the basic game the current player's card, in the advanced game up to
            three each.
        deck_sizes: the number of cards in every deck.
        bottoms: the known cards at the bottom of every deck, where players put them; the lowest last.
        last_cell: the cell of the maze that `last` changed, if any.
        decks: every deck from the top, once the match is over; before that ``None``.
    """

    variant: str
    starter: int | None
    revealed: tuple[tuple[str, ...], ...]
    maze: tuple[MazeCard, ...]
    passages: tuple[Passage, ...]
    closed_sections: tuple[tuple[tuple[Cell, ...], ...], ...]
    scores: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    deck_sizes: tuple[int, ...]
    bottoms: tuple[tuple[str, ...], ...]
    last_cell: Cell | None
    decks: tuple[tuple[str, ...], ...] | None
