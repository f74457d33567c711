"""Ways to play any game: at random, and to prolong the match."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from games.core import State

Policy = Callable[[State[Any], Random], Any]
"""Picks a legal action of the player whose turn it is."""

CANDIDATES = 4
"""How many actions the prolonging policy looks at."""


def random_play(state: State[Any], rng: Random) -> Any:
    """Any legal action, each equally likely."""
    legal = state.legal_actions(state.current_player)
    return legal[rng.randrange(len(legal))]


def prolonging_play(state: State[Any], rng: Random) -> Any:
    """Of a few legal actions the one that ends nothing, scores nothing and leaves the most to do."""
    player = state.current_player
    legal = state.legal_actions(player)
    candidates = rng.sample(legal, min(CANDIDATES, len(legal)))

    def promise(action: Any) -> tuple[bool, bool, int]:
        after = state.child(player, action)
        unchanged = after.returns() == state.returns()
        return not after.is_terminal, unchanged, len(after.legal_actions(after.current_player))

    return max(candidates, key=promise)


POLICIES: tuple[Policy, ...] = (random_play, prolonging_play)
