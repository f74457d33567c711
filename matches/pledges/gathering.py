"""How a table comes about from the people who were asked whether they're ready: a pure decision.

Everybody in a party is asked once. People who say no, or don't answer in time, are left out, and others are asked. As
soon as enough people have said yes, their lobby opens. People who say yes after that join it, until it starts.

Appointed tables ask in another way: `cogs/delivery/gathering.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from db.model.enums import Pace
from matches.pledges import matching
from matches.pledges.matching import Apart
from matches.pledges.pledge import Pledge, shared_sizes

ROUNDS: Final = 3
"""How many times people are asked for one table, at most. So nobody who said yes early waits for long."""

LEFT_OUT: Final = timedelta(hours=2)
"""People who said no, or nothing, aren't asked again before this time, nor before they would have had to answer."""

PATIENCE: Final = {
    Pace.LIVE: timedelta(minutes=3),
    Pace.DAY: timedelta(hours=1),
    Pace.SLOW: timedelta(hours=2),
    Pace.NONE: timedelta(hours=2),
}
"""How long a lobby that could start waits for people who haven't answered yet, by its pace."""

STARTS_IN: Final = timedelta(minutes=1)
"""How long a lobby waits if everybody has answered. Others can join meanwhile, and its people can look at it."""


@dataclass(frozen=True, kw_only=True)
class Gathering:
    """A table of `size` people at this `pace` that is being brought together; they can say yes until `until`.

    `ready` said yes, `asked` haven't answered. `rounds`: how many times it asked people. `is_open`: its lobby is open.
    """

    pace: Pace
    size: int
    until: datetime
    ready: tuple[Pledge, ...] = ()
    asked: tuple[Pledge, ...] = ()
    rounds: int = 1
    is_open: bool = False


class Next(NamedTuple):
    """What follows: who is `left_out`, who is `called` now, and whether the lobby `opens` or the gathering `ends`.

    A gathering that ends frees everybody who is still in it.
    """

    left_out: tuple[Pledge, ...] = ()
    called: tuple[Pledge, ...] = ()
    opens: bool = False
    ends: bool = False


def is_enough(people: Sequence[Pledge], now: datetime) -> bool:
    """Whether this number of people suits all of them."""
    if not people:
        return False
    fewest, most = shared_sizes(people, now)
    return fewest <= len(people) <= most


def decided(gathering: Gathering, pledges: Collection[Pledge], now: datetime, apart: Apart) -> Next:
    """Decide what follows at this moment. `pledges` are those of people who aren't in a gathering."""
    is_late = gathering.until <= now
    late, asked = (gathering.asked, ()) if is_late else ((), gathering.asked)
    if gathering.is_open:
        return Next(late, ends=not asked)
    if is_enough(gathering.ready, now):
        return Next(late, opens=True)
    hoped = (*gathering.ready, *asked)
    if is_enough(hoped, now):
        return Next(late)
    if hoped and gathering.rounds < ROUNDS:
        called = matching.more(hoped, gathering.pace, pledges, now, apart)
        if called:
            return Next(late, called)
    return Next(late, ends=not asked)


def starts_by(gathering: Gathering, now: datetime) -> datetime:
    """Return when a lobby that opens now starts by itself."""
    if not gathering.asked or gathering.until <= now:
        return now + STARTS_IN
    return max(now + STARTS_IN, min(gathering.until, now + PATIENCE[gathering.pace]))


def rests_until(gathering: Gathering, now: datetime) -> datetime:
    """Return until when somebody who is left out now isn't asked again."""
    return max(now + LEFT_OUT, gathering.until)
