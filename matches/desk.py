"""What every part of the host works with: the store, the clock, one lock a match, and positions kept in memory."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

from db import Connection, Database, DatabaseError
from db import matches as queries
from db.leases import Shards
from db.outbox import Lease
from games.log import Line, LogError
from matches import stored
from matches.clock import Clock
from matches.course import Course
from matches.errors import Frozen, Unavailable
from matches.records import Match, Status, Telling
from matches.sitting import Sitting

COURSES_KEPT: Final = 1000

AT_ONCE: Final = 64
"""More lines than these are replayed in a thread, so that nobody else waits for it."""

_BEGUN: Final = (Status.RUNNING, Status.OVER)
_REPLAYED: Final = (*_BEGUN, Status.FROZEN)


class Behind(NamedTuple):
    """A course, and the stored lines that follow it."""

    known: Course
    lines: list[Line]


class Porter(Protocol):
    """Tells what matches owe."""

    lease: timedelta
    """For how long what is handed over is in the porter's hands, unless that is renewed."""

    def ring(self, match: Match, tellings: Sequence[Telling]) -> None:
        """A commit by which something of this match has to be told or has become due has just been made.

        `tellings` are leased to this process already; there may be more. It must not wait.
        """


class Desk:
    """The shared ground of the host's parts. Positions are a cache: the log in the store is the truth."""

    name = "host"
    """Under this name it leases what it does. Of several hosts over one store each needs a name of its own, which the
    process that comes after it bears too."""

    shards: Shards | None = None
    """The shards that this process carries, ``None`` where it carries all there are."""

    porter: Porter | None = None
    """Who tells what matches owe; without one it stays in the outbox until somebody claims it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._courses: OrderedDict[int, Course] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._replaying: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Connection]:
        """A transaction that writes. Raises Unavailable where the store fails."""
        try:
            async with self._database.transaction() as connection:
                yield connection
        except DatabaseError as error:
            raise Unavailable("I cannot store anything just now; nothing was changed. Please try again.") from error

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[Connection]:
        """A transaction that reads. Raises Unavailable where the store fails."""
        try:
            async with self._database.reading() as connection:
                yield connection
        except DatabaseError as error:
            raise Unavailable("I cannot look that up just now. Please try again.") from error

    @asynccontextmanager
    async def _sitting(self, match_id: int) -> AsyncIterator[Sitting]:
        """One transaction on one match, this process's requests one after the other.

        Everything is stored when the block ends, nothing when it raises. A log that does not replay freezes the
        match. Raises NotFound, Frozen, Unavailable.
        """
        lock = self._locks.setdefault(match_id, asyncio.Lock())
        async with lock:
            thawed = await self._warm(match_id)
            frozen: str | None = None
            async with self._transaction() as connection:
                found = await stored.read(connection, match_id, lock=True)
                sitting = Sitting(connection, self._clock.now(), found, self._lease())
                try:
                    await self._sit(sitting, thawed)
                except LogError as error:
                    if found.match.status is Status.RUNNING:
                        frozen = f"This match stands still, because its log does not fit this program. {error}"
                        sitting.freeze(frozen)
                        # What is in memory proves nothing any more: to thaw, the whole log has to replay.
                        self._courses.pop(match_id, None)
                if frozen is None:
                    yield sitting
                await sitting.store()
            if frozen is None and sitting.course is not None:
                self._keep(match_id, sitting.course)
            if sitting.owes:
                self._ring(sitting.match, sitting.tellings)
            if frozen is not None:
                raise Frozen(frozen)

    def _lease(self) -> Lease | None:
        """What this process tells by itself is in its hands with the commit, and need not be claimed.

        Where several processes share the store, another one may be telling something of the same match.
        """
        if self.porter is None or self.shards is not None:
            return None
        return Lease(self.name, self._clock.now() + self.porter.lease)

    def _ring(self, match: Match, tellings: Sequence[Telling] = ()) -> None:
        if self.porter is not None:
            self.porter.ring(match, tellings)

    async def _sit(self, sitting: Sitting, thawed: Course | None) -> None:
        """Bring the position up to date; `thawed` is that of a frozen match, where its log replays. Raises LogError."""
        status = sitting.match.status
        if status is Status.RUNNING:
            behind = await self._behind(sitting.connection, sitting.match)
            sitting.resume(await self._course(sitting.match, behind))
        elif status is Status.FROZEN and thawed is not None and thawed.ply == sitting.match.ply:
            sitting.thaw(thawed)

    async def _warm(self, match_id: int) -> Course | None:
        """Replay a long log before the transaction that would keep all other writers waiting meanwhile.

        Where a frozen match's log replays after all, its course. A match with a position in memory is not frozen.
        """
        if match_id in self._courses:
            return None
        try:
            async with self._reading() as connection:
                match = (await stored.read(connection, match_id)).match
                if match.status not in _REPLAYED:
                    return None
                behind = await self._behind(connection, match)
            course = await self._course(match, behind)
        except LogError:
            # Whoever sits down finds the same, and freezes the match; a frozen one stays as it is.
            return None
        if match.status is Status.FROZEN:
            return course
        self._keep(match_id, course)
        return None

    async def _behind(self, connection: Connection, match: Match) -> Behind:
        """What is in memory of the match's course, and the lines that it lacks. Raises LogError."""
        known = self._courses.get(match.id)
        if known is None or known.ply > match.ply:
            known = Course.begin(stored.header(match))
        if known.ply == match.ply:
            return Behind(known, [])
        rows = await queries.lines(connection, match.id, known.ply)
        return Behind(known, [Line(*row) for row in rows])

    async def _course(self, match: Match, behind: Behind) -> Course:
        """The match's course up to its last stored line, replayed in a thread where that is long. Raises LogError.

        Outside of a transaction it keeps no connection from others meanwhile.
        """
        if len(behind.lines) <= AT_ONCE:
            return behind.known.through(behind.lines)
        lock = self._replaying.setdefault(match.id, asyncio.Lock())
        async with lock:
            # Of many who look at the same match after a start one replays it.
            known = self._courses.get(match.id)
            if known is not None and known.ply == match.ply and match.status in _BEGUN:
                return known
            course = await asyncio.to_thread(behind.known.through, behind.lines)
            if match.status in _BEGUN:
                self._keep(match.id, course)
            return course

    def _keep(self, match_id: int, course: Course) -> None:
        self._courses[match_id] = course
        self._courses.move_to_end(match_id)
        while len(self._courses) > COURSES_KEPT:
            self._courses.popitem(last=False)
