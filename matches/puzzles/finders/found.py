"""What a finder returns, and the reasons for which positions are thrown away."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

from games.core import State
from games.log import Line
from matches.puzzles.puzzle import Asked, Refuted, Step, Way

S = TypeVar("S", bound=State[Any])

MOST_STEPS: Final = 24
"""A puzzle with more steps, all branches counted, has too many ways to the goal."""

MOST_TURNS: Final = 4
"""After this many right answers the rest isn't asked."""


class Found(NamedTuple):
    """A puzzle at a position, before it has a difficulty.

    Attributes:
        symmetry: equal for positions that are alike up to symmetry.
        share: the share of the legal actions that are right at first.
        lines: those of its log, if they aren't those of the match: something that the solver can't know is different.
    """

    kind: str
    first: Asked
    symmetry: Hashable
    share: float
    amount: int = 0
    lines: Sequence[Line] = ()


class Dropped(Exception):
    """A position that isn't a puzzle. The message is the reason, for the tool's report."""


def share_of(right: Sequence[Any], actions: Collection[Any], largest: float, why: str) -> float:
    """Return the share of the actions that are right. Raises Dropped, with this reason, if it's larger."""
    share = len(right) / len(actions)
    if share > largest:
        raise Dropped(why)
    return share


def of_few_steps(step: Step) -> Step:
    """Return the first step of a puzzle. Raises Dropped if it has too many ways to the goal."""
    if step.size > MOST_STEPS:
        raise Dropped("too many ways")
    return step


def grouped(answers: Mapping[str, Iterable[str]]) -> tuple[Refuted, ...]:
    """Return few answers that together refute all these wrong actions, each with the actions that it refutes.

    `answers` holds for each wrong action those that refute it. An empty one means that none is needed. Semicolons join
    the lines of an answer. The largest group comes last and names no actions.
    """
    open_ones = {action: set(replies) for action, replies in answers.items()}
    groups: list[tuple[str, tuple[str, ...]]] = []
    while open_ones:
        replies = sorted({reply for each in open_ones.values() for reply in each})
        best = max(replies, key=lambda reply: sum(reply in each for each in open_ones.values()))
        covered = tuple(action for action in open_ones if best in open_ones[action])
        groups.append((best, covered))
        for action in covered:
            del open_ones[action]
    groups.sort(key=lambda group: len(group[1]))
    return tuple(
        Refuted(tuple(reply.split(";")) if reply else (), () if number == len(groups) else actions)
        for number, (reply, actions) in enumerate(groups, 1)
    )


def least(values: Sequence[Hashable]) -> str:
    """Return a text for the least of some values that are the same up to symmetry."""
    return min(map(repr, values))


class Proof(ABC, Generic[S]):
    """Proves which actions of a player win, and makes a puzzle's steps of that."""

    def __init__(self, player: int) -> None:
        self._player = player

    @abstractmethod
    def is_right(self, state: S, action: Any) -> bool:
        """Return whether the player wins with this action. Raises Dropped if that takes too long."""

    @abstractmethod
    def refuted(self, state: S, wrong: Sequence[Any]) -> tuple[Refuted, ...]:
        """Return the answers to wrong actions."""

    @abstractmethod
    def chances(self, state: S) -> Any:
        """Return how easy it is for the player to go on from here."""

    def step(self, state: S, turns: int) -> Step:
        """Return everything that is right at a position, and the answers to all that is wrong."""
        actions = state.legal_actions(self._player)
        right = [action for action in actions if self.is_right(state, action)]
        ways = [self._way(state, action, turns - 1) for action in right]
        ways.sort(key=lambda way: (way.next.length if way.next else 0, way.action))
        return Step(tuple(ways), (), self.refuted(state, [action for action in actions if action not in right]))

    def _way(self, state: S, action: Any, turns: int) -> Way:
        """Return how a right action goes on: with the opponent's answer after which the `chances` are the smallest.

        It goes on until the player has a choice, for `turns` of theirs.
        """
        text, then = state.action_to_string(action), list[str]()
        state = state.child(self._player, action)
        while turns and not state.rounds_over and state.current_player >= 0:
            mover = state.current_player
            actions = state.legal_actions(mover)
            if mover == self._player:
                if not all(self.is_right(state, action) for action in actions):
                    return Way(text, tuple(then), self.step(state, turns))
                if len(actions) > 1:
                    break
                chosen = actions[0]
            else:
                chosen = min(actions, key=lambda action: self.chances(state.child(mover, action)))
            then.append(f"{mover} {state.action_to_string(chosen)}")
            state = state.child(mover, chosen)
        return Way(text)
