"""How the yardsticks play Ambagibus without any search."""

from __future__ import annotations

from random import Random
from typing import Any

from games.ambagibus import AmbagibusState
from games.core import CHANCE


def by_thumb(state: AmbagibusState, rng: Random) -> Any:
    """Rules of thumb: take the most closed sections at once, else leave as few own passages open as possible."""
    player = state.current_player

    def worth(action: Any) -> tuple[float, int, float]:
        after = state.child(player, action)
        return _lead(after, player), -len(after.maze.open_cells_of(player)), rng.random()

    return max(state.legal_actions(player), key=worth)


def sample(world: AmbagibusState, action: Any, player: int, rng: Random) -> float:
    """The player's lead in points if they take this action and everybody plays on at random."""
    state = world.child(player, action)
    while not state.is_terminal:
        mover = state.current_player
        chosen = state.sample_chance(rng) if mover == CHANCE else rng.choice(state.legal_actions(mover))
        state = state.child(mover, chosen)
    return _lead(state, player)


def _lead(state: AmbagibusState, player: int) -> float:
    """The points by which the player leads the best of the others."""
    points = state.returns()
    return points[player] - max(other for seat, other in enumerate(points) if seat != player)
