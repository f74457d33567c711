"""What a viewer sees of a match in any game: the latest line, how the match ended, what each seat was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

HIDDEN: Final = "?"
"""What stands for a card that is hidden, in an action as a viewer may see it (`State.seen_by`) and in its text.

Where a game keeps cards as numbers it has a number of its own for this.
"""

A = TypeVar("A")


class Outcome(NamedTuple):
    """How a match ended: who won (several for a shared victory) and, apart from it, why, as a sentence.

    The sentence names no player: people's names are put in by whoever shows it.
    """

    winners: tuple[int, ...]
    reason: str


class Part(NamedTuple):
    """What somebody was in a round that is decided, in a game with roles, and whether their side won it."""

    name: str
    won: bool


class Played(NamedTuple, Generic[A]):
    """A line as one viewer may see it: the player (or `CHANCE`) and the action with `HIDDEN` for what is hidden."""

    player: int
    action: A


@dataclass(frozen=True)
class Observation:
    """What one viewer may see; each game lists its own public and private facts in a subclass.

    `last` is the latest line by a player as this viewer may see it, `outcome` is there once the match is over.
    """

    viewer: int | None
    players: int
    current_player: int
    last: Played[Any] | None
    outcome: Outcome | None
