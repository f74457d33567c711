"""What a viewer of a match of Gambo sees: everything, nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.core import Observation


class Fought(NamedTuple):
    """A duel that was fought: both pieces with their corridor squares, who won it and the points it gave (G7).

    `attacking` is the player who attacked, `winner` the player who scored; `points` are without the bonus of G12.
    """

    attacking: int
    attacker: str
    attacker_square: str
    target: str
    target_square: str
    winner: int
    points: int


class Moved(NamedTuple):
    """A piece that the latest action touched: where it stood before, where it stands now (``None``: off the board)."""

    player: int
    piece: str
    origin: str
    destination: str | None


@dataclass(frozen=True)
class GamboObservation(Observation):
    """Everything, for everybody.

    `sides` gives each player's side, and is empty until it is chosen. `north` and `south` are the starting squares
    from the left, `corridor` its 18 squares; an empty square is ``""``, and before the deal all three are empty
    tuples. Odd corridor squares (indices 0, 2, …) only ever hold pieces of south, even ones of north. `moved` tells
    where the pieces of the latest action stood and stand. `swaps_in_a_row` counts by player as G11 does;
    `swap_bars` names by player the rule that would keep him from swapping if it were his turn now, or ``None``.
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
