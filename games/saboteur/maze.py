"""The maze of Saboteur: what lies where, what the start card reaches, where a card can be laid (S6, S7).

Two sets are kept while cards come and go, so that nobody searches the table to know the legal moves: the cells that an
unbroken path reaches, and the *frontier*, the cells beside them into which such a path opens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur.cards import ANY_PIECE, SIDES, START, START_CARD


class Maze(NamedTuple):
    """The face-up cards on the table; a value, never changed in place.

    `cards` are the pieces by cell: the start card, path cards, finish cards that are turned up. `reached` are the
    cells whose inside an unbroken path from the start card reaches (so never a dead end). `frontier` are the cells
    without a face-up card into which a reached opening leads, each with the mask of the pieces that fit all its
    neighbours (`games.saboteur.cards.Side`). A face-down finish card asks nothing of its neighbours and counts as no
    card here: it is reached exactly when its cell is in the frontier (S14).
    """

    cards: Mapping[Cell, str]
    reached: frozenset[Cell]
    frontier: Mapping[Cell, int]

    def lay(self, cell: Cell, piece: str) -> Maze:
        """The maze with `piece` on `cell`, which is a cell of the frontier; the piece continues a path."""
        cards = {**self.cards, cell: piece}
        frontier = dict(self.frontier)
        del frontier[cell]
        joined = piece.isupper()
        reached = self.reached | {cell} if joined else self.reached
        for edge, (side, beside) in enumerate(zip(SIDES[piece], neighbours(cell), strict=True)):
            if beside in cards:
                if side.joined and beside not in reached and SIDES[cards[beside]][OPPOSITE[edge]].joined:
                    return survey(cards)
            elif beside in frontier:
                frontier[beside] &= side.fits
            elif side.joined:
                frontier[beside] = fitting(cards, beside)
        return Maze(cards, reached, frontier)

    def remove(self, cell: Cell) -> Maze:
        """The maze after a rock-fall on `cell` (S11)."""
        cards = dict(self.cards)
        del cards[cell]
        return survey(cards)

    def ways_in(self, cell: Cell) -> Iterator[int]:
        """The edges of `cell` that a reached opening beside it meets, in the order N E S W."""
        for edge, beside in enumerate(neighbours(cell)):
            if beside in self.reached and SIDES[self.cards[beside]][OPPOSITE[edge]].joined:
                yield edge

    def cut_off(self) -> frozenset[Cell]:
        """The cells of face-up cards that no unbroken path leads to; a dead end at the end of one is not cut off."""
        return frozenset(
            cell
            for cell, piece in self.cards.items()
            if cell not in self.reached and not any(SIDES[piece][edge].open for edge in self.ways_in(cell))
        )


def fitting(cards: Mapping[Cell, str], cell: Cell) -> int:
    """The mask of the pieces that fit all face-up neighbours of `cell` (S6)."""
    mask = ANY_PIECE
    for edge, beside in enumerate(neighbours(cell)):
        piece = cards.get(beside)
        if piece is not None:
            mask &= SIDES[piece][OPPOSITE[edge]].fits
    return mask


def survey(cards: Mapping[Cell, str]) -> Maze:
    """The maze made of `cards`, worked out from nothing; the start card is among them."""
    reached = {START}
    frontier: dict[Cell, int] = {}
    to_visit = [START]
    while to_visit:
        cell = to_visit.pop()
        for edge, (side, beside) in enumerate(zip(SIDES[cards[cell]], neighbours(cell), strict=True)):
            if not side.joined or beside in reached:
                continue
            if beside not in cards:
                frontier[beside] = fitting(cards, beside)
            elif SIDES[cards[beside]][OPPOSITE[edge]].joined:
                reached.add(beside)
                to_visit.append(beside)
    return Maze(cards, frozenset(reached), frontier)


NEW_MAZE = survey({START: START_CARD})
"""The start card alone."""
