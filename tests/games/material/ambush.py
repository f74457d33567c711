"""The pyramids of Ambush."""

from __future__ import annotations

from collections import Counter

from games.ambush import AmbushState
from games.ambush.components import SIZES


def material(state: AmbushState) -> Counter[str]:
    """Count every pyramid by owner and size: in a tree, on the board, captured or paid."""
    counts: Counter[str] = Counter()
    for owner, stash in enumerate(state.observation(None).stash):
        for held in (stash, state.paid[owner], state.captured[1 - owner]):
            for size, count in zip(SIZES, held, strict=True):
                counts[f"{owner} {size}"] += count
    for stack in state.board:
        counts.update(f"{stack.owner} {size}" for size in stack.sizes)
    return counts
