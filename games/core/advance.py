"""What a game lets people say in advance: moves that wait for their moment.

Every condition looks only at the observation of the person who gave the order, so it reveals nothing that they can't
see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from games.core.observation import Observation
from games.core.state import State


class Exclusion(NamedTuple):
    """A condition that stops an order. People read it as "unless" and what it `says`.

    `evidence` takes the observation of the person who gave the order, and the action (``None`` for an instruction).
    It returns what the condition looks at, as a text. The condition is met when this text isn't empty. With `since`,
    the text must also differ from the one when the order was given.
    """

    key: str
    says: str
    evidence: Callable[[Any, Any], str]
    since: bool = False

    def baseline(self, seen: Observation, action: Any) -> str:
        """Return the text that `has_happened` needs to know from the moment when the order is given."""
        return self.evidence(seen, action) if self.since else ""

    def has_happened(self, baseline: str, seen: Observation, action: Any) -> bool:
        """Return whether the condition is met. `baseline` is what `Exclusion.baseline` returned for the new order."""
        return self.evidence(seen, action) not in ("", baseline)


class Instruction(NamedTuple):
    """An order that stands for several turns, as it `says`.

    `about` returns what it is about, as a text (such as the number of the trick); empty where the instruction makes no
    sense. The instruction ends when this text changes. `answer` returns one of the legal actions, or ``None`` if the
    player has to be asked as usual.

    `at_once`: whether it makes sense follows from what everybody sees, so it needn't wait to keep a secret. Everybody
    is offered it, also in their own turn.
    """

    key: str
    says: str
    about: Callable[[Any], str]
    answer: Callable[[Any, Sequence[Any]], Any | None]
    at_once: bool = False


def as_turn_of(state: State[Any], seat: int) -> State[Any] | None:
    """Return the position as if it were the turn of `seat`."""
    return state.evolve(current_player=seat)


@dataclass(frozen=True)
class Advance:
    """What can be said in advance in a game. Without any of it, people can still say their next move.

    `replies`: they can answer each move of the player before them differently. `next_turn` takes a position and a
    seat. It returns the position in which that seat has the turn: its legal actions are those from which the player may
    choose a next move. It returns ``None`` if the player can't know any yet. Resample the position from what they know
    first.
    """

    exclusions: tuple[Exclusion, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    replies: bool = False
    next_turn: Callable[[Any, int], State[Any] | None] = as_turn_of

    def exclusion(self, key: str) -> Exclusion | None:
        """Return the exclusion with this key."""
        return next((each for each in self.exclusions if each.key == key), None)

    def instruction(self, key: str) -> Instruction | None:
        """Return the instruction with this key."""
        return next((each for each in self.instructions if each.key == key), None)


NOTHING_SPECIAL: Final = Advance()
"""People say their next move, and that is all."""
