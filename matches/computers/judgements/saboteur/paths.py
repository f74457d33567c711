"""How far the paths of a maze are from the treasure, and how near each card would bring them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur import SaboteurState
from games.saboteur.actions import Dig, numbers
from games.saboteur.board import Maze, fitting
from games.saboteur.components import CARD_OF, FINISH, PIECES, SIDES, TREASURE

FAR: Final = 20
"""The distance if no path can continue."""

_JOINED: Final = {
    piece: sum(1 << edge for edge, side in enumerate(sides) if side.joined) for piece, sides in SIDES.items()
}
"""The joined edges of each piece, as a mask."""


class Front:
    """How far the paths of a maze are from `goals`, and how near each path card would bring them.

    `missing` is the number of cards that the shortest way still needs. `distance` is that, and a little more if the
    second best end of a path is farther away: a single way is easily blocked. The distance of an end counts from where
    the next card there can lead.
    """

    def __init__(self, maze: Maze, goals: tuple[Cell, ...]) -> None:
        self._maze = maze
        self._cards = maze.cards
        self._goals = goals
        ends = [(self._missing(cell, fits), cell) for cell, fits in maze.frontier.items() if fits or cell in goals]
        self._ends = sorted(ends)[:3]
        found = [missing for missing, _ in self._ends]
        self.missing = min(found, default=FAR)
        self.distance = _in_all(found)
        self._ways: dict[Cell, tuple[list[int], list[int]]] = {}
        self._after: dict[tuple[Cell, int], list[int]] = {}

    def useful(self) -> frozenset[str]:
        """Return the path cards that bring the paths nearer, leaving aside what they'd reconnect."""
        pieces = 0
        for missing, cell in self._ends:
            if missing == self.missing and missing:
                for edge, way in enumerate(self._around(cell)[1]):
                    if way < missing:
                        pieces |= self._maze.frontier[cell] & LEADING_IN[OPPOSITE[edge]]
        return cards_of(pieces)

    def after(self, dig: Dig) -> float:
        """Return `distance` after a path card is laid."""
        return _in_all(self._ends_after(dig))

    def missing_after(self, dig: Dig) -> int:
        """Return `missing` after a path card is laid."""
        return min(self._ends_after(dig), default=FAR)

    def _ends_after(self, dig: Dig) -> list[int]:
        """Return the missing cards of the path ends after a path card is laid."""
        cell, joined = dig.cell, _JOINED[dig.piece]
        found = self._after.get((cell, joined))
        if found is None:
            if self._rejoins(cell, joined):
                found = [missing for missing, _ in Front(self._maze.lay(cell, dig.piece), self._goals)._ends]
            else:
                others, ways = self._around(cell)
                found = [*others, *(way for edge, way in enumerate(ways) if joined >> edge & 1)]
            self._after[cell, joined] = found
        return found

    def _rejoins(self, cell: Cell, joined: int) -> bool:
        """Return whether a card on `cell` with these joined edges reconnects stranded cards."""
        stranded = self._maze.stranded
        return bool(stranded) and any(
            joined >> edge & 1 and beside in stranded for edge, beside in enumerate(neighbours(cell))
        )

    def _around(self, cell: Cell) -> tuple[list[int], list[int]]:
        """Return the missing cards of the other ends, and those of a path that leaves `cell` at each edge."""
        found = self._ways.get(cell)
        if found is None:
            ways = []
            for edge, beside in enumerate(neighbours(cell)):
                fits = 0 if beside in self._cards else fitting(self._cards, beside) & LEADING_IN[edge]
                ways.append(self._missing(beside, fits) if fits or beside in self._goals else FAR)
            found = [missing for missing, other in self._ends if other != cell], ways
            self._ways[cell] = found
        return found

    def _missing(self, cell: Cell, fits: int) -> int:
        """Return how many cards a path that opens into `cell` still needs. The pieces `fits` can lie there."""
        exits = exits_of(fits)
        for edge, beside in enumerate(neighbours(cell)):
            if beside in self._cards:
                exits &= ~(1 << edge)
        return _cards_missing(cell, exits, self._goals)


LEADING_IN: Final = tuple(
    sum(1 << number for number, piece in enumerate(PIECES) if SIDES[piece][OPPOSITE[edge]].joined) for edge in range(4)
)
"""By edge, the pieces (a mask) that continue a path which leaves a card at that edge."""


@lru_cache(maxsize=1 << 12)
def cards_of(pieces: int) -> frozenset[str]:
    """Return the cards that can become one of these pieces (a mask)."""
    return frozenset(CARD_OF[PIECES[number]] for number in numbers(pieces))


@lru_cache(maxsize=1 << 14)
def exits_of(fits: int) -> int:
    """Return the edges at which one of these pieces lets a path continue, as a mask."""
    exits = 0
    for number in numbers(fits):
        exits |= _JOINED[PIECES[number]]
    return exits


@lru_cache(maxsize=1 << 16)
def _cards_missing(cell: Cell, exits: int, goals: tuple[Cell, ...]) -> int:
    """Return how many cards a path that opens into `cell`, and can leave it at `exits`, needs to reach a goal."""
    if cell in goals:
        return 0
    ways = [beside for edge, beside in enumerate(neighbours(cell)) if exits >> edge & 1]
    return 1 + min((abs(x - gx) + abs(y - gy) for x, y in ways for gx, gy in goals), default=FAR - 1)


def _in_all(ends: list[int]) -> float:
    """Return the distance for the missing cards of each end (`Front`)."""
    best = second = FAR
    for missing in ends:
        if missing < best:
            best, second = missing, best
        elif missing < second:
            second = missing
    return best + 0.15 * min(second - best, 2)


def believed(state: SaboteurState, player: int) -> tuple[Cell, ...]:
    """Return the cells where the treasure may be, as far as `player` has seen (S12)."""
    cells = []
    for number, cell in enumerate(FINISH):
        if cell in state.maze.cards:
            continue
        if state.seen[number] >> player & 1:
            if state.goals[number] == TREASURE:
                return (cell,)
        else:
            cells.append(cell)
    return tuple(cells)
