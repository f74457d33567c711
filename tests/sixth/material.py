"""The stones and tokens of Moor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tests.sixth.game import MoorState


def material(state: MoorState) -> Mapping[str, int]:
    """Count the stones, on the cairns and taken, and every token."""
    tokens = Counter(f"token {token}" for token in (*state.tokens, *state.box))
    return {"stone": sum(state.stones) + sum(state.taken), **tokens}
