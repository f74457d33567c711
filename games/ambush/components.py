"""The components of Ambush: pyramids in three sizes, and the squares of four coasters."""

from __future__ import annotations

from typing import Final

SIZES: Final = "SML"
"""Small, medium and large pyramids, from the top of a tree to its foot."""

SIZE_NAMES: Final = {"S": "small", "M": "medium", "L": "large"}
PIPS: Final = {"S": 1, "M": 2, "L": 3}
COLUMNS: Final = "ABCDEF"
ROWS: Final = "123456"
SQUARES: Final = tuple(column + row for row in ROWS for column in COLUMNS)
"""All squares, row by row from the top left: square *i* is in row *i* // 6, column *i* % 6."""

SQUARE_NUMBER: Final = {square: number for number, square in enumerate(SQUARES)}

COASTERS: Final = ("NW", "NE", "SW", "SE")
COASTER_NAMES: Final = {"NW": "north-west", "NE": "north-east", "SW": "south-west", "SE": "south-east"}
ANGLES: Final = (90, 180, 270)
"""Degrees by which a coaster can turn, clockwise."""

TREES: Final = 5
"""The number of a player's trees, each of a large, a medium and a small pyramid."""

PYRAMIDS: Final = TREES * len(SIZES)
"""The number of a player's pyramids, and so of their turns (B10)."""
