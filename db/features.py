"""What the features keep (`matches/features.py`), also of those that are left out: all of it can be deleted."""

from __future__ import annotations

from typing import Final

from db.model.kept import Kept
from db.orders import kept as orders

KEPT: Final[tuple[Kept, ...]] = (orders.KEPT,)
