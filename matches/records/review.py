"""A review as one person may see it. `cogs/look/review.py` shows it, and `render/review.py` draws its story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.core import Observation
from matches.records.match import Match
from matches.review.outline import Point, Turn
from matches.review.progress import Moment


@dataclass(frozen=True)
class OwnMoment:
    """A moment of the viewer's own seat, with what they saw when they decided.

    `played` and `better` are the actions.
    """

    moment: Moment
    seen: Observation
    played: Any
    better: Any


@dataclass(frozen=True)
class Review:
    """A review of a finished match, with the story that everybody may see and the moments of the viewer's own seat.

    Attributes:
        unit: what leads are counted in, in one word for one.
        progress: the share of the work that is done, 1 once it is finished. Before that there is nothing to show.
        ahead: how many other reviews come first.
        outdated: an earlier version of judging has made it.
        points: every seat's expected lead along the match.
        turns: the turning points.
        seat: the viewer's seat, ``None`` for everybody else.
        own: their moments, the costliest first.
    """

    match: Match
    unit: str
    progress: float
    ahead: int
    outdated: bool
    points: tuple[Point, ...] = ()
    turns: tuple[Turn, ...] = ()
    seat: int | None = None
    own: tuple[OwnMoment, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether it can be shown."""
        return self.progress >= 1
