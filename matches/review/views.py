"""A review as one person may see it. `cogs/review/pages.py` shows it, and `render/review.py` draws its story."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from games.core import Observation, Played
from games.exercise import Task
from matches.analysis.broken_rules import Fault
from matches.analysis.luck import Luck
from matches.analysis.outline import Point, Turn
from matches.analysis.progress import Moment
from matches.analysis.rounds import RoundStory
from matches.computers.thinking import judgement_of
from matches.records.match import Match


@dataclass(frozen=True)
class OwnMoment:
    """A moment of the viewer's own seat, with what they saw when they decided.

    `played` and `better` are the actions. `can_try`: what is right there was judged, so they can try it again.
    """

    moment: Moment
    seen: Observation
    played: Any
    better: Any
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
class OwnFault:
    """Like `OwnMoment`, for a decision against a rule of conduct."""

    fault: Fault
    seen: Observation
    played: Any
    better: Any


class Turned(NamedTuple):
    """A turning point, with what was done there and what a spectator saw after that.

    `dealt`: a new deal came before anybody decided again, so the gain may be the deal's.
    """

    turn: Turn
    line: Played[Any]
    seen: Observation
    dealt: bool = False


@dataclass(frozen=True)
class Review:
    """A review of a finished match, with the story that everybody may see and the moments of the viewer's own seat.

    Attributes:
        unit: what leads are counted in, as a word in the singular.
        progress: the share of the work that is done, 1 once it is finished. Before that there is nothing to show.
        ahead: how many other reviews come first.
        outdated: an earlier version of judging has made it.
        points: every seat's expected lead along the match.
        turns: the turning points.
        luck: every seat's luck apart from play, ``None`` where there is none.
        seat: the viewer's seat, ``None`` for everybody else.
        own: their moments, the costliest first.
        rounds: of a game with hidden roles, how each round went. It has neither points nor moments.
        broken: the viewer's decisions in it against a rule of conduct, the clearest first.
    """

    match: Match
    unit: str
    progress: float
    ahead: int
    outdated: bool
    points: tuple[Point, ...] = ()
    turns: tuple[Turned, ...] = ()
    seat: int | None = None
    own: tuple[OwnMoment, ...] = ()
    luck: Luck | None = None
    rounds: tuple[RoundStory, ...] = ()
    broken: tuple[OwnFault, ...] = ()

    @property
    def pages(self) -> tuple[OwnMoment | OwnFault, ...]:
        """What the viewer is told of their own decisions."""
        return self.own or self.broken

    @property
    def stake(self) -> str:
        """What a moment's loss is a share of, as a word."""
        return judgement_of(self.match.game).stake(self.match.header.players)

    @property
    def finished(self) -> bool:
        """Whether it can be shown."""
        return self.progress >= 1
