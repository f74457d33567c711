"""The pieces of Gambo."""

from __future__ import annotations

from collections import Counter

from games.gambo import GamboState
from games.gambo.board import SIDES
from games.gambo.components import PIECES


def material(state: GamboState) -> Counter[str]:
    """Count every piece by side: in its lane, or taken in a duel. Before the deal all are in the box."""
    counts: Counter[str] = Counter()
    for lane, piece in enumerate(state.pieces or [piece for piece in PIECES for _ in SIDES]):
        counts[f"{SIDES[lane % 2]} {piece}"] += bool(piece)
    for fought in state.duels:
        side = state.sides[fought.attacking]
        counts[f"{SIDES[side]} {fought.attacker}"] += 1
        counts[f"{SIDES[1 - side]} {fought.target}"] += 1
    return +counts
