"""The components of Moor: four cairns of stones, and a token for each of them."""

from __future__ import annotations

from typing import Final

CAIRNS: Final = {"A": 3, "B": 4, "C": 5, "D": 6}
"""The stones of each cairn at the beginning (M1)."""

LETTERS: Final = tuple(CAIRNS)
STONES: Final = sum(CAIRNS.values())
