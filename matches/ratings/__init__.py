"""Ratings: how good somebody is at a game on a server, as a pure function of the results that count there."""

from __future__ import annotations

from typing import Final

from db.ratings import kept
from matches.ratings import storing
from matches.ratings.asking import Ratings
from matches.records.seen import Offer
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "Ratings"]

FEATURE: Final = Feature[Table](
    key=kept.KEPT[0].key,
    part=lambda work, computers: Ratings(work, computers.background),
    stored=storing.rate,
    in_lobby=(Offer("ratings", "Ratings"),),
)
