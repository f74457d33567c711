"""Computer players: modest ones, who take any legal action.

A computer is given a position that is drawn anew from what its seat may know, so it cannot cheat, and numbers that
follow from the match's seed, so that its play can be repeated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from games.core import Rng, State

LEVELS: Final = ("normal",)

Chooser = Callable[[State[Any], int, str, Rng], Awaitable[Any]]
"""Chooses an action: the position as the seat may imagine it, the seat, the computer's level, the random numbers."""


async def choose(state: State[Any], seat: int, level: str, rng: Rng) -> Any:
    """One of the legal actions of `seat`, each equally likely at every level there is so far."""
    legal = state.legal_actions(seat)
    return legal[rng.randrange(len(legal))]
