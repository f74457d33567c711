"""Why an action of Cairn is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from games.core import Refusal
from tests.sixth.game.actions import Action, Deal
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import CairnObservation


def why_illegal(seen: CairnObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    if isinstance(action, Deal):
        return Refusal("C1", "Only chance deals the tokens.")
    if action.count > seen.most:
        return Refusal("C2", f"You may take at most {seen.most} stones.")
    left = seen.stones[LETTERS.index(action.cairn)]
    return Refusal("C3", f"{left or 'No'} stone{'' if left == 1 else 's'} can be taken from cairn {action.cairn}.")
