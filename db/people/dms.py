"""Queries of opened direct-message channels, and of Discord's refusals to open more (P32).

`matches/delivery/dms.py` decides by them; `cogs/post/dms.py` sends. All processes of a bot share them. The one row of
`dm_pause` is also the lock for that decision.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from db.model import schema
from db.model.columns import Instant

_openings, _pause = schema.dm_openings, schema.dm_pause

MINUTE: Final = timedelta(minutes=1)
DAY: Final = timedelta(days=1)


class Opened(NamedTuple):
    """How many channels were opened within a time: all, and those that nobody had asked for."""

    all: int
    unasked: int


class Standing(NamedTuple):
    """What was opened within the last minute and day, and the pause.

    The pause lasts `wait` and ends at `until`. `skewed`: a clock that is ahead of this one wrote some of it.
    """

    minute: Opened
    day: Opened
    until: datetime | None
    wait: timedelta
    skewed: bool

    def pauses(self, now: datetime) -> bool:
        """Whether no channel may be opened now."""
        return self.until is not None and now < self.until


_LATELY: Final = _openings.c.at > bindparam("minute_ago", type_=Instant)
_UNASKED: Final = _openings.c.asked.is_(False)
_COUNT: Final = select(
    func.count().filter(_LATELY),
    func.count().filter(_LATELY, _UNASKED),
    func.count(),
    func.count().filter(_UNASKED),
    func.max(_openings.c.at),
).where(_openings.c.at > bindparam("day_ago", type_=Instant))
_READ_PAUSE: Final = select(_pause.c.until, _pause.c.wait)
_LOCK_PAUSE: Final = _READ_PAUSE.with_for_update()


def standing(connection: Connection, now: datetime, *, lock: bool = False) -> Standing:
    """Return the current standing. `lock` keeps other processes from deciding until the transaction ends."""
    until, seconds = connection.execute(_LOCK_PAUSE if lock else _READ_PAUSE).one()
    *counts, latest = connection.execute(_COUNT, {"minute_ago": now - MINUTE, "day_ago": now - DAY}).one()
    wait = timedelta(seconds=seconds)
    ahead = (latest is not None and latest > now) or (until is not None and until > now + wait)
    return Standing(Opened(*counts[:2]), Opened(*counts[2:]), until, wait, ahead)


def correct_skew(connection: Connection, now: datetime, found: Standing) -> Standing:
    """Correct clock skew: change future times to now. Return the corrected standing."""
    connection.execute(update(_openings).where(_openings.c.at > now).values(at=now))
    if found.until is not None and found.until > now + found.wait:
        set_pause(connection, now + found.wait, found.wait)
    return standing(connection, now)


def note_opening(connection: Connection, now: datetime, *, asked: bool) -> None:
    """Store that a channel is opened now, and delete entries older than a day."""
    connection.execute(delete(_openings).where(_openings.c.at <= now - DAY))
    connection.execute(insert(_openings).values(at=now, asked=asked))


def set_pause(connection: Connection, until: datetime | None, wait: timedelta) -> None:
    """Pause until then, or end the pause (``None``). The next pause grows from `wait`."""
    values: dict[str, Any] = {"until": until, "wait": int(wait.total_seconds())}
    connection.execute(update(_pause).values(values))


def end_pause(connection: Connection, now: datetime) -> None:
    """Delete an expired pause after a success. A pause that another process has begun meanwhile stays."""
    over = _pause.c.until <= now
    connection.execute(update(_pause).where(over).values(until=None, wait=0))
