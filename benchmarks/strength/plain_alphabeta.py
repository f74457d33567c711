"""The yardstick of the games without hidden information: plain alpha-beta with rules of thumb and a time limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from random import Random
from typing import Any, Final

from benchmarks.measure import CLOCK
from games.ambush import AmbushState
from games.core import Stage, State
from games.gambo import GamboState
from games.gambo.components import result

_WON: Final = 1000.0


class OutOfTime(Exception):
    """The yardstick has used all its CPU time."""


class Yardstick:
    """Plain alpha-beta with iterative deepening for one move, until the time is up."""

    def __init__(self, state: State[Any], seconds: float, rng: Random) -> None:
        self._state = state
        self._until = CLOCK() + seconds
        self._worth = THUMBS[type(state)]
        self._rng = rng

    def choose(self) -> Any:
        """The best action of the last depth, which may be unfinished."""
        player = self._state.current_player
        actions = list(self._state.legal_actions(player))
        self._rng.shuffle(actions)
        best = actions[0]
        for depth in range(1, self._state.info.max_game_length):
            most, self._open = -inf, False
            try:
                for action in actions:
                    value = self._after(self._state, action, depth, most, inf)
                    if value > most:
                        most, best = value, action
            except OutOfTime:
                break
            if not self._open or len(actions) == 1 or abs(most) >= _WON:
                break
            actions.remove(best)
            actions.insert(0, best)
        return best

    def _after(self, state: State[Any], action: Any, depth: int, low: float, high: float) -> float:
        player = state.current_player
        return self._to(player, state.child(player, action), depth - (state.stage is Stage.TURN), low, high)

    def _to(self, player: int, state: State[Any], depth: int, low: float, high: float) -> float:
        """The value of a position for `player`."""
        if CLOCK() > self._until:
            raise OutOfTime
        lead = state.returns()[player] - state.returns()[1 - player]
        outcome = state.outcome()
        if outcome is not None:
            return lead + (0.0 if len(outcome.winners) > 1 else _WON if player in outcome.winners else -_WON)
        if depth <= 0:
            self._open = True
            return lead + self._worth(state, player)
        mover = state.current_player
        if mover != player:
            return -self._to(mover, state, depth, -high, -low)
        if depth == 1:
            following: Sequence[Any] = state.legal_actions(player)
        else:
            gains = {action: self._gain(state, action) for action in state.legal_actions(player)}
            following = sorted(gains, key=gains.__getitem__, reverse=True)
        best = -inf
        for action in following:
            best = max(best, self._after(state, action, depth, max(low, best), high))
            if best >= high:
                break
        return best

    def _gain(self, state: State[Any], action: Any) -> float:
        player = state.current_player
        points = state.child(player, action).returns()
        return points[player] - points[1 - player]


def _rows_of_three() -> list[tuple[int, int, int]]:
    """All rows of three squares on the board of 6 × 6, in all directions, each both ways."""
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return [
        (6 * row + column, 6 * (row + down) + column + right, 6 * (row + 2 * down) + column + 2 * right)
        for row in range(6)
        for column in range(6)
        for down, right in steps
        if 0 <= row + 2 * down < 6 and 0 <= column + 2 * right < 6
    ]


_ROWS_OF_THREE: Final = _rows_of_three()


def ambushes(state: State[Any], player: int) -> float:
    """Ambush: the worst threat to each player: a stack between an opponent's stack and a square open to them."""
    assert isinstance(state, AmbushState)
    worst = [0.0, 0.0]
    for far, middle, near in _ROWS_OF_THREE:
        owner = state.board[middle].owner
        if owner >= 0 and state.board[far].owner == 1 - owner and state.board[near].owner != owner:
            power = state.board[far].strength + state.board[near].strength
            if power + 2 > state.board[middle].strength:
                worst[owner] = max(worst[owner], float("SML".index(state.board[middle].sizes[-1]) + 1))
    mine, theirs = worst[player], worst[1 - player]
    return 0.6 * theirs - 0.3 * mine if state.current_player == player else 0.3 * theirs - 0.6 * mine


def neighbours(state: State[Any], player: int) -> float:
    """Gambo: the best duel that each player could win by attacking; it counts more for the player whose turn it is."""
    assert isinstance(state, GamboState)
    if not state.sides:
        return 0.0
    best = [0.0, 0.0]
    for left, right in pairwise(state.corridor):
        if left % 2 != right % 2:
            for own, other in ((left, right), (right, left)):
                wins, points = result(state.pieces[own], state.pieces[other])
                who = state.sides.index(own % 2)
                best[who] = max(best[who], points if wins else 0.0)
    weights = (0.7, 0.3) if state.current_player == player else (0.3, 0.7)
    return weights[0] * best[player] - weights[1] * best[1 - player]


THUMBS: Final[dict[type[State[Any]], Callable[[State[Any], int], float]]] = {
    AmbushState: ambushes,
    GamboState: neighbours,
}
"""Rules of thumb by game: the value of a position in addition to the lead in points."""
