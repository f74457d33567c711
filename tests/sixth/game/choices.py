"""How a person picks an action of Moor: the cairn, then the number of stones."""

from __future__ import annotations

from games.core import Choice
from tests.sixth.game.actions import Action, Deal
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import MoorObservation


def choices(seen: MoorObservation, action: Action) -> tuple[Choice, ...]:
    """Return the cairn, then the number of stones."""
    if isinstance(action, Deal):
        return ()
    left = seen.stones[LETTERS.index(action.cairn)]
    return (
        Choice("cairn", action.cairn, f"Cairn {action.cairn}: {_stones(left)}", place=action.cairn),
        Choice("stones", str(action.number), f"Take {_stones(action.number)}"),
    )


def _stones(count: int) -> str:
    return f"{count} stone{'' if count == 1 else 's'}"
