"""What the two-player games without hidden information share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, TypeVar

from games.core import A, Rng, State

T = TypeVar("T")


def replaced(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """Return `pair` with the value of `player` replaced."""
    return (value, pair[1]) if player == 0 else (pair[0], value)


@dataclass(frozen=True)
class PerfectInformationState(State[A]):
    """A position in which nothing is hidden."""

    def seen_by(self, viewer: int | None, player: int, action: A) -> A:
        """Return the action itself."""
        return action

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Return this position: the viewer knows all of it."""
        return self
