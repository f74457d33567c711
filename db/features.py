"""What the features keep (`matches/features.py`), also of those that are left out: all of it can be deleted."""

from __future__ import annotations

from typing import Final

from db.lessons import kept as lessons
from db.model.kept import Kept
from db.orders import kept as orders

KEPT: Final[tuple[Kept, ...]] = (lessons.KEPT, orders.KEPT)

OF_MATCH: Final = tuple(each for each in KEPT if each.of_match is not None)
"""What is read with a match."""
