"""What lies in the box of each game, to find lost, doubled and swapped cards: ``tests/games/material/<key>.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from games import GAMES
from games.core import State

MATERIALS: dict[str, Callable[[Any], Mapping[str, int]]] = {
    key: import_module(f"tests.games.material.{key}").material for key in GAMES
}
"""By key, what counts every card or piece of a match by name, wherever it is.

The counts are the same in every position of a match, even before the first line.
"""


def material(state: State[Any]) -> dict[str, int]:
    """Count every card or piece of this position."""
    return dict(MATERIALS[state.info.key](state))
