"""Reads a time as people write it: “3 days”, a day, or a time that Discord's clients write."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from matches.api import NotAllowed

LONGEST: Final = timedelta(days=60)
DAY: Final = "%Y-%m-%d"

_UNITS: Final = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_SPAN = re.compile(r"(?P<count>[0-9]{1,3})\s*(?P<unit>m|min|minutes?|h|hours?|d|days?|w|weeks?)")
_DISCORDS_TIME = re.compile(r"<t:(?P<seconds>[0-9]{1,11})(?::[a-z])?>")


def read_time(
    text: str, now: datetime, zone: tzinfo = UTC, *, too_far: str, passed: str = "", instead: str = ""
) -> datetime:
    """Return the moment that somebody means, which is later than `now` by `LONGEST` at most.

    It reads spans (“3 days”), days (“2030-12-24”: its beginning in their `zone`) and Discord's own times
    (``<t:1764547200:R>``, in any style). Raises NotAllowed: with examples that work now, or `too_far`. `passed` and
    `instead` say what else can be written, once a moment has passed and after the examples.
    """
    wanted = text.strip().casefold()
    moment = None
    if (span := _SPAN.fullmatch(wanted)) is not None:
        moment = now + int(span["count"]) * _UNITS[span["unit"][0]]
    elif (time := _DISCORDS_TIME.fullmatch(wanted)) is not None:
        moment = datetime.fromtimestamp(int(time["seconds"]), UTC)
    else:
        with suppress(ValueError, OverflowError):
            moment = datetime.strptime(wanted, DAY).replace(tzinfo=zone).astimezone(UTC)
    if moment is None:
        day = (now + LONGEST / 2).strftime(DAY)
        last = f"a day like “{day}”, or {instead}" if instead else f"or a day like “{day}”"
        raise NotAllowed(f"I didn't understand that: try “3 days”, “12 hours”, {last}.")
    if moment <= now:
        raise NotAllowed(f"That moment has passed.{passed}")
    if moment > now + LONGEST:
        raise NotAllowed(too_far)
    return moment
