"""What a viewer of a match of Gambo sees: everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from games.core import Observation
from games.gambo.board import LANES, SIDES
from games.gambo.components import BONUS, DUELS_IN_A_MATCH


class Fought(NamedTuple):
    """A finished duel: both pieces with their corridor squares, the winner and the points (G7).

    `attacking` is the player who attacked, `winner` the player who scored. `points` exclude the bonus of G12.
    """

    attacking: int
    attacker: str
    attacker_square: str
    target: str
    target_square: str
    winner: int
    points: int


def totals(duels: Sequence[Fought]) -> tuple[tuple[int, int], ...]:
    """Return both players' points after each of the duels, the extra points for the last one included (G12)."""
    points, found = [0, 0], []
    for number, fought in enumerate(duels, 1):
        points[fought.winner] += fought.points + (BONUS if number == DUELS_IN_A_MATCH else 0)
        found.append((points[0], points[1]))
    return tuple(found)


def worst(duels: Sequence[Fought], player: int) -> tuple[int, int]:
    """Return the score at which a player was furthest behind, or least ahead: their own points first."""
    return _worst([(pair[player], pair[1 - player]) for pair in totals(duels)])


def worst_since_lead(duels: Sequence[Fought], player: int) -> tuple[int, int]:
    """Return the worst score (as `worst`) since the player was last ahead, before the latest duel."""
    before = [(pair[player], pair[1 - player]) for pair in totals(duels[:-1])]
    return _worst(list(takewhile(lambda pair: pair[0] <= pair[1], reversed(before))))


def _worst(scores: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return min(scores, key=lambda pair: pair[0] - pair[1], default=(0, 0))


class Moved(NamedTuple):
    """A piece that the latest action touched: its square before, and its square after (``None``: off the board)."""

    player: int
    piece: str
    origin: str
    destination: str | None


@dataclass(frozen=True)
class GamboObservation(Observation):
    """The whole position, for every viewer.

    Attributes:
        sides: the side of each player, empty until it is chosen.
        north, south: the starting squares from the left. An empty square is ``""``; before the deal there are none.
        corridor: its 18 squares in the same way. Pieces of south only stand on odd squares (indices 0, 2, …), pieces of
            north on even ones.
        scores: the points of each player.
        duels: the finished duels, oldest first.
        moved: the pieces that the latest action moved.
        swaps_in_a_row: by player, as G11 counts them.
        swap_bars: by player the rule that would forbid a swap if it were their turn now, or ``None``.
    """

    sides: tuple[str, ...]
    north: tuple[str, ...]
    south: tuple[str, ...]
    corridor: tuple[str, ...]
    scores: tuple[int, ...]
    duels: tuple[Fought, ...]
    moved: tuple[Moved, ...]
    swaps_in_a_row: tuple[int, ...]
    swap_bars: tuple[str | None, ...]

    def lanes(self, *, own: bool) -> dict[str, int]:
        """Return the lane of every piece on the board that belongs to the current player, or else to the opponent."""
        side = SIDES.index(self.sides[self.current_player if own else 1 - self.current_player])
        rows = (self.south, self.north)
        pieces = {lane: self.corridor[lane] or rows[side][lane // 2] for lane in range(side, LANES, len(SIDES))}
        return {piece: lane for lane, piece in pieces.items() if piece}
