"""What can be said in advance in Gambo: a move, or an answer to each of the opponent's."""

from __future__ import annotations

from typing import Final

from games.core import Advance, Exclusion
from games.gambo.actions import Action, Duel, Swap
from games.gambo.actions import Advance as Move
from games.gambo.board import LANES, SIDES
from games.gambo.observation import GamboObservation
from games.gambo.state import GamboState


def _swapped(seen: GamboObservation, _: Action | None) -> str:
    last = seen.last
    return "swap" if last is not None and last.player != seen.viewer and isinstance(last.action, Swap) else ""


def _beside(seen: GamboObservation, action: Action | None) -> str:
    """Return the pieces in the corridor on the left and on the right of the piece that acts."""
    piece = action.piece if isinstance(action, Move) else action.attacker if isinstance(action, Duel) else None
    if piece is None or seen.viewer is None:
        return ""
    side = SIDES.index(seen.sides[seen.viewer])
    row = (seen.south, seen.north)[side]
    lane = next((lane for lane in range(side, LANES, 2) if piece in (seen.corridor[lane], row[lane // 2])), None)
    if lane is None:
        return ""
    left = next((other for other in reversed(seen.corridor[:lane]) if other), "-")
    right = next((other for other in seen.corridor[lane + 1 :] if other), "-")
    return f"{left} {right}"


def _next_turn(state: GamboState, seat: int) -> GamboState | None:
    """Return the position after a move of the opponent that was no swap (G10), once the sides are chosen (G1)."""
    return state.evolve(current_player=seat, last=None) if state.sides else None


ADVANCE: Final = Advance(
    exclusions=(
        Exclusion("duel", "a duel is fought", lambda seen, _: str(len(seen.duels)), since=True),
        Exclusion("beside", "another piece comes next to mine", _beside, since=True),
        Exclusion("swap", "they swap two pieces", _swapped),
    ),
    replies=True,
    next_turn=_next_turn,
)
