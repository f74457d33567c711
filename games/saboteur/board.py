"""The maze of Saboteur: what lies where, what the start card reaches, where a card can be laid (S6, S7).

Two things are kept while cards come and go, so that nobody searches the table to know the legal moves: which cards
are *stranded*, that is out of reach of the start card, and the *frontier*, the cells into which a path opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur.components import ANY_PIECE, SIDES, START, START_CARD


@cache
def around(cell: Cell) -> tuple[tuple[int, int, Cell], ...]:
    """The four edges of `cell` in the order N E S W: (edge, the neighbour's edge that faces it, the neighbour)."""
    return tuple((edge, OPPOSITE[edge], beside) for edge, beside in enumerate(neighbours(cell)))


class Maze(NamedTuple):
    """The face-up cards on the table; a value, never changed in place.

    `cards` are the pieces by cell: the start card, path cards, finish cards that are turned up. `stranded` are the
    cells of joined cards that no unbroken path from the start card reaches; all other joined cards are reached.
    `frontier` are the cells without a face-up card into which a reached card opens, each with the mask of the pieces
    that fit all its neighbours (`Side.fits`). A face-down finish card asks nothing of its neighbours and counts as
    no card here: it is reached exactly when its cell is in the frontier (S14).
    """

    cards: Mapping[Cell, str]
    stranded: frozenset[Cell]
    frontier: Mapping[Cell, int]

    def lay(self, cell: Cell, piece: str) -> Maze:
        """The maze with `piece` on `cell`, which is a cell of the frontier; the piece continues a path."""
        cards = {**self.cards, cell: piece}
        frontier = {**self.frontier}
        del frontier[cell]
        sides = SIDES[piece]
        for edge, facing, beside in around(cell):
            if beside in frontier:
                frontier[beside] &= sides[edge].fits
            elif sides[edge].joined:
                if beside not in cards:
                    frontier[beside] = fitting(cards, beside)
                elif beside in self.stranded and SIDES[cards[beside]][facing].joined:
                    return survey(cards)
        return Maze(cards, self.stranded, frontier)

    def remove(self, cell: Cell) -> Maze:
        """The maze after a rock-fall on `cell` (S11)."""
        cards = {**self.cards}
        del cards[cell]
        return survey(cards)

    def ways_in(self, cell: Cell) -> Iterator[int]:
        """The edges of `cell` that a reached card beside it opens to, in the order N E S W."""
        for edge, beside in enumerate(neighbours(cell)):
            if (
                beside in self.cards
                and beside not in self.stranded
                and SIDES[self.cards[beside]][OPPOSITE[edge]].joined
            ):
                yield edge

    def cut_off(self) -> frozenset[Cell]:
        """The cells of face-up cards that no unbroken path leads to; a dead end at the end of one is not cut off."""
        return self.stranded | {
            cell
            for cell, piece in self.cards.items()
            if piece.islower() and not any(SIDES[piece][edge].open for edge in self.ways_in(cell))
        }


def fitting(cards: Mapping[Cell, str], cell: Cell) -> int:
    """The mask of the pieces that fit all face-up neighbours of `cell` (S6)."""
    mask = ANY_PIECE
    for _, facing, beside in around(cell):
        if beside in cards:
            mask &= SIDES[cards[beside]][facing].fits
    return mask


def survey(cards: Mapping[Cell, str]) -> Maze:
    """The maze made of `cards`, worked out from nothing; the start card is among them."""
    stranded = {cell for cell, piece in cards.items() if piece.isupper()}
    stranded.discard(START)
    frontier: dict[Cell, int] = {}
    to_visit = [START]
    while to_visit:
        cell = to_visit.pop()
        sides = SIDES[cards[cell]]
        for edge, facing, beside in around(cell):
            if not sides[edge].joined:
                continue
            if beside not in cards:
                frontier[beside] = fitting(cards, beside)
            elif beside in stranded and SIDES[cards[beside]][facing].joined:
                stranded.remove(beside)
                to_visit.append(beside)
    return Maze(cards, frozenset(stranded), frontier)


NEW_MAZE = survey({START: START_CARD})
"""The start card alone."""
