"""Reads a time as people write it: “3 days”, “tomorrow 20:00”, “friday 8pm”, or a time that Discord's clients write."""

from __future__ import annotations

import calendar
import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from matches.api import NotAllowed

LONGEST: Final = timedelta(days=60)

_UNITS: Final = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_COUNTS: Final = {"a": 1.0, "an": 1.0, "half an": 0.5}
_PART = re.compile(
    r"(?P<count>[0-9]{1,3}(?:\.[0-9])?|half an|an?)\s*"
    r"(?P<unit>minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])"
)
_SPAN = re.compile(rf"(?:in\s+)?{_PART.pattern}".replace("?P<count>", "").replace("?P<unit>", ""))
_SPANS = re.compile(rf"{_SPAN.pattern}(?:\s*(?:and|,)?\s*{_SPAN.pattern})*")
_DISCORDS_TIME = re.compile(r"<t:(?P<seconds>[0-9]{1,11})(?::[a-z])?>")

_WEEKDAYS: Final = [name.casefold() for name in calendar.day_name]
_MONTHS: Final = [name.casefold() for name in calendar.month_name]
_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?|{name[:4]}" for name in _MONTHS[1:]) + r")\.?"
_WEEKDAY = "(?P<weekday>" + "|".join(f"{name}|{name[:5]}|{name[:4]}|{name[:3]}" for name in _WEEKDAYS) + r")\.?"
_DATES: Final = tuple(
    re.compile(rf"(?:{_WEEKDAY},?\s+)?{pattern}")
    for pattern in (
        r"(?P<year>[0-9]{4})-(?P<number>[0-9]{1,2})-(?P<day>[0-9]{1,2})",
        r"(?P<day>[0-9]{1,2})\.\s?(?P<number>[0-9]{1,2})\.(?:\s?(?P<year>[0-9]{4}))?",
        rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH}(?:,?\s+(?P<year>[0-9]{{4}}))?",
        rf"{_MONTH}\s+(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>[0-9]{{4}}))?",
    )
)
_DAYS: Final = (*_DATES, re.compile(rf"(?:(?:next|this)\s+)?{_WEEKDAY}|(?P<near>today|tonight|tomorrow|tmrw?)"))
_CLOCK = re.compile(
    r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?\s*(?P<half>[ap])\.?m\.?|(?P<hour24>[0-9]{1,2}):(?P<minute24>[0-9]{2})"
    r"|(?P<named>noon|midday|midnight)"
)
_BETWEEN = re.compile(r"[\s,]*(?:\b(?:at|on)\b)?[\s,]*|t")
_IN_UTC = re.compile(r"\s*(?:utc|gmt|(?<=[0-9])z)$")
_LEAP: Final = 9
"""The most years until 29 February comes again."""
_SLASHES = re.compile(r"[0-9]{1,2}/[0-9]{1,2}")


def needs_zone(text: str) -> bool:
    """Whether what a text means depends on where its writer lives."""
    wanted = text.strip().casefold()
    return _SPANS.fullmatch(wanted) is None and _DISCORDS_TIME.fullmatch(wanted) is None


def read_time(
    text: str, now: datetime, zone: tzinfo = UTC, *, too_far: str, passed: str = "", instead: str = ""
) -> datetime:
    """Return the moment that somebody means, which is later than `now` by `LONGEST` at most.

    It reads spans (“3 days”, “in 2 hours”), Discord's own times (``<t:1764547200:R>``, in any style), and in their
    `zone`, or in UTC if they say so, a time (the next one), a day (its beginning), or both. Raises NotAllowed: with
    examples that work now, or `too_far`. `passed` and `instead` say what else can be written, once a moment has passed
    and after the examples.
    """
    wanted = text.strip().casefold()
    if (discords := _DISCORDS_TIME.fullmatch(wanted)) is not None:
        moment: datetime | None = datetime.fromtimestamp(int(discords["seconds"]), UTC)
    elif _SPANS.fullmatch(wanted) is not None:
        counts = ((part["count"], part["unit"]) for part in _PART.finditer(wanted))
        spans = [(_COUNTS.get(count) or float(count)) * _UNITS[unit[0]] for count, unit in counts]
        moment = now + sum(spans, timedelta())
    else:
        plain = _IN_UTC.sub("", wanted)
        moment = _on_the_clock(plain, now.astimezone(zone if plain == wanted else UTC))
    if moment is None:
        last = f"or {instead}" if instead else "or “31 December”"
        raise NotAllowed(f"I didn't understand that: try “3 days”, “20:00”, “tomorrow 8pm”, “friday 20:00”, {last}.")
    if moment <= now:
        raise NotAllowed(f"That moment has passed.{passed}")
    if moment > now + LONGEST:
        raise NotAllowed(too_far)
    return moment


def _on_the_clock(wanted: str, here: datetime) -> datetime | None:
    """Return the next moment that the text means; ``None`` if it names no day and no time. `here` is the writer's now.

    An hour that comes twice, when clocks are put back, is the first that is still to come. Raises NotAllowed for one
    that never comes, and for a date that is read differently in different countries.
    """
    if _SLASHES.search(wanted):
        raise NotAllowed("Days and months have another order elsewhere: please write the day like “2 March”.")
    clock = _CLOCK.search(wanted)
    at = time() if clock is None else _time_of(clock)
    rest = wanted if clock is None else f"{wanted[: clock.start()]}\0{wanted[clock.end() :]}"
    found = next((match for pattern in _DAYS if (match := pattern.search(rest)) is not None), None)
    left = rest if found is None else f"{rest[: found.start()]}\0{rest[found.end() :]}"
    if at is None or (clock is None and (found is None or found[0] == "tonight")):
        return None
    if any(_BETWEEN.fullmatch(part) is None for part in left.split("\0")):
        return None
    today = here.date()
    days = [today, today + timedelta(days=1)] if found is None else _days_of(found, today)
    said = [datetime.combine(day, at, here.tzinfo) for day in days]
    try:
        moments = [each.replace(fold=fold).astimezone(UTC) for each in said for fold in (0, 1)]
    except OverflowError:
        return None
    moment = next((each for each in moments if each > here), moments[0] if moments else None)
    if clock is None or moment is None:
        return moment
    if moment.astimezone(here.tzinfo).replace(tzinfo=None) not in [each.replace(tzinfo=None) for each in said]:
        raise NotAllowed("Clocks are put forward just then, so that time never comes. Please choose another.")
    return moment


def _time_of(clock: re.Match[str]) -> time | None:
    if clock["named"]:
        return time(0 if clock["named"] == "midnight" else 12)
    hour, minute = int(clock["hour24"] or clock["hour"]), int(clock["minute24"] or clock["minute"] or 0)
    if clock["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (clock["half"] == "p")
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _days_of(found: re.Match[str], today: date) -> list[date]:
    """Return the days that can be meant, in order; none if there's no such day."""
    said = found.groupdict()
    if near := said.get("near"):
        return [today + timedelta(days=near.startswith("tm") or near == "tomorrow")]
    days = [] if "day" in said else [today + timedelta(days=ahead) for ahead in range(8)]
    if "day" in said:
        month, year = said.get("month"), said.get("year")
        in_words = next((place for place, name in enumerate(_MONTHS) if month and name.startswith(month[:3])), 0)
        for each in [int(year)] if year else range(today.year, today.year + _LEAP):
            with suppress(ValueError):
                days.append(date(each, in_words or int(said["number"]), int(said["day"])))
    weekday = said["weekday"]
    return [day for day in days if not weekday or _WEEKDAYS[day.weekday()].startswith(weekday[:3])]
