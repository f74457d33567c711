"""What one viewer of a match of Moor may see."""

from __future__ import annotations

from dataclasses import dataclass

from games.core import Observation


@dataclass(frozen=True)
class MoorObservation(Observation):
    """What `viewer` may see: all cairns, their own token, and all tokens once the match is over.

    Attributes:
        most: the most stones that a player may take at a time.
        stones: by cairn, the stones that are left.
        owners: by cairn, the seat that took the last stone, or ``None``.
        taken: by seat, the stones.
        scores: by seat, the points. Points for tokens are added only at the end.
        token: the viewer's own token, ``None`` for a spectator and before the deal.
        tokens: all tokens, ``None`` until the end.
    """

    most: int
    stones: tuple[int, ...]
    owners: tuple[int | None, ...]
    taken: tuple[int, ...]
    scores: tuple[int, ...]
    token: str | None
    tokens: tuple[str, ...] | None
