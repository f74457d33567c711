"""What a viewer of a match of Ambush sees: everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.ambush.board import Stack
from games.core import Observation

Counts = tuple[int, int, int]
"""The numbers of small, medium and large pyramids."""

Trees = tuple[int, int, int, int]
"""How many of a player's five trees show a small, a medium, a large and no pyramid."""


class Captured(NamedTuple):
    """A captured pyramid: its square, its size and its owner. The other player has it now."""

    square: str
    size: str
    owner: int


class Turned(NamedTuple):
    """A rotation: the coaster, and the degrees clockwise (B7)."""

    coaster: str
    angle: int


@dataclass(frozen=True)
class AmbushObservation(Observation):
    """The whole position, for every viewer.

    Attributes:
        first: the player who started, ``None`` until chance has drawn them.
        board: the stack of every square, row by row from the top left (A1 B1 … F6).
        trees: by player, what their trees show.
        stash: by player, the pyramids that are still in their trees.
        paid: by player, the pyramids that they spent on rotations.
        captured: by player, the pyramids that they captured from the opponent.
        scores: by player, the pips of these.
        turned: the rotation of the latest turn, if it was one. The current player can't rotate that coaster (B8). While
            captures are `pending`, it is the current player's own rotation.
        turn_captures: all captures of the latest turn so far, in order.
        last_captures: the captures that followed directly from the latest action.
        pending: the squares from which the current player must choose the next capture of their rotation (B9).
    """

    first: int | None
    board: tuple[Stack, ...]
    trees: tuple[Trees, ...]
    stash: tuple[Counts, ...]
    paid: tuple[Counts, ...]
    captured: tuple[Counts, ...]
    scores: tuple[int, ...]
    turned: Turned | None
    turn_captures: tuple[Captured, ...]
    last_captures: tuple[Captured, ...]
    pending: tuple[str, ...]
