"""A review as one person may see it. `cogs/review/pages.py` shows it, and `render/review.py` draws its story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from games.core import Observation, Played
from games.exercise import Task
from matches.analysis.luck import Luck
from matches.analysis.outline import Point
from matches.analysis.progress import Moment
from matches.analysis.rounds import RoundStory
from matches.computers.thinking import judgement_of
from matches.records.match import Match


class Sight(NamedTuple):
    """A move as one viewer sees it: what they saw before it, the line, and what they saw after it."""

    before: Observation
    line: Played[Any]
    after: Observation


@dataclass(frozen=True)
class Told:
    """A moment of the match, as everybody sees it and as its seat does.

    Attributes:
        number: its place in the story, from 1; 0 if it's only its seat's.
        public: as a spectator sees it.
        own: as its seat sees it.
        better: the action that would have been better, ``None`` if there is none.
        can_try: what is right there was judged, so people can try it again.
    """

    moment: Moment
    number: int
    public: Sight
    own: Sight
    better: Any = None
    can_try: bool = False


@dataclass(frozen=True)
class Retry:
    """A moment that somebody tries: the position as its seat knew it, and what is right there.

    `number` is that of their own moment, ``None`` if somebody else has posted it. `moments` is how many they have.
    `following` is the line of the one after it, ``None`` after the last.
    """

    match: Match
    moment: Moment
    task: Task
    number: int | None
    moments: int
    following: int | None = None


@dataclass(frozen=True)
class Review:
    """A review of a finished match, with the story that everybody may see and the moments of the viewer's own seat.

    Attributes:
        unit: what leads are counted in, as a word in the singular.
        progress: the share of the work that is done, 1 once it is finished. Before that there is nothing to show.
        ahead: how many other reviews come first.
        outdated: an earlier version of judging has made it.
        points: every seat's expected lead along the match.
        moments: those of the story, and the other ones of the viewer's own seat, in the order of the match.
        luck: every seat's luck apart from play, ``None`` where there is none.
        seat: the viewer's seat, ``None`` for everybody else.
        rounds: of a game with hidden roles, how each round went. It has no points.
    """

    match: Match
    unit: str
    progress: float
    ahead: int
    outdated: bool
    points: tuple[Point, ...] = ()
    moments: tuple[Told, ...] = ()
    seat: int | None = None
    luck: Luck | None = None
    rounds: tuple[RoundStory, ...] = ()

    @property
    def story(self) -> tuple[Told, ...]:
        """The moments that turned the match."""
        return tuple(each for each in self.moments if each.number)

    @property
    def own(self) -> tuple[Told, ...]:
        """The moments of the viewer's own seat."""
        return tuple(each for each in self.moments if each.moment.decision.seat == self.seat)

    @property
    def stake(self) -> str:
        """What a moment's loss is a share of, as a word."""
        return judgement_of(self.match.game).stake(self.match.header.players)

    @property
    def finished(self) -> bool:
        """Whether it can be shown."""
        return self.progress >= 1
