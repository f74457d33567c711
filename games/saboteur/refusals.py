"""Why an action of Saboteur is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from typing import Final

from games.core import Refusal
from games.grid import OPPOSITE, Cell, cell_to_string, neighbours
from games.saboteur.actions import Action, Break, Dig, LookAt, Pass, Repair, RockFall, Take, card_played
from games.saboteur.components import FINISH, FIXED, LABELS, SIDES, TOOL_NAMES
from games.saboteur.observation import SaboteurObservation

_SIDE_NAMES: Final = ("above", "on the right", "below", "on the left")
_OPEN: Final = {True: "An opening", False: "A wall"}
_FINISH_CELLS: Final = "; ".join(map(cell_to_string, FINISH))


def why_illegal(seen: SaboteurObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    if seen.phase == "gold":
        if isinstance(action, Take):
            return Refusal("S18", f"None of the gold cards passed to you is worth {action.value}.")
        return Refusal("S18", "First, take one of the gold cards passed to you.")
    if isinstance(action, Take):
        return Refusal("S18", "You can only take gold after the gold-diggers have won a round.")
    if not seen.hand:
        return Refusal("S5", "You have no cards left, so you can only pass.")
    if isinstance(action, Pass):
        return Refusal("S5", "As long as you have cards, you must play one or discard one.")
    card = card_played(action)
    if card is None or card not in seen.hand:
        held = f"You don't have the card {card}." if card in LABELS else "Players can't do that."
        return Refusal("S5", held)
    match action:
        case Dig(piece, cell):
            return _why_no_dig(seen, piece, cell)
        case Break(tool, seat):
            if not 0 <= seat < seen.players:
                return Refusal("S9", "Nobody sits there. Write the number beside the name, like `#2`.")
            return Refusal(
                "S9", f"That player's {TOOL_NAMES[tool]} is already broken; one broken tool of a kind is the limit."
            )
        case Repair(_, seat, tool):
            if not 0 <= seat < seen.players:
                return Refusal("S10", "Nobody sits there. Write the number beside the name, like `#2`.")
            if tool not in tuple(card[1:]):
                return Refusal("S10", f"The card {card} doesn't repair that.")
            return Refusal("S10", f"That player's {TOOL_NAMES[tool]} isn't broken.")
        case RockFall(cell):
            if cell in FIXED:
                return Refusal("S11", "A rock-fall can't remove the ladder or a finish card.")
            return Refusal("S11", "There is no path card there.")
        case LookAt(cell):
            if cell not in FINISH:
                return Refusal("S12", f"There is no finish card there; they're at {_FINISH_CELLS}.")
            return Refusal("S12", "That finish card is already face up.")
    return Refusal("S5", "Play a card from your hand or discard one.")


def _why_no_dig(seen: SaboteurObservation, piece: str, cell: Cell) -> Refusal:
    broken = [TOOL_NAMES[tool] for tool in seen.broken[seen.current_player]]
    if broken:
        return Refusal("S8", f"With a broken {' and '.join(broken)} you can't lay path cards.")
    cards = {**seen.maze, **{door.cell: door.card for door in seen.finish_cards if door.card is not None}}
    if cell in cards:
        return Refusal("S6", "There is already a card there.")
    if cell in FINISH:
        return Refusal("S6", "There is a finish card there.")
    beside = [(edge, cards[near]) for edge, near in enumerate(neighbours(cell)) if near in cards]
    if not beside:
        return Refusal("S6", "A path card must touch a face-up card, and there's none beside that place.")
    for edge, other in beside:
        mine, theirs = SIDES[piece][edge].open, SIDES[other][OPPOSITE[edge]].open
        if mine != theirs:
            return Refusal(
                "S6", f"{_OPEN[mine]} would meet {_OPEN[theirs].lower()} {_SIDE_NAMES[edge]}; like must meet like."
            )
    return Refusal("S7", "A new path card must continue a tunnel that runs back to the ladder.")
