"""Ambiente Abissal: in how few turns a hand can be got rid of (rules page abissal.md)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final

from games.abissal import AbissalState
from games.abissal.components import COLUMNS, NUMBERS, ROWS, indices
from games.core import Played
from matches.computers.judgement import Judgement

PASSING: Final = 0.12
"""How often a playout passes although it could follow: strong cards are worth keeping."""

_FEWER: Final = 0.12
"""What a turn less to come is worth at first sight, and what each step of strength costs."""
_STEP: Final = 0.012


@lru_cache(maxsize=1 << 16)
def _strength(cards: int) -> int:
    """How strong a play is: suits and numbers, both counted from 0, of all its cards."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


@lru_cache(maxsize=1 << 18)
def turns(hand: int) -> int:
    """In how few leads a hand can be laid down, two cards of a suit or of a number at a time (D3).

    Cards that hang together by suits and numbers can all be paired but for one where they are odd (a connected graph
    without claws has a matching that leaves out at most one: Sumner, 1974), so each such group counts half its cards.
    """
    count = 0
    while hand:
        group = hand & -hand
        grown = 0
        while group != grown:
            grown = group
            for line in _LINES:
                if group & line:
                    group |= hand & line
        count += (group.bit_count() + 1) // 2
        hand &= ~group
    return count


_LINES: Final = (*ROWS, *COLUMNS)


class AbissalJudgement(Judgement[AbissalState]):
    """Looks ahead to the end of the round; playouts lay the weakest cards that leave fewer turns to come."""

    exploration: ClassVar[float] = 0.5
    confidence: ClassVar[float] = 3.0
    iterations: ClassVar[int] = 2900

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
        """What leaves fewer turns to come, and weak cards, first; a pass below most."""
        hand = state.hands[state.current_player]
        before = turns(hand)
        return [
            0.45
            + _FEWER * (before - turns(hand & ~action.cards))
            - _STEP * _strength(action.cards) / action.cards.bit_count()
            if action.cards
            else 0.4
            for action in actions
        ]

    def reply(self, state: AbissalState, rng: Random) -> Any:
        """The weakest cards that leave a turn less to come, else the weakest; now and then any lead, or a pass."""
        player = state.current_player
        actions: Sequence[Any] = state.legal_actions(player)
        if len(actions) == 1:
            return actions[0]
        if state.strength is None:
            if rng.random() < 0.3:
                return actions[int(rng.random() * len(actions))]
        elif rng.random() < PASSING:
            return actions[-1]
        else:
            actions = actions[:-1]
        hand = state.hands[player]
        best, chosen = 99.0, actions[0]
        for action in actions:
            cards = action.cards
            worth = 9.0 * turns(hand & ~cards) + _strength(cards) / cards.bit_count() + rng.random()
            if worth < best:
                best, chosen = worth, action
        return chosen
