"""The board of Gambo: its lanes and the names of their squares (rules page gambo.md, Notation).

A *lane* is a starting square together with the corridor square in front of it; lane *k* (0-17, from the left) ends on
corridor square *k* + 1. Lanes belong to south and north by turns, and because a piece only advances (G3), leaves the
board (G7) or changes places with a piece of its own side (G9), a lane never holds more than one piece, and always one
of its own side. So a position is the piece of each lane, and whether it still waits or stands in the corridor.
"""

from __future__ import annotations

from typing import Final

from games.gambo.components import PIECES

LANES: Final = 2 * len(PIECES)

SOUTH, NORTH = 0, 1
SIDES: Final = ("south", "north")
"""The sides in the order in which their lanes alternate: lane *k* is of side *k* % 2."""

START_SQUARES: Final = tuple(f"{SIDES[lane % 2][0]}{lane // 2 + 1}" for lane in range(LANES))
"""By lane the name of its starting square: ``s1``, ``n1``, ``s2``, …"""

CORRIDOR_SQUARES: Final = tuple(str(lane + 1) for lane in range(LANES))
"""By lane the name of its corridor square."""

ALL_WAITING: Final = (tuple(range(SOUTH, LANES, 2)), tuple(range(NORTH, LANES, 2)))
"""By side all its lanes, from the left."""
