"""Why an action of Moor is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from games.core import Refusal
from tests.sixth.game.actions import Action, Deal
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import MoorObservation


def why_illegal(seen: MoorObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    if isinstance(action, Deal):
        return Refusal("M1", "Only chance deals the tokens.")
    if action.number > seen.most:
        return Refusal("M2", f"You may take at most {seen.most} stones.")
    left = seen.stones[LETTERS.index(action.cairn)]
    return Refusal("M3", f"{left or 'No'} stone{'' if left == 1 else 's'} can be taken from cairn {action.cairn}.")
