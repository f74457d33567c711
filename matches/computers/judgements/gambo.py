"""Gambo: which duels are there to be won, and what a piece walks into (rules page gambo.md)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Hashable, Mapping, Sequence
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
_OUTCOMES: Final = {
    (own, other): points if wins else -points
    for own in PIECES
    for other in PIECES
    for wins, points in (result(own, other),)
}
"""What an attack brings in points, as a difference (G6, G7)."""


class GamboJudgement(Judgement[GamboState]):
    """Playouts go to the end, and mostly by duels that win and advances; swaps are for the tree."""

    exploration: ClassVar[float] = 0.2
    confidence: ClassVar[float] = 3.0
    iterations: int = 3000
    strengths: ClassVar[Mapping[Level, Strength]] = {
        **STRENGTHS,
        Level.HARD: Strength(1.0, 0.0, nodes=6_000),
        Level.EXPERT: Strength(1.4, 0.0, nodes=30_000),
    }

    def values(self, state: GamboState) -> Sequence[float]:
        """Who won, and by how much."""
        outcome = state.outcome()
        lead = 0.5 + 0.5 * tanh((state.scores[0] - state.scores[1]) / _SCALE)
        first = lead if outcome is None else (1 - MARGIN) * won(outcome, 2)[0] + MARGIN * lead
        return first, 1 - first

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
