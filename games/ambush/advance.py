"""What can be said in advance in Ambush: a move, or an answer to each of the opponent's."""

from __future__ import annotations

from typing import Final

from games.ambush.actions import Action, Place, Rotate
from games.ambush.board import COASTER_OF
from games.ambush.components import SQUARE_NUMBER
from games.ambush.observation import AmbushObservation
from games.ambush.state import AmbushState
from games.core import Advance, Exclusion


def _captured(seen: AmbushObservation, _: Action | None) -> str:
    return "" if seen.viewer is None else "".join(map(str, seen.captured[1 - seen.viewer]))


def _turned(seen: AmbushObservation, _: Action | None) -> str:
    theirs = seen.last is not None and seen.last.player != seen.viewer
    return seen.turned.coaster if theirs and seen.turned is not None else ""


def _coaster(seen: AmbushObservation, action: Action | None) -> str:
    match action:
        case Place(_, square):
            coaster = COASTER_OF[SQUARE_NUMBER[square]]
        case Rotate(coaster, _, _):
            pass
        case _:
            return ""
    stacks = (stack for number, stack in enumerate(seen.board) if COASTER_OF[number] == coaster)
    return " ".join(f"{stack.owner}{stack.sizes}" for stack in stacks)


def _next_turn(state: AmbushState, seat: int) -> AmbushState:
    """Return the position after a move that isn't known: no coaster is barred, and no capture has to be chosen."""
    return state.evolve(current_player=seat, last=None, turned=None, turn_captures=(), last_captures=(), pending=())


ADVANCE: Final = Advance(
    exclusions=(
        Exclusion("captured", "one of my pyramids is captured", _captured, since=True),
        Exclusion("coaster", "something changes on that coaster", _coaster, since=True),
        Exclusion("turned", "they turn a coaster", _turned),
    ),
    replies=True,
    next_turn=_next_turn,
)
