"""Whether somebody learnt something hidden from some lines. Taking the lines back wouldn't undo that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.core import ActionError, Rng, State
from games.log import Line

POSITIONS: Final = 8
"""The number of positions that are sampled from those that a spectator holds possible."""
IMAGINED: Final = 4
"""The number that are sampled, in each of these, from those that a viewer holds possible."""


def nothing_learnt(before: State[Any], lines: Sequence[Line], rng: Rng) -> bool:
    """Return whether every viewer holds the same positions possible before and after these lines of players.

    It tests positions that `resample_from_infostate` draws. The lines must be possible in every position that could be
    the true one. Two positions that look alike to a viewer before the lines must look alike after them. The result
    tells no secret: if `rng` depends on public facts only, so does the result.
    """
    for _ in range(POSITIONS):
        possible = before.resample_from_infostate(None, rng)
        after = _after(possible, lines)
        if after is None:
            return False
        for viewer in (None, *range(before.players)):
            for _ in range(IMAGINED):
                imagined = _after(possible.resample_from_infostate(viewer, rng), lines)
                if imagined is None or imagined.observation(viewer) != after.observation(viewer):
                    return False
    return True


def _after(state: State[Any], lines: Sequence[Line]) -> State[Any] | None:
    """Return the position after these lines; ``None`` if one of them is impossible or partly hidden."""
    for line in lines:
        try:
            action = state.string_to_action(line.player, line.text)
            after = state.apply_action(line.player, action)
        except ActionError:
            return None
        if after.seen_by(None, line.player, action) != action:
            return None
        state = after
    return state
