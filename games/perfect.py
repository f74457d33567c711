"""What the games for two without hidden information share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, TypeVar

from games.core import A, Rng, State

T = TypeVar("T")


def replaced(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """A value for each of the two players, with that of `player` replaced."""
    return (value, pair[1]) if player == 0 else (pair[0], value)


@dataclass(frozen=True)
class PerfectInformationState(State[A]):
    """A position in which nothing is hidden from anybody."""

    def seen_by(self, viewer: int | None, player: int, action: A) -> A:
        """The action itself, whoever asks."""
        return action

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """This very position: there is nothing that a viewer does not know."""
        return self
