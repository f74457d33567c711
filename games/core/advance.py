"""What a game lets people say in advance: moves that wait for their moment.

All conditions are asked of the observation of whoever gave the order, so that none comes true by what they can't see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from games.core.observation import Observation
from games.core.state import State


class Exclusion(NamedTuple):
    """Something that keeps an order from being carried out: ``unless`` and what it `says`.

    `sign` returns what it looks at, as a text: from the observation of whoever gave the order, and the action (``None``
    for an instruction). It has happened once this text isn't empty. `since`: once it isn't what it was when the order
    was given, either.
    """

    key: str
    says: str
    sign: Callable[[Any, Any], str]
    since: bool = False

    def noted(self, seen: Observation, action: Any) -> str:
        """Return what must be remembered of the moment in which the order is given."""
        return self.sign(seen, action) if self.since else ""

    def has_happened(self, noted: str, seen: Observation, action: Any) -> bool:
        """Return whether it has happened since the order was given, when this was `noted`."""
        return self.sign(seen, action) not in ("", noted)


class Instruction(NamedTuple):
    """An order that stands for several turns, as it `says`.

    `about` returns what it is about (such as the number of the trick), empty where it makes no sense. It ends as soon
    as that is another. `answer` returns one of the legal actions, or ``None`` to be asked as always.
    """

    key: str
    says: str
    about: Callable[[Any], str]
    answer: Callable[[Any, Sequence[Any]], Any | None]


def on_turn(state: State[Any], seat: int) -> State[Any] | None:
    """Return the position as if it were the turn of `seat`."""
    return state.evolve(current_player=seat)


@dataclass(frozen=True)
class Advance:
    """What can be said in advance in a game. Without any of it, people can still say their next move.

    `replies`: they can answer each move of the player before them differently. `as_if` returns a position in which the
    legal actions of a seat are those that its person may choose their next move from, or ``None`` where they can't know
    any. It is asked of a position that was resampled from what they know.
    """

    exclusions: tuple[Exclusion, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    replies: bool = False
    as_if: Callable[[Any, int], State[Any] | None] = on_turn

    def exclusion(self, key: str) -> Exclusion | None:
        """Return the exclusion with this key."""
        return next((each for each in self.exclusions if each.key == key), None)

    def instruction(self, key: str) -> Instruction | None:
        """Return the instruction with this key."""
        return next((each for each in self.instructions if each.key == key), None)


NOTHING_SPECIAL: Final = Advance()
"""People say their next move, and that is all."""
