"""Positions kept in memory, and brought up to date from the log: a cache, since the log in the store is the truth."""

from __future__ import annotations

import asyncio
import pickle
from threading import Lock
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from cachetools import LRUCache

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.ids import MatchId
from games.log import Course, Line
from matches.records.match import Match

KEPT: Final = 32_000_000
"""Bytes of the courses in memory: some thousand matches."""

_IN_MEMORY: Final = 7
"""How many times as large as its pickle a course is in memory (5 to 8 in the five games)."""

_WEIGHED_EVERY: Final = 16
"""A course is weighed again after so many lines: to weigh it takes a third of a millisecond."""

AT_ONCE: Final = 64
"""More lines than these are replayed before the transaction that needs them, or nobody else could write meanwhile."""

BEGUN: Final = (Status.RUNNING, Status.OVER)


class Behind(NamedTuple):
    """A course, and the stored lines that follow it."""

    known: Course
    lines: list[Line]

    def caught_up(self) -> Course:
        """The course with these lines. Raises LogError."""
        return self.known.through(self.lines)


class _Kept(NamedTuple):
    """A course, and about how many bytes it takes in memory."""

    course: Course
    size: int


class Positions:
    """The courses of the matches that were looked at last."""

    def __init__(self) -> None:
        self._courses: LRUCache[int, _Kept] = LRUCache(KEPT, lambda kept: kept.size)
        self._lock = Lock()
        """Around every use of the courses, since transactions look at them from threads."""
        self._replaying: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def kept(self, match: Match) -> Course | None:
        """The match's course where it is in memory, as far as `match` has come."""
        known = self._of(match.id)
        return known if known is not None and known.ply == match.ply else None

    def __contains__(self, match_id: object) -> bool:
        with self._lock:
            return match_id in self._courses

    def keep(self, match_id: MatchId, course: Course) -> None:
        """Remember how far a match has come; what nobody has looked at for longest is forgotten."""
        with self._lock:
            before = self._courses.get(match_id)
        if before is not None and before.course.ply == course.ply:
            return
        known = before is not None and before.course.ply // _WEIGHED_EVERY == course.ply // _WEIGHED_EVERY
        size = before.size if before is not None and known else _size(course)
        with self._lock:
            self._courses[match_id] = _Kept(course, size)

    def forget(self, match_id: MatchId) -> None:
        """Nothing that is in memory of this match proves anything any more."""
        with self._lock:
            self._courses.pop(match_id, None)

    def _of(self, match_id: MatchId) -> Course | None:
        with self._lock:
            known = self._courses.get(match_id)
        return None if known is None else known.course

    def behind(self, connection: Connection, match: Match) -> Behind:
        """What is in memory of the match's course, and the lines that it lacks. Raises LogError."""
        known = self._of(match.id)
        if known is None or known.ply > match.ply:
            known = Course.begin(match.header)
        if known.ply == match.ply:
            return Behind(known, [])
        rows = queries.lines(connection, match.id, known.ply)
        return Behind(known, [Line(*row) for row in rows])

    async def caught_up(self, match: Match, behind: Behind) -> Course:
        """Return the match's course up to its last stored line, and keep it unless the match is frozen.

        A long log is replayed in a thread. Raises LogError.
        """
        if len(behind.lines) <= AT_ONCE:
            course = behind.caught_up()
        else:
            async with self._replaying.setdefault(match.id, asyncio.Lock()):
                # After a start, one of many who look at the same match replays it.
                known = self.kept(match) if match.status in BEGUN else None
                course = await asyncio.to_thread(behind.caught_up) if known is None else known
        if match.status in BEGUN:
            self.keep(match.id, course)
        return course


def _size(course: Course) -> int:
    """About how many bytes a course takes in memory."""
    return _IN_MEMORY * len(pickle.dumps(course))
