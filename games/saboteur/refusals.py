"""Why an action of Saboteur is refused: one sentence, with the number of the rule."""

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
    """Why the viewer, who is on turn, may not take `action`, which is not legal."""
    if seen.phase == "gold":
        if isinstance(action, Take):
            return Refusal("S18", f"No gold card worth {action.value} is among those passed to you.")
        return Refusal("S18", "First take one of the gold cards passed to you.")
    if isinstance(action, Take):
        return Refusal("S18", "Gold is taken only after the gold-diggers have won a round.")
    if not seen.hand:
        return Refusal("S5", "You have no cards left, so you can only pass.")
    if isinstance(action, Pass):
        return Refusal("S5", "As long as you hold cards you must play one or discard one.")
    card = card_played(action)
    if card is None or card not in seen.hand:
        held = f"You do not hold the card {card}." if card in LABELS else "That is nothing a player does."
        return Refusal("S5", held)
    match action:
        case Dig(piece, cell):
            return _why_no_dig(seen, piece, cell)
        case Break(tool, seat):
            if not 0 <= seat < seen.players:
                return Refusal("S9", f"Nobody sits at seat {seat}.")
            return Refusal(
                "S9", f"That player's {TOOL_NAMES[tool]} is broken already; one card of a kind is the limit."
            )
        case Repair(_, seat, tool):
            if not 0 <= seat < seen.players:
                return Refusal("S10", f"Nobody sits at seat {seat}.")
            if tool not in tuple(card[1:]):
                return Refusal("S10", f"The card {card} does not repair that.")
            return Refusal("S10", f"That player's {TOOL_NAMES[tool]} is not broken.")
        case RockFall(cell):
            if cell in FIXED:
                return Refusal("S11", "A rock-fall cannot remove the start card or a finish card.")
            return Refusal("S11", "There is no path card to remove.")
        case LookAt(cell):
            if cell not in FINISH:
                return Refusal("S12", f"There is no finish card; they lie at {_FINISH_CELLS}.")
            return Refusal("S12", "That finish card is face up already.")
    return Refusal("S5", "Play a card of your hand or discard one.")


def _why_no_dig(seen: SaboteurObservation, piece: str, cell: Cell) -> Refusal:
    broken = [TOOL_NAMES[tool] for tool in seen.broken[seen.current_player]]
    if broken:
        return Refusal("S8", f"With a broken {' and '.join(broken)} you cannot lay path cards.")
    cards = {**seen.maze, **{door.cell: door.card for door in seen.finish_cards if door.card is not None}}
    if cell in cards:
        return Refusal("S6", "There is a card already.")
    if cell in FINISH:
        return Refusal("S6", "A finish card lies there.")
    beside = [(edge, cards[near]) for edge, near in enumerate(neighbours(cell)) if near in cards]
    if not beside:
        return Refusal("S6", "A path card must touch a face-up card, and none lies beside that place.")
    for edge, other in beside:
        mine, theirs = SIDES[piece][edge].open, SIDES[other][OPPOSITE[edge]].open
        if mine != theirs:
            return Refusal(
                "S6", f"{_OPEN[mine]} would meet {_OPEN[theirs].lower()} {_SIDE_NAMES[edge]}; like must meet like."
            )
    return Refusal("S7", "A new path card must continue a path from the start card.")
