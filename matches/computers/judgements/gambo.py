"""Gambo: which duels are there to be won, and what a piece walks into (rules page gambo.md)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import tanh
from random import Random
from typing import Any, ClassVar, Final

from games.gambo import GamboState
from games.gambo.actions import Advance, Duel, Swap
from games.gambo.components import PIECES, result
from matches.computers.judgement import Judgement, won
from matches.computers.levels import STRENGTHS, Level, Strength

MARGIN: Final = 0.15
"""How much of the value is the margin in points, so that a lost game is still played on for little."""

_SCALE: Final = 15.0
_LEAD: Final = 0.3
"""What a point that a player is ahead counts beside what the pieces are likely to bring that are left."""
_NEXT: Final = 0.1
"""What a point of the best duel counts that the player on turn has: both fitted, with the promise of the pieces, to how
60 matches of experts ended that thought little, from 2,397 positions."""
_OFF: Final = 9.0
"""In points, how far off that is: 7 is its deviation there."""

_NEAR: Final = 7
"""With so many pieces that have not entered the corridor the exact search begins to see the end."""

_OUTCOMES: Final = {
    (own, other): points if wins else -points
    for own in PIECES
    for other in PIECES
    for wins, points in (result(own, other),)
}
"""What an attack brings in points, as a difference (G6, G7)."""


@lru_cache(maxsize=1 << 16)
def promise(pieces: tuple[str, ...]) -> float:
    """What the pieces that are left on even lanes are likely to win from those on odd ones, each against any other."""
    even, odd = ([piece for piece in pieces[side::2] if piece] for side in (0, 1))
    if not even or not odd:
        return 0.0
    attacked = sum(_OUTCOMES[own, other] - _OUTCOMES[other, own] for own in even for other in odd)
    return attacked / 2 / len(even)


def likely_lead(state: GamboState) -> float:
    """By how many points player 0 is likely to be ahead in the end, before it has come.

    The pieces that are left tell most: who is ahead has spent good ones, and the other one is on turn (G8).
    """
    if not state.sides:
        return 0.0
    pieces, player = state.pieces, state.current_player
    side = state.sides[player]
    best = 0
    for left, right in pairwise(state.corridor):
        if left % 2 != right % 2:
            own, other = (left, right) if left % 2 == side else (right, left)
            best = max(best, _OUTCOMES[pieces[own], pieces[other]])
    kept = promise(pieces) if state.sides[0] == 0 else -promise(pieces)
    return kept + _LEAD * (state.scores[0] - state.scores[1]) + (_NEXT * best if player == 0 else -_NEXT * best)


class GamboJudgement(Judgement[GamboState]):
    """Playouts go by duels that win, mostly, and advances; swaps are for the tree.

    Below expert they go to the end. An expert judges after a few lines by the pieces that are left, so that the same
    time is enough for twice as many.
    """

    exploration: ClassVar[float] = 0.2
    confidence: ClassVar[float] = 3.0
    iterations: int = 3000
    strengths: ClassVar[Mapping[Level, Strength]] = {
        **STRENGTHS,
        Level.HARD: Strength(1.0, 0.0, nodes=6_000),
        Level.EXPERT: Strength(2.8, 0.0, nodes=60_000, horizon=8),
    }

    def values(self, state: GamboState) -> Sequence[float]:
        """Who won, and by how much; before the end who is likely to."""
        outcome = state.outcome()
        if outcome is None:
            first = 0.5 + 0.5 * tanh(likely_lead(state) / _OFF)
        else:
            lead = 0.5 + 0.5 * tanh((state.scores[0] - state.scores[1]) / _SCALE)
            first = (1 - MARGIN) * won(outcome, 2)[0] + MARGIN * lead
        return first, 1 - first

    def may_settle(self) -> bool:
        """Few pieces wait."""
        return sum(map(len, self.position.waiting)) <= _NEAR

    def key(self, state: GamboState) -> Hashable:
        """All but the duels so far, which only make the scores."""
        swapped = state.last is not None and isinstance(state.last[1], Swap)
        return (
            state.current_player,
            state.sides,
            state.pieces,
            state.corridor,
            state.scores,
            state.swaps_in_a_row,
            swapped,
        )

    def throws_away(self, action: Any) -> bool:
        """An attack that loses."""
        return isinstance(action, Duel) and _OUTCOMES[action] < 0

    def opinions(self, state: GamboState, actions: Sequence[Any]) -> Sequence[float]:
        """Duels by what they bring, advances by the neighbours that they meet, swaps a little below."""
        return [self._opinion(state, action) for action in actions]

    def _opinion(self, state: GamboState, action: Any) -> float:
        if isinstance(action, Duel):
            return 0.5 + 0.05 * _OUTCOMES[action]
        if isinstance(action, Advance):
            return 0.5 + 0.03 * self._prospect(state, action)
        return 0.45 if isinstance(action, Swap) else 0.5

    def _prospect(self, state: GamboState, action: Advance) -> float:
        """What duels with the neighbours in the corridor could bring; the opponent is the next to attack."""
        player = state.current_player
        side = state.sides[player]
        lane = 2 * state.pieces[side::2].index(action.piece) + side
        place = bisect(state.corridor, lane)
        prospect = 0.0
        for neighbour in state.corridor[max(place - 1, 0) : place + 1]:
            if neighbour % 2 != side:
                other = state.pieces[neighbour]
                prospect += min(-_OUTCOMES[other, action.piece], 0.5 * _OUTCOMES[action.piece, other])
        return prospect

    def reply(self, state: GamboState, rng: Random) -> Any:
        """The best duel that wins, mostly; else an advance; else anything."""
        player = state.current_player
        actions = state.legal_actions(player)
        advances = len(state.waiting[state.sides[player]]) if state.sides else 0
        duels = []
        for action in actions[advances:]:
            if not isinstance(action, Duel):
                break
            duels.append(action)
        if duels and rng.random() < 0.85:
            best = max(duels, key=_OUTCOMES.__getitem__)
            if _OUTCOMES[best] > 0 or not advances:
                return best
        number = advances if advances and rng.random() < 0.95 else len(actions)
        return actions[int(rng.random() * number)]


JUDGEMENT: Final = GamboJudgement
