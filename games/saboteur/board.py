"""The maze of Saboteur: what lies where, what the start card reaches, and where a card can be laid (S6, S7).

The maze keeps two things and updates them when a card comes or goes, so that nobody searches it for the legal moves.
*Stranded* cards are out of reach of the start card. The *frontier* are the cells into which a path opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur.components import ANY_PIECE, SIDES, START, START_CARD


@cache
def around(cell: Cell) -> tuple[tuple[int, int, Cell], ...]:
    """Return for the four edges of `cell`, N E S W: the edge, the neighbour's edge that faces it, the neighbour."""
    return tuple((edge, OPPOSITE[edge], beside) for edge, beside in enumerate(neighbours(cell)))


class Maze(NamedTuple):
    """The face-up cards on the table: a value that never changes in place.

    Attributes:
        cards: the pieces by cell: the start card, path cards, and finish cards that are turned up.
        stranded: the cells of joined cards that no unbroken path from the start card reaches. All other joined cards
            are reached.
        frontier: the cells without a face-up card into which a reached card opens, each with the mask of the pieces
            that fit all its neighbours (`Side.fits`). A face-down finish card counts as no card here. It is reached
            exactly when its cell is in the frontier (S14).
    """

    cards: Mapping[Cell, str]
    stranded: frozenset[Cell]
    frontier: Mapping[Cell, int]

    def lay(self, cell: Cell, piece: str) -> Maze:
        """Return the maze with `piece` on `cell`. The cell is in the frontier, and the piece continues a path."""
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
        """Return the maze after a rock-fall on `cell` (S11)."""
        cards = {**self.cards}
        del cards[cell]
        return survey(cards)

    def ways_in(self, cell: Cell) -> Iterator[int]:
        """Yield the edges of `cell` that a reached card beside it opens to, in the order N E S W."""
        for edge, beside in enumerate(neighbours(cell)):
            if (
                beside in self.cards
                and beside not in self.stranded
                and SIDES[self.cards[beside]][OPPOSITE[edge]].joined
            ):
                yield edge

    def cut_off(self) -> frozenset[Cell]:
        """Return the cells of face-up cards that no unbroken path leads to.

        A dead end at the end of a path isn't cut off.
        """
        return self.stranded | {
            cell
            for cell, piece in self.cards.items()
            if piece.islower() and not any(SIDES[piece][edge].open for edge in self.ways_in(cell))
        }


def fitting(cards: Mapping[Cell, str], cell: Cell) -> int:
    """Return the mask of the pieces that fit all face-up neighbours of `cell` (S6)."""
    mask = ANY_PIECE
    for _, facing, beside in around(cell):
        if beside in cards:
            mask &= SIDES[cards[beside]][facing].fits
    return mask


def survey(cards: Mapping[Cell, str]) -> Maze:
    """Return the maze of `cards`, computed from scratch. The start card is among them."""
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
