"""Gambo: a win by force, with three or four duels left. Every line is followed to the end of the match."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from games.gambo import GamboState
from games.gambo.actions import Duel, Swap
from games.gambo.components import DUELS_IN_A_MATCH
from matches.puzzles.finders.found import MOST_TURNS, Dropped, Found, Proof, grouped, of_few_steps, share_of
from matches.puzzles.puzzle import Refuted

DUELS: Final = (3, 4)
MOST_POSITIONS: Final = 60_000
"""A proof that needs more positions is given up."""
FEWEST_ACTIONS: Final = 5
LARGEST_SHARE: Final = 0.25


def find(state: GamboState) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    if not state.sides or DUELS_IN_A_MATCH - len(state.duels) not in DUELS:
        raise Dropped("not three or four duels left")
    player = state.current_player
    actions = state.legal_actions(player)
    if len(actions) < FEWEST_ACTIONS:
        raise Dropped("few actions")
    proof = _Proof(player)
    right = [action for action in actions if proof.is_right(state, action)]
    if not right:
        raise Dropped("no win by force")
    share = share_of(right, actions, LARGEST_SHARE, "many actions win")
    first = of_few_steps(proof.step(state, MOST_TURNS))
    if first.length == 1:
        raise Dropped("over after one action")
    return Found("force", first, symmetry(state), share)


def symmetry(state: GamboState) -> Hashable:
    """Return a key that is the same for positions that differ only in names, empty lanes, or a half-turn."""
    player = state.current_player
    side = state.sides[player]
    row = [(lane % 2 == side, piece, lane in state.corridor) for lane, piece in enumerate(state.pieces) if piece]
    lead = state.scores[player] - state.scores[1 - player]
    barred = tuple(state.swap_bar(seat) for seat in (player, 1 - player))
    return repr((min(row, row[::-1]), lead, barred, len(state.duels)))


class _Proof(Proof[GamboState]):
    """Whether a player can win, for every position that was asked about."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self._known: dict[Hashable, bool] = {}

    def is_right(self, state: GamboState, action: Any) -> bool:
        return self._wins(state.child(self._player, action))

    def _wins(self, state: GamboState) -> bool:
        """Return whether the player wins by force. Raises Dropped if that takes too long."""
        outcome = state.outcome()
        if outcome is not None:
            return outcome.winners == (self._player,)
        key = (
            state.current_player,
            state.pieces,
            state.corridor,
            state.scores,
            state.swaps_in_a_row,
            state.last is not None and isinstance(state.last[1], Swap),
        )
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST_POSITIONS:
                raise Dropped("takes too long")
            # A swap can lead back to a position that is still open only by more swaps, which are limited (G10, G11).
            mover = state.current_player
            mine = mover == self._player
            known = not mine
            for action in _ordered(state):
                if self._wins(state.child(mover, action)) is mine:
                    known = mine
                    break
            self._known[key] = known
        return known

    def refuted(self, state: GamboState, wrong: Sequence[Any]) -> tuple[Refuted, ...]:
        after = {state.action_to_string(action): state.child(self._player, action) for action in wrong}
        return grouped({text: self._answers(each) for text, each in after.items()})

    def _answers(self, state: GamboState) -> list[str]:
        """Return the opponent's lines that keep the player from winning; an empty one if the player is to move."""
        mover = state.current_player
        if mover != 1 - self._player:
            return [""]
        return [
            f"{mover} {state.action_to_string(action)}"
            for action in state.legal_actions(mover)
            if not self._wins(state.child(mover, action))
        ]

    def chances(self, state: GamboState) -> tuple[float, int]:
        """Return how easy it is to go on: the share of the actions that win."""
        mover = state.current_player
        if mover < 0:
            return 2.0, 0
        if mover != self._player:
            return 0.5, 0
        actions = state.legal_actions(mover)
        right = sum(self.is_right(state, action) for action in actions)
        return right / len(actions), right


def _ordered(state: GamboState) -> list[Any]:
    actions = state.legal_actions(state.current_player)
    return sorted(actions, key=lambda action: not isinstance(action, Duel))
