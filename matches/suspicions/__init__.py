"""Suspicions: players say whom they suspect, in games with hidden roles."""

from __future__ import annotations

from typing import Final

from matches.suspicions import talk
from matches.table.feature import Feature
from matches.table.value import Table
from matches.work.part import FeaturePart, deed

__all__ = ["FEATURE", "Suspicions"]


class Suspicions(FeaturePart):
    """What players say of each other."""

    suspect = deed(talk.suspect)


FEATURE: Final = Feature[Table](
    key=talk.KEY,
    part=lambda work, _: Suspicions(work),
    followed=talk.silenced,
    on_board=talk.offers,
    said=talk.said,
)
