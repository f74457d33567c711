"""Whether anybody has learnt something hidden by some lines, so that taking them back would leave them knowing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.core import ActionError, Rng, State
from games.log import Line

POSITIONS: Final = 8
IMAGINED: Final = 4
"""So many positions that anybody could hold possible are looked at, and so many for each viewer in each of them."""


def nothing_learnt(before: State[Any], lines: Sequence[Line], rng: Rng) -> bool:
    """Whether everybody, spectators too, holds the same positions possible before these players' lines and after them.

    Found by resampling: the lines must be possible in every position that could be the true one, and show every viewer
    the same in each that looks alike to them. The answer itself tells nothing: with an `rng` that knows no secret it
    follows from what is public.
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
    """The position after these lines; ``None`` where one of them is impossible, or not seen whole by everybody."""
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
