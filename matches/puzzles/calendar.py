"""The day's puzzle: which number opens on which day, for how long it's open, streaks, and the seal.

A number is open for 48 hours, so every time zone has a whole day of it. A streak counts numbers, not dates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from db.puzzles.rows import A_DAY, FIRST, number_at

OPEN_FOR: Final = 2 * A_DAY
"""How long a number is open."""

GAP: Final = 1
"""How many numbers in a row somebody can miss without losing their streak."""

SPREAD: Final = timedelta(hours=2)
"""The time over which the servers' posts are spread."""

RIGHT, NEAR, WRONG, SHOWN = "r", "g", "w", "s"
"""The letters of an attempt's marks: a right answer, a nearly right one, a wrong one, and the first **Show me**."""


def opens_at(number: int) -> datetime:
    """Return when a number opens."""
    return FIRST + (number - 1) * A_DAY


def closes_at(number: int) -> datetime:
    """Return when a number's time is over."""
    return opens_at(number) + OPEN_FOR


def is_open(number: int, now: datetime) -> bool:
    """Whether a number can be solved for a streak now."""
    return number >= 1 and opens_at(number) <= now < closes_at(number)


def spread(guild_id: int) -> timedelta:
    """Return how long after a number's opening a server is told. It is always the same for a server."""
    share = int.from_bytes(sha256(b"puzzle %d" % guild_id).digest()[:4]) / 2**32
    return timedelta(seconds=round(share * SPREAD.total_seconds()))


def goes_on(before: int, number: int, is_played: Callable[[int], bool]) -> bool:
    """Whether a streak whose latest number was `before` goes on with this one.

    Numbers without a puzzle don't count as missed. `is_played` says whether a number has one.
    """
    missed = 0
    for each in range(before + 1, number):
        missed += is_played(each)
        if missed > GAP:
            return False
    return True


def is_alive(latest: int, now: datetime, is_played: Callable[[int], bool]) -> bool:
    """Whether a streak with this latest number can still go on: with the newest number, or an older open one."""
    newest = number_at(now)
    if latest >= newest:
        return True
    left = (number for number in (newest - 1, newest) if number > latest and is_played(number))
    return goes_on(latest, next(left, newest + 1), is_played)


def seal(lines: Iterable[str]) -> str:
    """Return the hash that seals the days' puzzles, given as the lines of their file.

    It is the SHA-256 of the lines' SHA-256 sums, each followed by a line end, in hexadecimal digits.
    """
    sums = (sha256(line.encode("ascii")).hexdigest() for line in lines)
    return sha256("".join(f"{each}\n" for each in sums).encode("ascii")).hexdigest()
