"""The board of Gambo: its lanes and the names of their squares.

A *lane* is a starting square and the corridor square in front of it. Lane *k* (0-17, from the left) ends on corridor
square *k* + 1. Lanes belong to south and north alternately. A piece only advances (G3), leaves the board (G7) or
changes places with a piece of its own side (G9). So a lane never holds more than one piece, and only pieces of its own
side. A position is therefore the piece of each lane, and whether it waits or stands in the corridor.
"""

from __future__ import annotations

from typing import Final

from games.gambo.components import PIECES

LANES: Final = 2 * len(PIECES)

SOUTH, NORTH = 0, 1
SIDES: Final = ("south", "north")
"""The sides in the order in which their lanes alternate: lane *k* belongs to side *k* % 2."""

START_SQUARES: Final = tuple(f"{SIDES[lane % 2][0]}{lane // 2 + 1}" for lane in range(LANES))
"""The starting square of each lane: ``s1``, ``n1``, ``s2``, …"""

CORRIDOR_SQUARES: Final = tuple(str(lane + 1) for lane in range(LANES))
"""The corridor square of each lane."""

ALL_WAITING: Final = (tuple(range(SOUTH, LANES, 2)), tuple(range(NORTH, LANES, 2)))
"""The lanes of each side, from the left."""
