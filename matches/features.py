"""The features: what people can do beside a match. `FEATURES` is the only list of them.

`db/features.py` lists what they keep.
"""

from __future__ import annotations

from typing import Final

from matches import lessons, orders, pledges, puzzles
from matches.table.feature import Feature
from matches.table.value import Table

FEATURES: Final[tuple[Feature[Table], ...]] = (
    lessons.FEATURE,
    orders.FEATURE,
    pledges.FEATURE,
    puzzles.FEATURE,
)
