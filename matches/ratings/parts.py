"""Average shares of rounds won in each role. A profile compares a person's own share with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

AVERAGES: Final[Mapping[str, Mapping[str, Mapping[int, float]]]] = {
    "saboteur": {
        "gold-digger": {3: 0.80, 4: 0.93, 5: 0.64, 6: 0.84, 7: 0.57, 8: 0.73, 9: 0.78, 10: 0.60},
        "saboteur": {3: 0.31, 4: 0.11, 5: 0.45, 6: 0.20, 7: 0.51, 8: 0.30, 9: 0.25, 10: 0.43},
    }
}
"""Shares by game, role and number of players, measured among computers by ``python -m benchmarks roles``."""


def average(game: str, players: int, role: str) -> float | None:
    """Return the average share of rounds won in a role with this many players; ``None`` if it was never measured."""
    return AVERAGES.get(game, {}).get(role, {}).get(players)
