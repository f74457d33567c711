"""Ambush: the captures at stake (rules page ambush.md)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from itertools import compress
from math import tanh
from random import Random
from typing import Any, ClassVar, Final

from games.ambush import AmbushState
from games.ambush.actions import Place
from games.ambush.board import LINES, strength
from games.ambush.components import PIPS, SIZES, SQUARE_NUMBER, SQUARES
from matches.computers.judgement import Judgement
from matches.computers.levels import STRENGTHS, Level, Strength

_SCALE: Final = 5.0
_NEXT: Final = 0.7
"""The share of the best capture that counts for the current player."""
_LATER: Final = 0.25
"""The share of the best capture that counts for the other player."""


@cache
def _grown(sizes: str, size: str) -> int:
    """Return the strength of a stack with one more pyramid."""
    return strength(sizes + size)


Gains = dict[tuple[str, int], int]
"""Captured pips by placement: size and square."""


def captures(state: AmbushState) -> tuple[Gains, Gains]:
    """Return for both players the pips that each of their capturing placements would bring now (B4-B6)."""
    board = state.board
    sizes = [tuple(compress(SIZES, trees)) for trees in state.trees]
    found: tuple[Gains, Gains] = ({}, {})
    for one, middle, other in LINES:
        opponent, tops, needed = board[middle]
        if opponent < 0:
            continue
        player = 1 - opponent
        here, there = board[one], board[other]
        if here.owner == player and there.owner != opponent:
            _note(found[player], sizes[player], needed - here.strength, there.sizes, other, PIPS[tops[-1]])
        if there.owner == player and here.owner != opponent:
            _note(found[player], sizes[player], needed - there.strength, here.sizes, one, PIPS[tops[-1]])
    return found


def _note(gains: Gains, sizes: Sequence[str], missing: int, stack: str, square: int, pips: int) -> None:
    for size in sizes:
        if _grown(stack, size) > missing:
            gains[size, square] = gains.get((size, square), 0) + pips


def _at_stake(state: AmbushState, player: int) -> float:
    """Return the lead in pips that `player` can expect from the next captures."""
    mine, theirs = (max(gains.values(), default=0) for gains in captures(state))
    lead = _NEXT * mine - _LATER * theirs if state.current_player == 0 else _LATER * mine - _NEXT * theirs
    return lead if player == 0 else -lead


class AmbushJudgement(Judgement[AmbushState]):
    """Playouts are short and capture what they can. Then the captures at stake count."""

    exploration: ClassVar[float] = 0.15
    unit: ClassVar[str] = "pip"
    confidence: ClassVar[float] = 3.0
    horizon: int = 5
    iterations: int = 2500
    strengths: ClassVar[Mapping[Level, Strength]] = {
        **STRENGTHS,
        Level.HARD: Strength(0.0, 0.0, nodes=8_000),
        Level.EXPERT: Strength(0.0, 0.0, nodes=55_000),
    }

    def values(self, state: AmbushState) -> Sequence[float]:
        """Return the lead in pips, with what can be captured next, as a value."""
        lead = self.leads(state)[0]
        first = super().likely_value(lead) if state.is_terminal else self.likely_value(lead)
        return first, 1 - first

    def likely_value(self, lead: float) -> float:
        """Return how likely a win is with this lead before the end."""
        return 0.5 + 0.5 * tanh(lead / _SCALE)

    def end_value(self, winning: float, lead: float) -> float:
        """Return mostly who won, and a little by how much."""
        return 0.1 + 0.8 * winning + 0.1 * tanh(lead / _SCALE)

    def leads(self, state: AmbushState) -> Sequence[float]:
        """Return the leads in pips, with what can be captured next."""
        mine, theirs = state.returns()
        lead = mine - theirs
        if not state.is_terminal:
            lead += _at_stake(state, 0)
        return lead, -lead

    def estimate(self, state: AmbushState) -> float:
        """Return the lead in pips, with what can be captured next."""
        return super().estimate(state) + _at_stake(state, state.current_player)

    def throws_away(self, action: Any) -> bool:
        """Return whether the action captures more of the player's own pips than of the opponent's.

        So does one that places a large pyramid where the opponent can then take as much at once, and couldn't before.
        """
        child, rival = self.position.child(self.player, action), 1 - self.player
        before, after = self.position.returns(), child.returns()
        gain = after[self.player] - after[rival] - before[self.player] + before[rival]
        if gain < 0 or not (isinstance(action, Place) and action.size == "L") or child.current_player != rival:
            return gain < 0
        earlier, now = (max(captures(state)[rival].values(), default=0) for state in (self.position, child))
        return now > earlier and now - gain >= PIPS["L"]

    def key(self, state: AmbushState) -> Hashable:
        """Return everything except the paid pyramids and the captures of earlier turns."""
        fallen = state.turn_captures if state.pending else ()
        barred = state.turned and state.turned.coaster
        return state.current_player, state.board, state.trees, state.captured, barred, state.pending, fallen

    def opinions(self, state: AmbushState, actions: Sequence[Any]) -> Sequence[float]:
        """Rank placements by what they capture. Rotations are below, because they cost a pyramid."""
        gains = captures(state)[state.current_player]
        return [
            0.48 + 0.08 * gains.get((action.size, SQUARE_NUMBER[action.square]), 0)
            if isinstance(action, Place)
            else 0.45
            for action in actions
        ]

    def reply(self, state: AmbushState, rng: Random) -> Any:
        """Return mostly the best capture, or else any placement, and sometimes a rotation."""
        player = state.current_player
        actions = state.legal_actions(player)
        if state.pending:
            return actions[int(rng.random() * len(actions))]
        gains = captures(state)[player]
        if gains and rng.random() < 0.9:
            size, square = max(gains, key=gains.__getitem__)
            return Place(size, SQUARES[square])
        free = sum(stack.owner != 1 - player for stack in state.board)
        placements = free * sum(map(bool, state.trees[player][:3]))
        number = placements if rng.random() < 0.9 else len(actions)
        return actions[int(rng.random() * number)]


JUDGEMENT: Final = AmbushJudgement
