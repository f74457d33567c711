"""How a person picks an action of Ambush: what they do, then where, how far and at what price."""

from __future__ import annotations

from typing import Final

from games.ambush.actions import Action, Capture, First, Place, Rotate
from games.ambush.board import COASTER_OF
from games.ambush.components import COASTER_NAMES, SIZE_NAMES, SQUARE_NUMBER
from games.ambush.observation import AmbushObservation
from games.core import Choice

_ANGLE_LABELS: Final = {90: "A quarter right (clockwise)", 180: "Half a turn", 270: "A quarter left (anticlockwise)"}


def choices(seen: AmbushObservation, action: Action) -> tuple[Choice, ...]:
    """Return what is done, then the coaster and the square, the angle and the price, or the square of a capture."""
    match action:
        case Place(size, square):
            coaster = COASTER_OF[SQUARE_NUMBER[square]]
            stack = seen.board[SQUARE_NUMBER[square]]
            there = f", on {_whose(seen, square)} stack {stack.sizes}" if stack.sizes else ", empty"
            return (
                Choice("deed", f"place {size}", f"Place a {SIZE_NAMES[size]} pyramid"),
                Choice("coaster", coaster, COASTER_NAMES[coaster].capitalize(), place=coaster),
                Choice("square", square, f"{square}{there}", place=square),
            )
        case Rotate(coaster, angle, price):
            return (
                Choice("deed", f"rotate {coaster}", f"Rotate {COASTER_NAMES[coaster]}", place=coaster),
                Choice("angle", str(angle), _ANGLE_LABELS[angle]),
                Choice("price", price, f"Pay with a {SIZE_NAMES[price]} pyramid"),
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
