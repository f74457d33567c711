"""A cache of positions, each replayed from the log of its match. The log in the store is the truth."""

from __future__ import annotations

import asyncio
import pickle
from threading import Lock
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from cachetools import LRUCache

from db import Connection
from db.matches import log_lines
from db.model.enums import Status
from db.model.ids import MatchId
from games.log import Course, Line
from matches.records.match import Match

KEPT: Final = 32_000_000
"""Size of the cache in bytes: enough for some thousand matches."""

_IN_MEMORY: Final = 7
"""A course in memory is this many times as large as its pickle (5 to 8 in the five games)."""

_WEIGHED_EVERY: Final = 16
"""The size of a course is measured again after this many lines. Measuring takes a third of a millisecond."""

LINES_ON_LOOP: Final = 64
"""More lines than this are replayed in a thread, so as not to block the event loop."""

BEGUN: Final = (Status.RUNNING, Status.OVER)


def is_to_be_played_on(match: Match) -> bool:
    """Whether it's the lobby of a match that is played on from another one, so that it has lines before it begins."""
    return match.status is Status.LOBBY and match.is_branched


class Behind(NamedTuple):
    """A cached course, and the stored lines that it lacks."""

    known: Course
    lines: list[Line]

    def caught_up(self) -> Course:
        """Return the course with these lines. Raises LogError."""
        return self.known.through(self.lines)


class _Kept(NamedTuple):
    """A course, and its approximate size in memory in bytes."""

    course: Course
    size: int


class Positions:
    """A cache of courses that drops the least recently used."""

    def __init__(self) -> None:
        self._courses: LRUCache[int, _Kept] = LRUCache(KEPT, lambda kept: kept.size)
        self._lock = Lock()
        """Guards the cache, because transactions use it from threads."""
        self._replaying: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def kept(self, match: Match) -> Course | None:
        """Return the match's course if it is cached and at the ply of `match`."""
        known = self._of(match.id)
        return known if known is not None and known.ply == match.ply else None

    def __contains__(self, match_id: object) -> bool:
        with self._lock:
            return match_id in self._courses

    def keep(self, match_id: MatchId, course: Course) -> None:
        """Cache the course of a match."""
        with self._lock:
            before = self._courses.get(match_id)
        if before is not None and before.course.ply == course.ply:
            return
        known = before is not None and before.course.ply // _WEIGHED_EVERY == course.ply // _WEIGHED_EVERY
        size = before.size if before is not None and known else _size(course)
        with self._lock:
            self._courses[match_id] = _Kept(course, size)

    def forget(self, match_id: MatchId) -> None:
        """Drop the cached position."""
        with self._lock:
            self._courses.pop(match_id, None)

    def _of(self, match_id: MatchId) -> Course | None:
        with self._lock:
            known = self._courses.get(match_id)
        return None if known is None else known.course

    def behind(self, connection: Connection, match: Match) -> Behind:
        """Read the stored lines that the cached course lacks. Raises LogError."""
        known = self._of(match.id)
        if known is None or known.ply > match.ply:
            known = Course.begin(match.header)
        if known.ply == match.ply:
            return Behind(known, [])
        rows = log_lines.lines(connection, match.id, known.ply)
        return Behind(known, [Line(*row) for row in rows])

    async def caught_up(self, match: Match, behind: Behind) -> Course:
        """Return the match's course up to its last stored line, and cache it unless the match is frozen.

        A long log is replayed in a thread. Raises LogError.
        """
        if len(behind.lines) <= LINES_ON_LOOP:
            course = behind.caught_up()
        else:
            async with self._replaying.setdefault(match.id, asyncio.Lock()):
                # After a restart many requests need the same match. Only the first one replays it.
                known = self.kept(match) if _is_kept(match) else None
                course = await asyncio.to_thread(behind.caught_up) if known is None else known
        if _is_kept(match):
            self.keep(match.id, course)
        return course


def _is_kept(match: Match) -> bool:
    return match.status in BEGUN or is_to_be_played_on(match)


def _size(course: Course) -> int:
    """Return the approximate size of a course in memory in bytes."""
    return _IN_MEMORY * len(pickle.dumps(course))
