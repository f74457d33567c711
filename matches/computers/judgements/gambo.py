"""Gambo: which duels can be won, and which dangers a piece meets (rules page gambo.md).

Who wins the end of a match by force is searched in full. Only the winner is looked for, so that it takes seconds.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import tanh
from random import Random
from typing import Any, ClassVar, Final

from games.gambo import GamboState
from games.gambo.actions import Advance, Duel, Swap
from games.gambo.components import BONUS, DUELS_IN_A_MATCH, PIECES, result
from matches.computers.judgement import Judgement, won
from matches.computers.levels import STRENGTHS, Level, Strength
from matches.engine.workers import go_on

DUELS: Final = 5
"""With this many duels left, or fewer, the end is searched in full."""

POSITIONS: Final = 1_000_000
"""A search that needs more positions is given up."""

_CODES: Final = {
    (piece, side, waits): chr(ord("A") + 4 * number + 2 * side + waits)
    for number, piece in enumerate(PIECES)
    for side in (0, 1)
    for waits in (False, True)
}


class _TooLarge(Exception):
    """The search has used up its positions."""


def winners(state: GamboState, effort: float = 1.0) -> Mapping[Any, bool]:
    """Return for every legal action whether it wins by force; empty with more than `DUELS` left, or if it's too much.

    `effort` scales `POSITIONS`. Raises Stopped soon after the work was cancelled.
    """
    if not state.sides or state.is_terminal or DUELS_IN_A_MATCH - len(state.duels) > DUELS:
        return {}
    ends = _Ends(round(POSITIONS * effort))
    try:
        return {action: ends.after(state, action) for action in state.legal_actions(state.current_player)}
    except _TooLarge:
        return {}


class _Ends:
    """Whether the current player wins, for every position that was met."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[str, bool] = {}
        self._refuted = Counter[Any]()
        """How often each action has won (the history heuristic)."""

    def after(self, state: GamboState, action: Any) -> bool:
        """Return whether the current player wins with this action."""
        player, child = state.current_player, state.child(state.current_player, action)
        outcome = child.outcome()
        if outcome is not None:
            return outcome.winners == (player,)
        return self._wins(child) is (child.current_player == player)

    def _wins(self, state: GamboState) -> bool:
        player, pieces = state.current_player, state.pieces
        lead = state.scores[player] - state.scores[1 - player]
        south, north = (sorted(int(piece[1]) for piece in pieces[side::2] if piece) for side in (0, 1))
        if abs(lead) > sum(one * other for one, other in zip(south, north, strict=True)) + BONUS:
            return lead > 0
        key, refuted = _key(state, lead), self._refuted
        if key not in self._known:
            if len(self._known) >= self._most:
                raise _TooLarge
            go_on()
            actions = state.legal_actions(player)
            likely = sorted(actions, key=lambda each: (isinstance(each, Duel), refuted[each]), reverse=True)
            winning = next((action for action in likely if self.after(state, action)), None)
            refuted[winning] += 1
            self._known[key] = winning is not None
        return self._known[key]


def _key(state: GamboState, lead: int) -> str:
    """Return what the winner depends on: the order of the pieces, from either end, but not their lanes."""
    player, waiting = state.current_player, state.waiting
    row = "".join(
        _CODES[piece, lane % 2, lane in waiting[lane % 2]] for lane, piece in enumerate(state.pieces) if piece
    )
    swaps = state.swaps_in_a_row
    swapped = state.last is not None and isinstance(state.last[1], Swap)
    return f"{min(row, row[::-1])}{state.sides[player]}{swaps[player]}{swaps[1 - player]}{swapped:d}{lead}"


MARGIN: Final = 0.15
"""The share of the margin in points in the value, so that a computer also plays on for points in a lost game."""

_SCALE: Final = 15.0
_LEAD: Final = 0.3
"""The weight of a point of lead, compared with the points that the remaining pieces are likely to win."""
_NEXT: Final = 0.1
"""The weight of a point of the current player's best duel. Both weights were fitted to the results of 60 matches of
experts with little effort (2,397 positions)."""
_OFF: Final = 9.0
"""The scale of the likely lead in points. Its standard deviation in those matches was 7."""

_NEAR: Final = 7
"""With this many waiting pieces or fewer, the exact search begins to see the end."""

_OUTCOMES: Final = {
    (own, other): points if wins else -points
    for own in PIECES
    for other in PIECES
    for wins, points in (result(own, other),)
}
"""The change of the attacker's lead in points by an attack (G6, G7)."""


@lru_cache(maxsize=1 << 16)
def promise(pieces: tuple[str, ...]) -> float:
    """Return the points that pieces on even lanes are likely to win from those on odd ones: the mean of all duels."""
    even, odd = ([piece for piece in pieces[side::2] if piece] for side in (0, 1))
    if not even or not odd:
        return 0.0
    attacked = sum(_OUTCOMES[own, other] - _OUTCOMES[other, own] for own in even for other in odd)
    return attacked / 2 / len(even)


def likely_lead(state: GamboState) -> float:
    """Return the lead in points that player 0 is likely to have at the end. The match isn't over.

    The remaining pieces tell most: the player who is ahead has used up good ones, and the other has the turn (G8).
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
    """Playouts are mostly winning duels and advances. Swaps are left to the tree.

    Below expert, playouts go to the end. An expert evaluates after a few lines by the remaining pieces, so the same
    time is enough for twice as many playouts.
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
        """Return who won and by how much, or before the end who is likely to win."""
        outcome = state.outcome()
        if outcome is None:
            first = 0.5 + 0.5 * tanh(likely_lead(state) / _OFF)
        else:
            first = self.end_value(won(outcome, 2)[0], state.scores[0] - state.scores[1])
        return first, 1 - first

    def end_value(self, winning: float, lead: float) -> float:
        """Return mostly who won, and a little by how much."""
        return (1 - MARGIN) * winning + MARGIN * (0.5 + 0.5 * tanh(lead / _SCALE))

    def leads(self, state: GamboState) -> Sequence[float]:
        """Return the leads in points, before the end those that the remaining pieces are likely to bring."""
        lead = likely_lead(state) if state.outcome() is None else state.scores[0] - state.scores[1]
        return lead, -lead

    def may_settle(self) -> bool:
        """Return whether few pieces are waiting."""
        return sum(map(len, self.position.waiting)) <= _NEAR

    def winners(self, effort: float) -> Mapping[Any, bool]:
        """Follow every line to its end, with five duels left or fewer."""
        return winners(self.position, effort)

    def key(self, state: GamboState) -> Hashable:
        """Return everything except the finished duels, which only matter for the scores."""
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
        """Return whether the action is an attack that loses."""
        return isinstance(action, Duel) and _OUTCOMES[action] < 0

    def opinions(self, state: GamboState, actions: Sequence[Any]) -> Sequence[float]:
        """Rank duels by their points, advances by the neighbours that they meet, and swaps a little below."""
        return [self._opinion(state, action) for action in actions]

    def _opinion(self, state: GamboState, action: Any) -> float:
        if isinstance(action, Duel):
            return 0.5 + 0.05 * _OUTCOMES[action]
        if isinstance(action, Advance):
            return 0.5 + 0.03 * self._prospect(state, action)
        return 0.45 if isinstance(action, Swap) else 0.5

    def _prospect(self, state: GamboState, action: Advance) -> float:
        """Return what duels with the neighbours in the corridor could bring. The opponent attacks next."""
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
        """Return mostly the best winning duel, or else an advance, or else anything."""
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
