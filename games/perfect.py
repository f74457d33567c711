"""What games without hidden information share: every viewer sees the whole position and every line as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from games.core import A, Rng, State


@dataclass(frozen=True)
class PerfectInformationState(State[A]):
    """A position in which nothing is hidden from anybody."""

    def line_for(self, viewer: int | None, player: int, action: A) -> str:
        """The canonical text, whoever asks."""
        return self.action_to_string(action)

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """This very position: there is nothing that a viewer does not know."""
        return self
