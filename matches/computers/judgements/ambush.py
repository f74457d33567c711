"""Ambush: the captures at stake (rules page ambush.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import compress
from math import tanh
from random import Random
from typing import Any, ClassVar, Final

from games.ambush import AmbushState
from games.ambush.actions import PIPS, SIZES, SQUARES, Place
from games.ambush.board import LINES, strength
from matches.computers.judgement import Judgement

_SCALE: Final = 5.0
_NEXT: Final = 0.7
"""How much of the best capture the player on turn can count on; the other one on the other half of what he has."""
_LATER: Final = 0.25


@cache
def _grown(sizes: str, size: str) -> int:
    """The strength of a stack with one pyramid more."""
    return strength(sizes + size)


def captures(state: AmbushState, player: int) -> dict[tuple[str, int], int]:
    """The pips that `player` would capture with each placement (size, square) that captures at all (B4-B6)."""
    board, opponent = state.board, 1 - player
    sizes = tuple(compress(SIZES, state.trees[player]))
    found: dict[tuple[str, int], int] = defaultdict(int)
    for line in LINES:
        target = board[line[1]]
        if target.owner != opponent:
            continue
        for far, near in ((line[0], line[2]), (line[2], line[0])):
            if board[far].owner == player and board[near].owner != opponent:
                missing = target.strength - board[far].strength
                stack = board[near].sizes
                for size in sizes:
                    if _grown(stack, size) > missing:
                        found[size, near] += PIPS[target.sizes[-1]]
    return found


class AmbushJudgement(Judgement[AmbushState]):
    """Playouts are short and capture what they can; then the captures at stake count."""

    exploration: ClassVar[float] = 0.15
    confidence: ClassVar[float] = 3.0
    horizon: ClassVar[int] = 5
    iterations: ClassVar[int] = 2500

    def values(self, state: AmbushState) -> Sequence[float]:
        """The lead in pips, with what can be captured next."""
        mine, theirs = state.returns()
        lead = mine - theirs
        if not state.is_terminal:
            lead += self._at_stake(state, 0) - self._at_stake(state, 1)
            first = 0.5 + 0.5 * tanh(lead / _SCALE)
        else:
            first = 0.5 + (0.4 if lead > 0 else -0.4 if lead < 0 else 0) + 0.1 * tanh(lead / _SCALE)
        return first, 1 - first

    def _at_stake(self, state: AmbushState, player: int) -> float:
        share = _NEXT if player == state.current_player else _LATER
        return share * max(captures(state, player).values(), default=0)

    def opinions(self, state: AmbushState, actions: Sequence[Any]) -> Sequence[float]:
        """Placements by what they capture; rotations below, for they cost a pyramid."""
        gains = captures(state, state.current_player)
        return [
            0.48 + 0.08 * gains.get((action.size, _INDEX[action.square]), 0) if isinstance(action, Place) else 0.45
            for action in actions
        ]

    def reply(self, state: AmbushState, rng: Random) -> Any:
        """The best capture, mostly; else a placement anywhere; now and then a rotation."""
        player = state.current_player
        actions = state.legal_actions(player)
        if state.pending:
            return actions[int(rng.random() * len(actions))]
        gains = captures(state, player)
        if gains and rng.random() < 0.9:
            size, square = max(gains, key=gains.__getitem__)
            return Place(size, SQUARES[square])
        free = sum(stack.owner != 1 - player for stack in state.board)
        placements = free * sum(map(bool, state.trees[player][:3]))
        number = placements if rng.random() < 0.9 else len(actions)
        return actions[int(rng.random() * number)]


_INDEX: Final = {square: index for index, square in enumerate(SQUARES)}
