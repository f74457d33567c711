"""What a viewer sees of a match in any game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

HIDDEN: Final = "?"
"""A hidden card, in an action from `State.seen_by` and in its text.

A game that stores cards as numbers has a number of its own for this.
"""

CHANCE: Final = -1
TERMINAL: Final = -4

A = TypeVar("A")


class Outcome(NamedTuple):
    """How a match ended: the `winners` (several if they share the victory) and the `reason`, one sentence.

    The sentence names no player. The caller adds the names.
    """

    winners: tuple[int, ...]
    reason: str


class Part(NamedTuple):
    """A seat's role in a decided round, and whether that side won the round. Only games with roles have parts."""

    name: str
    won: bool


class Played(NamedTuple, Generic[A]):
    """An action as one viewer may see it, with its player (or `CHANCE`). `HIDDEN` stands for what is hidden."""

    player: int
    action: A


@dataclass(frozen=True)
class Observation:
    """What one viewer may see. Each game lists its own facts in a subclass.

    `last` is the latest action of a player as this viewer may see it. `outcome` is ``None`` until the match is over.
    """

    viewer: int | None
    players: int
    current_player: int
    last: Played[Any] | None
    outcome: Outcome | None

    @property
    def roles_hidden(self) -> bool:
        """Whether players have hidden roles now, so that they can suspect each other. Such games override it."""
        return False

    @property
    def unmasked_by_round(self) -> tuple[frozenset[int], ...]:
        """For each decided round, the seats that had the role `GameInfo.suspected`. Such games override it."""
        return ()

    def closed(self, outcome: Outcome) -> Self:
        """Return the same after people have ended the match: nobody acts any more, and this is the outcome."""
        return replace(self, current_player=TERMINAL, outcome=outcome)
