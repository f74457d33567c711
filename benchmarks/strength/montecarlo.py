"""Flat Monte Carlo, the yardstick of the games with hidden cards: it draws positions and plays on, without any tree.

The worlds are common to all actions: each is drawn once, and every action that is still in the race is tried in it. So
good cards in one world favour no action. The race is sequential halving: the time is divided into equal parts, and
after each part the worse half of the actions drops out. So most samples compare the best few.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil, log2
from random import Random
from typing import Any, Final

from benchmarks.measure import CLOCK
from benchmarks.strength import abissal_habits, ambagibus_habits
from games.abissal import AbissalState
from games.ambagibus import AmbagibusState, simulation
from games.core import State

Habit = Callable[[Any, Random], Any]
"""A player without any search."""

Sample = Callable[[Any, Any, int, Random], float]
"""What a player gains if they take this action in this world and everybody plays on by habit."""

THUMBS: Final[dict[type[State[Any]], Habit]] = {
    AbissalState: abissal_habits.by_thumb,
    AmbagibusState: ambagibus_habits.by_thumb,
}
"""Rules of thumb by game."""

_SAMPLES: Final[dict[type[State[Any]], Sample]] = {
    AbissalState: abissal_habits.sample,
    AmbagibusState: ambagibus_habits.sample,
}


def _worlds(state: State[Any]) -> Callable[[Random], Any]:
    """Return a function that draws positions that the current player could be in."""
    if isinstance(state, AmbagibusState):
        return simulation.worlds(state)
    return partial(state.resample_from_infostate, state.current_player)


def flat(state: State[Any], seconds: float, rng: Random) -> Any:
    """The action with the best mean result for its player, in as many worlds as fit into the CPU time."""
    player, begun = state.current_player, CLOCK()
    left, sample, draw = list(state.legal_actions(player)), _SAMPLES[type(state)], _worlds(state)
    parts = ceil(log2(len(left)))
    total = dict.fromkeys(left, 0.0)
    for part in range(1, parts + 1):
        until = begun + seconds * part / parts
        while True:
            world = draw(rng)
            for action in left:
                total[action] += sample(world, action, player, rng)
            if CLOCK() >= until:
                break
        left = sorted(left, key=total.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]
