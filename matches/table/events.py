"""The events of a decision. `matches/work/difference.py` stores them, in this order, beside the table itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from db.matches.outbox import News
from db.model.enums import Due, Kind
from db.model.ids import Ply, SeatNumber, UserId
from games.log import Line
from matches.results.result import Entrant
from matches.table.limits import Limit


class Written(NamedTuple):
    """A new line of the log; `secret` if it tells some people more than others.

    `by_order`: its player had said it in advance.
    """

    line: Line
    secret: bool
    by_order: bool = False


class Told(NamedTuple):
    """New outbox rows, to be sent from `due` on (default: at once). They tell the state after `ply` lines.

    Waiting rows of the `outdated` kinds (only about this `seat` or `user_id`, if given) are dropped. If one of them
    would have rung a person for the same reason, the new row rings them. With `every`, a row that replaces a waiting
    one is sent when that was due, and any other row after this time, or `at_once`.
    """

    rows: tuple[News, ...]
    ply: Ply
    outdated: Collection[Kind] = ()
    seat: SeatNumber | None = None
    user_id: UserId | None = None
    due: datetime | None = None
    every: timedelta | None = None
    at_once: bool = False


class Held(NamedTuple):
    """Whether the match's outbox rows are held back, because its server is out of reach."""

    held: bool


class Clocks(NamedTuple):
    """The match's deadlines from now on, which replace all earlier ones. `ply` is that of the turn.

    The expiry of questions is separate (`Expires`), because they may outlive a turn. So are the deadlines of features
    (`Fires`), because a question about the turn doesn't change them.
    """

    due: Mapping[Due, datetime]
    ply: Ply


class Expires(NamedTuple):
    """When the next open question expires, ``None`` if none is open."""

    due: datetime | None


class Fires(NamedTuple):
    """Between which times a deadline of a feature is, ``None`` for never.

    The moment is drawn at random when it's stored (`matches.work.difference`), so it follows from nothing else.
    """

    kind: Due
    within: tuple[datetime, datetime] | None


class Shifted(NamedTuple):
    """Deadlines of these kinds move by this time."""

    kinds: Collection[Due]
    by: timedelta


class Used(NamedTuple):
    """A person has used an allowance, so many `times` (`matches.table.limits`)."""

    deed: Limit
    user_id: UserId
    times: int = 1


class Left(NamedTuple):
    """Somebody has left a lobby by themselves."""

    user_id: UserId


class MatchEnded(NamedTuple):
    """The match is over, or its lobby closed; the listeners of `matches/work/endings.py` write what follows.

    `entrants` are those whose ratings the result changes, or in `practice` their practice ratings, by place in the
    lobby. The keys of the persons among them are added from the store.
    """

    entrants: Mapping[int, Entrant] = MappingProxyType({})
    practice: bool = False


Event: TypeAlias = Written | Told | Held | Clocks | Expires | Fires | Shifted | Used | Left | MatchEnded
