"""Reviews: what a finished match could teach those who played it (`docs/review.md`), and playing on from there.

`matches/analysis` judges the moves. `reviewing` and `branching` are the part of the host, `views` what one person sees.
"""

from __future__ import annotations

from typing import Final

from db.model.enums import Status
from db.model.ids import Ply
from matches.analysis.progress import VERSIONS
from matches.records.match import Match
from matches.records.replay import Replay
from matches.records.seen import Offer
from matches.review.reviewing import Reviews
from matches.review.views import Retry, Review, Told
from matches.table.feature import Feature
from matches.table.value import Table

PLAY_ON: Final = "branch"
"""The verb of the buttons that ask how to play on."""

__all__ = ["FEATURE", "Retry", "Review", "Reviews", "Told"]


def _offered(match: Match) -> tuple[Offer, ...]:
    return (Offer("review", "Review", row=0),) if match.status is Status.OVER and match.game in VERSIONS else ()


def _again(match: Match) -> Offer | None:
    """Return the button under the end of a match that was played on: it's played on from there once more."""
    return None if match.branch_ply is None else Offer(PLAY_ON, "Play on again", ply=Ply(match.branch_ply + 1))


def _in_replay(replay: Replay, ply: Ply) -> tuple[Offer, ...]:
    return (Offer(PLAY_ON, "Play on from here"),) if replay.can_play_on(ply) else ()


FEATURE: Final = Feature[Table](key="review", part=Reviews, afterwards=_offered, again=_again, in_replay=_in_replay)
