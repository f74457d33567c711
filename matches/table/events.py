"""What follows from a request beside the table itself: what whoever stores it has to write, in this order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from db.matches.outbox import News
from db.model.enums import Due, Kind
from db.model.ids import Ply, SeatNumber, UserId
from games.log import Line
from matches.ratings.result import Entrant
from matches.table.limits import Deed


class Written(NamedTuple):
    """A line of the log; `secret` where it tells somebody something that it does not tell everybody."""

    line: Line
    secret: bool


class Told(NamedTuple):
    """Something that has to be told, as it stands after `ply` lines, from `due` on (at once where it is left out).

    What waits to be told of these kinds (only about this `seat` or `user_id` where one is named) is `outdated` by it;
    where that was to ring the same person for the same, this rings them in its place. With `every`, what takes the
    place of something that waits is told when that was due, and anything else after so long.
    """

    rows: tuple[News, ...]
    ply: Ply
    outdated: Collection[Kind] = ()
    seat: SeatNumber | None = None
    user_id: UserId | None = None
    due: datetime | None = None
    every: timedelta | None = None


class Held(NamedTuple):
    """Whether what waits to be told has to go on waiting, because the server is out of reach."""

    held: bool


class Clocks(NamedTuple):
    """What happens by itself from now on, and when; what was due before is not any more. `ply` is that of the turn.

    When questions expire is no part of it (`Expires`): they may outlive a turn.
    """

    due: Mapping[Due, datetime]
    ply: Ply


class Expires(NamedTuple):
    """When the next of the questions that the table is asked expires, ``None`` where none is open."""

    due: datetime | None


class Shifted(NamedTuple):
    """What is due of these kinds comes later by so much (or earlier)."""

    kinds: Collection[Due]
    by: timedelta


class Used(NamedTuple):
    """Somebody has done what costs others something, so many `times` (`matches.table.limits`)."""

    deed: Deed
    user_id: UserId
    times: int = 1


class MatchEnded(NamedTuple):
    """The match is over, or its lobby closed; the listeners of `matches/host/endings.py` write what follows.

    `entrants` are those whose ratings the result changes, or in `practice` their practice ratings, by place in the
    lobby. The keys of the persons among them are added from the store.
    """

    entrants: Mapping[int, Entrant] = MappingProxyType({})
    practice: bool = False


Event: TypeAlias = Written | Told | Held | Clocks | Expires | Shifted | Used | MatchEnded
