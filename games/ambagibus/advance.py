"""What can be said in advance in Ambagibus: a card, unless the maze has changed."""

from __future__ import annotations

from typing import Final

from games.ambagibus.actions import Action, Play
from games.ambagibus.observation import AmbagibusObservation
from games.ambagibus.state import AmbagibusState
from games.core import Advance, Exclusion
from games.grid import neighbours


def _beside(seen: AmbagibusObservation, action: Action | None) -> str:
    if not isinstance(action, Play):
        return ""
    near = {action.cell, *neighbours(action.cell)}
    return " ".join(f"{card}@{cell}" for cell, card, _ in seen.maze if cell in near)


def _closed(seen: AmbagibusObservation, _: Action | None) -> str:
    others = (score for seat, score in enumerate(seen.scores) if seat != seen.viewer)
    return " ".join(map(str, others))


def _own_cards(seen: AmbagibusObservation, _: Action | None) -> str:
    return " ".join(f"{card}@{cell}" for cell, card, owner in seen.maze if owner == seen.viewer)


def _next_turn(state: AmbagibusState, seat: int) -> AmbagibusState | None:
    """Return the position with the turn given to the seat; ``None`` if its player has no card face up.

    In the basic game, people see their next card only when it's their turn (A7).
    """
    return state.evolve(current_player=seat) if state.cards[seat].row else None


ADVANCE: Final = Advance(
    exclusions=(
        Exclusion("beside", "somebody plays there or beside it", _beside, since=True),
        Exclusion("closed", "somebody else closes a section", _closed, since=True),
        Exclusion("own", "one of my cards is hit", _own_cards, since=True),
    ),
    replies=True,
    next_turn=_next_turn,
)
