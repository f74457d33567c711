"""Ambiente Abissal: what gets rid of cards (rules page abissal.md)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, Final

from games.abissal import AbissalState
from games.abissal.components import NUMBERS, indices
from games.core import Played
from matches.computers.judgement import Judgement

PASSING: Final = 0.12
"""How often a playout passes although it could follow: strong cards are worth keeping."""


def _strength(cards: int) -> int:
    """How strong a play is: suits and numbers, both counted from 0, of all its cards."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


class AbissalJudgement(Judgement[AbissalState]):
    """Looks ahead to the end of the round; playouts lay the weakest cards that do."""

    exploration: ClassVar[float] = 0.5
    iterations: ClassVar[int] = 4000

    def __init__(self, position: AbissalState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self._rounds = len(position.results)

    def is_decided(self, state: AbissalState) -> bool:
        """The end of the round: the next deal has nothing to do with it."""
        return len(state.results) > self._rounds

    def values(self, state: AbissalState) -> Sequence[float]:
        """The points of the round, the best place being worth 1 (D10, D11)."""
        points = state.results[-1].points
        return [own / max(points) for own in points]

    def opinions(self, state: AbissalState, actions: Sequence[Any]) -> Sequence[float]:
        """Many and weak cards first; a pass below most."""
        return [
            0.5 + 0.1 * action.cards.bit_count() - 0.015 * _strength(action.cards) if action.cards else 0.4
            for action in actions
        ]

    def reply(self, state: AbissalState, rng: Random) -> Any:
        """A random lead, two cards where possible; as an answer the weakest play, now and then a pass."""
        actions: Sequence[Any] = state.legal_actions(state.current_player)
        if state.strength is None:
            return actions[-1 - int(rng.random() ** 2 * len(actions))]
        if len(actions) == 1 or rng.random() < PASSING:
            return actions[-1]
        return min(actions[:-1], key=lambda action: _strength(action.cards))
