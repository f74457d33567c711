"""Reviews: what a finished match could teach those who played it (`docs/review.md`).

`matches/analysis` judges the moves. `reviewing` is the part of the host, `views` what it shows to one person.
"""

from __future__ import annotations

from typing import Final

from db.model.enums import Status
from matches.analysis.progress import REVIEWED
from matches.records.match import Match
from matches.records.seen import Offer
from matches.review.reviewing import Reviews
from matches.review.views import OwnFault, OwnMoment, Retry, Review, Turned
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "OwnFault", "OwnMoment", "Retry", "Review", "Reviews", "Turned"]


def _offered(match: Match) -> tuple[Offer, ...]:
    return (Offer("review", "Review", row=0),) if match.status is Status.OVER and match.game in REVIEWED else ()


FEATURE: Final = Feature[Table](key="review", part=Reviews, afterwards=_offered)
