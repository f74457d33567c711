"""A pledge: somebody would play a game if others did. What they wish widens by a step each hour.

Pure values. Nothing here asks a store or a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from db.model.enums import Pace
from db.model.ids import UserId
from db.pledges.rows import PledgeRow
from games import GAMES
from matches.records.quiet import Quiet
from matches.results.result import AVERAGE

HOUR: Final = timedelta(hours=1)

PACES: Final = (Pace.LIVE, Pace.DAY, Pace.SLOW, Pace.NONE)
"""From quick to slow. A step takes a wish to the next one on either side."""

NEAR: Final = 150
NEARER_EACH_STEP: Final = 100
"""For people who want similar ratings: the largest difference at first, and by how much it grows each hour."""

READY: Final = {
    Pace.LIVE: timedelta(minutes=15),
    Pace.DAY: timedelta(hours=12),
    Pace.SLOW: timedelta(hours=24),
    Pace.NONE: timedelta(hours=24),
}
"""How long somebody has to say that they're ready, by the pace of the table."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pledge:
    """What a person has said about a game, with what decides whether they can be called.

    `place`: the channel in which they said so, 0 if everybody on the server can see it. `quiet`: their quiet hours.
    `playing`: how many of their matches run. `at_once`: they aren't called while this many run (0: no limit).
    `barred`: the server's moderators keep them out. `busy`: they're being asked about another table.
    """

    user_id: UserId
    game: str
    fewest: int
    most: int
    pace: Pace
    since: datetime
    until: datetime
    near: bool = False
    rating: float = AVERAGE
    place: int = 0
    rests_until: datetime | None = None
    quiet: Quiet | None = None
    playing: int = 0
    at_once: int = 0
    barred: bool = False
    busy: bool = False

    @classmethod
    def stored(cls, user_id: UserId, game: str, row: PledgeRow, **about: object) -> Pledge:
        """Make it from a row of the store and what is known `about` its person."""
        named = ("fewest", "most", "pace", "since", "until", "near", "rests_until")
        known: dict[str, object] = {name: getattr(row, name) for name in named}
        known["rating"] = AVERAGE if row.rating is None else row.rating
        known["place"] = 0 if row.everywhere else row.channel_id
        return cls(user_id=user_id, game=game, **{**known, **about})  # type: ignore[arg-type]

    def may_be_called(self, now: datetime) -> bool:
        """Whether they can be asked right now. Unlike their wishes, these conditions don't widen with waiting."""
        return (
            now < self.until
            and not self.busy
            and not self.barred
            and (self.rests_until is None or self.rests_until <= now)
            and (not self.at_once or self.playing < self.at_once)
            and (self.quiet is None or not self.quiet.covers(now))
        )

    def steps(self, now: datetime) -> int:
        """By how many steps their wishes have widened. A clock that was set back narrows them."""
        return max(0, (now - self.since) // HOUR)

    def sizes(self, now: datetime) -> tuple[int, int]:
        """The fewest and the most people at a table that suits them now."""
        info, steps = GAMES[self.game].info, self.steps(now)
        return max(info.min_players, self.fewest - steps), min(info.max_players, self.most + steps)

    def paces(self, now: datetime) -> tuple[Pace, ...]:
        """The paces that suit them now, the wished one first."""
        wished, steps = PACES.index(self.pace), self.steps(now)
        near = [each for each in range(len(PACES)) if abs(each - wished) <= steps]
        return tuple(PACES[each] for each in sorted(near, key=lambda each: (abs(each - wished), each)))

    def reach(self, now: datetime) -> float | None:
        """How far the rating of somebody at their table may be from theirs, ``None``: any distance."""
        return NEAR + NEARER_EACH_STEP * self.steps(now) if self.near else None

    def next_change(self, now: datetime) -> datetime:
        """Return the next moment at which waiting alone makes a difference to this pledge."""
        if self.until <= now:
            return now
        later = [self.until, self.since + (self.steps(now) + 1) * HOUR]
        if self.rests_until is not None and self.rests_until > now:
            later.append(self.rests_until)
        if self.quiet is not None and self.quiet.covers(now):
            later.append(self.quiet.ends(now))
        return min(later)


def shared_sizes(people: Sequence[Pledge], now: datetime) -> tuple[int, int]:
    """Return the fewest and the most people at a table that suits all of these. The first may exceed the second."""
    sizes = [each.sizes(now) for each in people]
    return max(fewest for fewest, _ in sizes), min(most for _, most in sizes)
