"""What can be said in advance in Saboteur: a card, to take the highest gold card, or to discard in a lost round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core import Advance, Exclusion, Instruction
from games.grid import neighbours
from games.saboteur.actions import Action, Break, Dig, Drop, Repair, RockFall, Take
from games.saboteur.observation import SaboteurObservation
from games.saboteur.state import SaboteurState


def _own_tools(seen: SaboteurObservation, _: Action | None) -> str:
    return "" if seen.viewer is None else seen.broken[seen.viewer]


def _beside(seen: SaboteurObservation, action: Action | None) -> str:
    if not isinstance(action, Dig | RockFall):
        return ""
    near = (action.cell, *neighbours(action.cell))
    return " ".join(seen.maze.get(cell, "-") for cell in near)


def _their_tools(seen: SaboteurObservation, action: Action | None) -> str:
    if not isinstance(action, Break | Repair) or action.seat >= seen.players:
        return ""
    return f"broken {seen.broken[action.seat]}"


def _turned_up(seen: SaboteurObservation, _: Action | None) -> str:
    return f"turned {sum(door.card is not None for door in seen.finish_cards)}"


def _gold_of(seen: SaboteurObservation) -> str:
    """Return the round whose gold is meant; empty while a round is dealt and once the match is over."""
    return str(seen.round_number) if seen.phase in ("dig", "gold") else ""


def _highest(_: SaboteurObservation, legal: Sequence[Action]) -> Action | None:
    return max((action for action in legal if isinstance(action, Take)), key=lambda take: take.value, default=None)


def _lost(seen: SaboteurObservation) -> str:
    """Return the round that is lost, by what everybody sees; empty if none is."""
    return str(seen.round_number) if seen.is_lost else ""


def _first_card(_: SaboteurObservation, legal: Sequence[Action]) -> Action | None:
    return next((action for action in legal if isinstance(action, Drop)), None)


def _next_turn(state: SaboteurState, seat: int) -> SaboteurState | None:
    """Return the position with the turn given to the seat; ``None`` if it has no cards, or outside of turns.

    People see the gold cards only when these are passed to them (S18).
    """
    return state.evolve(current_player=seat) if state.due == "turn" and state.hands[seat] else None


ADVANCE: Final = Advance(
    exclusions=(
        Exclusion("tool", "one of my tools is broken", _own_tools),
        Exclusion("beside", "somebody plays there or beside it", _beside, since=True),
        Exclusion("theirs", "somebody else changes that player's tools", _their_tools, since=True),
        Exclusion("finish", "a finish card is turned up", _turned_up, since=True),
    ),
    instructions=(
        Instruction("gold", "Take the highest gold card", _gold_of, _highest),
        Instruction("lost", "Nobody can reach the treasure: discard for me", _lost, _first_card, at_once=True),
    ),
    next_turn=_next_turn,
)
