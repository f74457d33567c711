"""The hours in which somebody doesn't want to be called, on the clocks of their time zone."""

from __future__ import annotations

import re
from datetime import UTC as UNIVERSAL
from datetime import datetime, timedelta, tzinfo
from functools import cache, lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

_HOURS = re.compile(r"(?P<start>[0-9]{1,2})(?::00)?\s*(?:-|–|to)\s*(?P<end>[0-9]{1,2})(?::00)?")
_STEP: Final = timedelta(minutes=15)
"""Clocks of all time zones are whole quarters of an hour apart."""

UTC: Final = "UTC"
"""The zone of people who haven't chosen one. Whoever chooses UTC has another name for it (`zones`)."""

_CONTINENTS: Final = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)


class Quiet(NamedTuple):
    """From the hour `start` (0-23) to before the hour `end`, perhaps over midnight, in this time zone."""

    start: int
    end: int
    zone: str = UTC

    def covers(self, now: datetime) -> bool:
        """Whether nobody may call at this moment."""
        hour = now.astimezone(zone_named(self.zone)).hour
        return self.start <= hour < self.end if self.start < self.end else not self.end <= hour < self.start

    def ends(self, now: datetime) -> datetime:
        """Return the first moment from `now` on at which somebody may call."""
        if not self.covers(now):
            return now
        moment = now.replace(minute=now.minute // 15 * 15, second=0, microsecond=0)
        while self.covers(moment):
            moment += _STEP
        return moment


def read(text: str) -> str:
    """Return what somebody has typed, such as "22 - 8", in the form that is stored. Raises ValueError."""
    found = _HOURS.fullmatch(text.strip().casefold())
    if found is None:
        raise ValueError(f"not two hours: {text!r}")
    start, end = int(found["start"]) % 24, int(found["end"]) % 24
    if max(int(found["start"]), int(found["end"])) > 24 or start == end:
        raise ValueError(f"not two different hours of a day: {text!r}")
    return f"{start}-{end}"


def stored(hours: str | None, zone: str) -> Quiet | None:
    """Return the quiet hours of somebody's settings, ``None`` if they have none."""
    if not hours:
        return None
    start, end = hours.split("-")
    return Quiet(int(start), int(end), zone)


@cache
def zones() -> tuple[str, ...]:
    """Return the names of the time zones that people live in, as this machine knows them. UTC is always there."""
    known = available_timezones()
    return ("Etc/UTC", *sorted(name for name in known if name.split("/")[0] in _CONTINENTS and "/" in name))


@lru_cache(maxsize=1000)
def zone_named(name: str) -> tzinfo:
    """Return the time zone, or UTC if this machine's data don't have it (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UNIVERSAL
