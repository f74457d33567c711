"""Why an action of Ambush is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from games.ambush.actions import Action, Capture, First, Place, Rotate
from games.ambush.components import ANGLES, COASTER_NAMES, COASTERS, SIZE_NAMES, SQUARE_NUMBER
from games.ambush.observation import AmbushObservation
from games.core import Refusal


def why_illegal(seen: AmbushObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    match action:
        case First():
            return Refusal("B1", "Only chance decides who starts.")
        case Capture(square) if seen.pending:
            return Refusal("B9", f"Nothing on {square} can be captured right now.")
        case Capture():
            return Refusal("B9", "There's no order of captures to decide right now.")
        case _ if seen.pending:
            return Refusal("B9", "First choose which capture is made next.")
        case Place(size, square):
            if square not in SQUARE_NUMBER:
                return Refusal("B2", "There's no such square.")
            if seen.board[SQUARE_NUMBER[square]].owner == 1 - seen.current_player:
                return Refusal("B2", f"Your opponent has a stack on {square}.")
            return Refusal("B2", f"None of your trees has a {SIZE_NAMES.get(size, size)} pyramid on top.")
        case Rotate(coaster, angle, price):
            if coaster not in COASTERS or angle not in ANGLES:
                return Refusal("B7", "You can turn one of the four coasters, by 90, 180 or 270 degrees.")
            if seen.turned and seen.turned.coaster == coaster:
                return Refusal("B8", f"Your opponent has just turned the {COASTER_NAMES[coaster]} coaster.")
            return Refusal("B7", f"None of your trees has a {SIZE_NAMES.get(price, price)} pyramid on top to pay with.")
