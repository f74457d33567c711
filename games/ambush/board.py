"""The board of Ambush: squares, lines, turning coasters, strengths, and captures after a rotation (B3, B4, B7, B9).

Squares are numbers 0-35, row by row from the top left (the index into `SQUARES`). A *line* is three neighbouring
squares in a row, a column or a diagonal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from games.ambush.components import ANGLES, COASTERS, PIPS, SQUARES

SIDE: Final = 6
COASTER: Final = 3
NOBODY: Final = -1


class Stack(NamedTuple):
    """The pyramids on a square, all of one `owner` (B2). `sizes` are from the bottom up, `strength` is as in B3."""

    owner: int
    sizes: str
    strength: int


Board = tuple[Stack, ...]
"""The stack on every square, or `EMPTY`."""

EMPTY: Final = Stack(NOBODY, "", 0)


def strength(sizes: str) -> int:
    """Return the visible pips of a stack from the bottom up: only a strictly larger pyramid above hides one (B3)."""
    total = largest = 0
    for size in reversed(sizes):
        pips = PIPS[size]
        if pips >= largest:
            total += pips
            largest = pips
    return total


def with_top(stack: Stack, owner: int, size: str) -> Stack:
    """Return a stack, or an empty square, after `owner` has put a pyramid on it (B2)."""
    sizes = stack.sizes + size
    return Stack(owner, sizes, strength(sizes))


def without_top(stack: Stack) -> Stack:
    """Return a stack without its top pyramid (B5)."""
    sizes = stack.sizes[:-1]
    return Stack(stack.owner, sizes, strength(sizes)) if sizes else EMPTY


def _lines() -> tuple[tuple[int, int, int], ...]:
    """Return every line of the board once, as (captor, target, captor)."""
    return tuple(
        (SIDE * row + column, SIDE * (row + down) + column + right, SIDE * (row + 2 * down) + column + 2 * right)
        for row in range(SIDE)
        for column in range(SIDE)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + 2 * down < SIDE and 0 <= column + 2 * right < SIDE
    )


def _squares_of(coaster: str) -> tuple[int, ...]:
    """Return the nine squares of a coaster, row by row."""
    top = COASTER * ("S" in coaster)
    left = COASTER * ("E" in coaster)
    return tuple(SIDE * (top + row) + left + column for row in range(COASTER) for column in range(COASTER))


def _turning(coaster: str, angle: int) -> Callable[[Board], Board]:
    """Return a function that turns a coaster clockwise (B7): square *i* gets the stack of its source square."""
    sources = list(range(len(SQUARES)))
    squares = _squares_of(coaster)
    for place, square in enumerate(squares):
        row, column = divmod(place, COASTER)
        for _ in range(angle // 90):
            row, column = COASTER - 1 - column, row
        sources[square] = squares[COASTER * row + column]
    return itemgetter(*sources)


LINES: Final = _lines()

FROM_SQUARE: Final = tuple(
    tuple((line[1], line[2] if line[0] == square else line[0]) for line in LINES if square in (line[0], line[2]))
    for square in range(len(SQUARES))
)
"""For every square the lines that end there, as (target, other captor). There are up to eight directions (B6)."""

ACROSS: Final = {
    coaster: tuple(line for line in LINES if 0 < len(set(line) & set(_squares_of(coaster))) < len(line))
    for coaster in COASTERS
}
"""For every coaster the lines with a square on it and a square off it (B9)."""

TURNED: Final = {(coaster, angle): _turning(coaster, angle) for coaster in COASTERS for angle in ANGLES}
"""For every coaster and angle the function that turns the coaster on a board."""

COASTER_OF: Final = {square: coaster for coaster in COASTERS for square in _squares_of(coaster)}


def capturable(board: Sequence[Stack], coaster: str, fallen: Collection[int]) -> tuple[int, ...]:
    """Return the squares that can lose a pyramid now, after `coaster` turned (B9).

    `fallen` are the squares that have already lost one in this turn.
    """
    found = set()
    for one, target, other in ACROSS[coaster]:
        owner, _, needed = board[target]
        if owner == NOBODY or target in fallen:
            continue
        captor, _, power = board[one]
        if captor == 1 - owner:
            ally, _, more = board[other]
            if ally == captor and power + more > needed:
                found.add(target)
    return tuple(sorted(found))


def captures_in_any_order(board: Sequence[Stack], coaster: str, fallen: Collection[int]) -> tuple[int, ...] | None:
    """Return the squares that still lose a pyramid after a rotation, in one possible order (B9).

    ``None`` if different orders capture on different squares. This follows every order to its end. A position depends
    only on which squares have fallen, not on their order. Only twelve squares can be the middle of a line across a
    coaster's edge, so there are at most 4096 positions.
    """
    if not capturable(board, coaster, fallen):
        return ()
    ends: dict[frozenset[int], tuple[int, ...]] = {}
    seen = {frozenset[int]()}
    open_orders: list[tuple[int, ...]] = [()]
    while open_orders:
        order = open_orders.pop()
        now = list(board)
        for square in order:
            now[square] = without_top(now[square])
        following = capturable(now, coaster, {*fallen, *order})
        if not following:
            ends[frozenset(order)] = order
            if len(ends) > 1:
                return None
        for square in reversed(following):
            together = frozenset((*order, square))
            if together not in seen:
                seen.add(together)
                open_orders.append((*order, square))
    (order,) = ends.values()
    return order
