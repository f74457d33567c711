"""What a viewer of a match of Ambush sees: everything, nothing is hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.ambush.board import Stack
from games.core import Observation

Counts = tuple[int, int, int]
"""How many small, medium and large pyramids."""

Trees = tuple[int, int, int, int]
"""How many of a player's five trees show a small, a medium, a large, and nothing any more."""


class Captured(NamedTuple):
    """A pyramid that was captured: where, which size, whose it was. The other player has it."""

    square: str
    size: str
    owner: int


class Turned(NamedTuple):
    """A rotation: the coaster, and by how many degrees clockwise (B7)."""

    coaster: str
    angle: int


@dataclass(frozen=True)
class AmbushObservation(Observation):
    """Everything, for everybody.

    `first` is who started, ``None`` until it is drawn. `board` holds the stack of every square, row by row from the
    top left (A1 B1 … F6). By player: `trees`; `stash`, the pyramids still in them; `paid`, those spent on rotations;
    `captured`, those he has captured from the other; `scores`, their pips.

    `turned` is the rotation of the latest turn, if it was one: the player on turn may not rotate that coaster (B8),
    unless captures are `pending`. `pending` are the squares of which the player on turn must name one, in the middle
    of his rotation (B9). `turn_captures` are all captures of the latest turn so far, in order, `last_captures` those
    that followed directly from the latest action.
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
