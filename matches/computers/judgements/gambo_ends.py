"""Who wins the end of a match of Gambo by force. Only the winner is searched for, so that it takes seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from games.gambo import GamboState
from games.gambo.actions import Duel, Swap
from games.gambo.components import BONUS, DUELS_IN_A_MATCH, PIECES
from matches.engine.workers import Stopped, stopped

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
            if stopped():
                raise Stopped
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
