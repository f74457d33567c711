"""The empty cells in the maze of a `simulation`: which cards fit, and how a cell changes with a card beside it."""

from __future__ import annotations

from functools import cache
from typing import Final

from games.ambagibus.board import NOTHING, Tile, space_between, tunnel
from games.ambagibus.components import TUNNELS, openings, ways
from games.grid import Cell

Place = int
"""A cell as one number, `_WIDE` * x + y: adding a step of `STEPS` gives the cell beside it."""

_WIDE: Final = 1 << 10
STEPS: Final = (1, _WIDE, -1, -_WIDE)
"""By edge N E S W, the difference between a place and the one beside it."""

OPENINGS: Final = {card: openings(card).bit_count() for card in TUNNELS}
"""The number of openings of every tunnel card."""


def place_of(cell: Cell) -> Place:
    """Return the place of a cell."""
    return _WIDE * cell[0] + cell[1]


@cache
def cell_of(place: Place) -> Cell:
    """Return the cell of a place."""
    x = (place + _WIDE // 2) // _WIDE
    return x, place - _WIDE * x


class Gap:
    """An empty cell beside cards: like `board.Space`, but equal ones are the same object, which caches its results.

    Attributes:
        faces: what the cells beside it show, N E S W, as in `board.Space`.
        ranks: by seat the rank of a placement here, as in `board.Space`.
        kinds: the kinds of card that fit, none if no opening leads here.
        joins: the openings that lead here: the step to the card, its owner.
    """

    __slots__ = ("_after", "_space", "_ways", "faces", "joins", "kinds", "ranks")

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = faces
        self._space = space = space_between(*faces)
        alone = all(face == NOTHING for face in faces)
        self.kinds = space.kinds if space.needed or alone else 0
        self.joins = tuple((STEPS[edge], owner) for edge, _, owner in space.passages())
        self.ranks = space.ranks
        self._after: dict[int, Gap] = {}
        self._ways: dict[tuple[str, int], tuple[Tile, ...]] = {}

    def after(self, edge: int, face: int) -> Gap:
        """Return the gap with another face at one edge."""
        key = 32 * edge + face
        found = self._after.get(key)
        if found is None:
            found = gap((*self.faces[:edge], face, *self.faces[edge + 1 :]))
            self._after[key] = found
        return found

    def ways(self, card: str, owner: int) -> tuple[Tile, ...]:
        """Return the tiles that a card of `owner` can be here, one for each rotation that fits (A3)."""
        key = card, owner
        found = self._ways.get(key)
        if found is None:
            turned = ways(card, self._space.needed, self._space.closed)
            found = tuple(tunnel(each, owner) for each in turned)
            self._ways[key] = found
        return found


@cache
def gap(faces: tuple[int, ...]) -> Gap:
    """Return the gap between these faces, always the same object."""
    return Gap(faces)


BLANK: Final = gap((NOTHING,) * 4)
EDGES_AND_STEPS: Final = tuple((edge, step, (edge + 2) % 4) for edge, step in enumerate(STEPS))
