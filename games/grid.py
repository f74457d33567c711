"""The unbounded grid that Saboteur and Ambagibus share: cells, edges, notation.

A cell is ``(x, y)``: x grows to the right (E), y grows upwards (N), and both may be negative. Edges are numbered
clockwise: 0 N, 1 E, 2 S, 3 W. A set of edges is a mask of four bits: bit *i* for edge *i*.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

Cell = tuple[int, int]

EDGES: Final = "NESW"
EDGE_NAMES: Final = {"N": "up", "E": "right", "S": "down", "W": "left"}
"""The names of the edges for people."""
OPPOSITE: Final = (2, 3, 0, 1)

_REMEMBERED: Final = 1 << 14
"""The number of cells in the caches: more than any match has. It is bounded because people may type any cell."""

_CELL = re.compile(r"(0|-?[1-9][0-9]{0,3}),(0|-?[1-9][0-9]{0,3})", re.ASCII)


@lru_cache(maxsize=_REMEMBERED)
def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells beside `cell`, in the order of the edges N E S W."""
    x, y = cell
    return (x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)


@lru_cache(maxsize=_REMEMBERED)
def cell_to_string(cell: Cell) -> str:
    """Return the cell in the notation, ``x,y``: no plus sign, no leading zeros."""
    return f"{cell[0]},{cell[1]}"


def string_to_cell(text: str) -> Cell | None:
    """Return the cell that `text` stands for, or ``None`` if it isn't in the notation."""
    match = _CELL.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None
