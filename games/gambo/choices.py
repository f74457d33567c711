"""How a person picks an action of Gambo: one of their pieces, then what it does."""

from __future__ import annotations

from games.core import Choice
from games.gambo.actions import Action, Advance, Deal, Duel, Pass, Side, Swap
from games.gambo.board import CORRIDOR_SQUARES, START_SQUARES
from games.gambo.components import BONUS, DUELS_IN_A_MATCH, name_of, result
from games.gambo.observation import GamboObservation


def choices(seen: GamboObservation, action: Action) -> tuple[Choice, ...]:
    """Return the player's own piece, then what it does."""
    match action:
        case Side(side):
            return (Choice("side", side, f"Take the {side} side"),)
        case Advance(piece):
            return _choice(seen, piece), Choice("deed", "advance", "Advance")
        case Swap((one, other)):
            return _choice(seen, one), _choice(seen, other, "swap with ")
        case Duel(attacker, target):
            wins, points = result(attacker, target)
            points += BONUS if len(seen.duels) + 1 == DUELS_IN_A_MATCH else 0
            what = f": you score {points}" if wins else f": a sacrifice, your opponent scores {points}"
            return _choice(seen, attacker), _choice(seen, target, "attack ", what, own=False)
        case Pass():
            return (Choice("piece", "pass", "Pass: nothing else is possible", gives_up=True),)
        case Deal():
            return ()


def other_choices(seen: GamboObservation, action: Action) -> tuple[tuple[Choice, ...], ...]:
    """Return the other order of a swap's two pieces."""
    return (choices(seen, Swap(action.pieces[::-1])),) if isinstance(action, Swap) else ()


def _choice(seen: GamboObservation, piece: str, deed: str = "", remark: str = "", *, own: bool = True) -> Choice:
    """Return the choice of a piece, or of what is done with it."""
    lane = seen.lanes(own=own)[piece]
    square = (CORRIDOR_SQUARES if seen.corridor[lane] else START_SQUARES)[lane]
    value = f"{deed.split(' ')[0]} {piece}" if deed else piece
    label = f"{deed.capitalize()}{name_of(piece)} on {square}{remark}"
    return Choice("deed" if deed else "piece", value, label, place=square)
