"""How a person picks an action of Ambush: what they do, then where, how far and at what price."""

from __future__ import annotations

from typing import Final

from games.ambush.actions import Action, Capture, First, Place, Rotate
from games.ambush.board import COASTER_OF
from games.ambush.components import COASTER_NAMES, SIZE_NAMES, SQUARE_NUMBER
from games.ambush.observation import AmbushObservation
from games.core import Choice

_ANGLE_LABELS: Final = {90: "A quarter right (clockwise)", 180: "Half a turn", 270: "A quarter left (anticlockwise)"}
_ANGLES: Final = {90: "Right", 180: "Half turn", 270: "Left"}


def choices(seen: AmbushObservation, action: Action) -> tuple[Choice, ...]:
    """Return what is done, then the coaster and the square, the angle and the price, or the square of a capture.

    Coasters and squares have their names in the picture.
    """
    match action:
        case Place(size, square):
            coaster, size_name = COASTER_OF[SQUARE_NUMBER[square]], SIZE_NAMES[size]
            whole = f"{size_name.capitalize()} {coaster}"
            return (
                Choice("deed", f"place {size}", f"Place a {size_name} pyramid"),
                Choice("coaster", coaster, f"{coaster} ({COASTER_NAMES[coaster]})", place=coaster, whole=whole),
                Choice("square", square, square, place=square),
            )
        case Rotate(coaster, angle, price):
            paid = SIZE_NAMES[price]
            return (
                Choice("deed", f"rotate {coaster}", f"Rotate {coaster}", place=coaster),
                Choice("angle", str(angle), _ANGLE_LABELS[angle]),
                Choice("price", price, f"Pay with a {paid} pyramid", whole=f"{_ANGLES[angle]}, pay {paid}"),
            )
        case Capture(square):
            size = SIZE_NAMES[seen.board[SQUARE_NUMBER[square]].sizes[-1]]
            what = f"{square}: {_whose(seen, square)} {size} pyramid falls"
            return Choice("deed", "capture", "Make the next capture"), Choice("square", square, what, place=square)
        case First():
            return ()


def _whose(seen: AmbushObservation, square: str) -> str:
    """Return whose stack is on a square, as the current player says it."""
    return "your" if seen.board[SQUARE_NUMBER[square]].owner == seen.current_player else "your opponent's"
