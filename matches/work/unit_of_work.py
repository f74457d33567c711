"""The unit of work: load a table, let it decide, store the difference, announce it. Nothing else writes these rows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Concatenate, Final, NamedTuple, ParamSpec, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

from db import Connection, Database, DatabaseError
from db.matches import deadlines, log_lines, outbox, presses, queries, retention
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.model.rows import DeadlineRow, Telling
from db.people import lists, settings
from db.store import leases
from db.store.leases import Lease, Shards
from db.upkeep import caches
from games.log import Course, Line, LogError
from matches.engine.clock import Clock, Trust
from matches.engine.fair_lock import FairLock
from matches.errors import Frozen, Pruned, Unavailable, WrongTime
from matches.records import fair
from matches.records.match import Match
from matches.records.requests import NewMatch, Once, Person
from matches.table import opening
from matches.table.feature import Feature
from matches.table.follow import decided, followed
from matches.table.value import Decision, Table
from matches.work import difference, stored
from matches.work.difference import Entropy
from matches.work.notices import check_open
from matches.work.positions import BEGUN, Behind, Positions, is_to_be_played_on

log = logging.getLogger(__name__)

_REPLAYED: Final = (*BEGUN, Status.FROZEN)

NOT_STORED: Final = "I can't save anything right now, so nothing was changed. Please try again."
PERHAPS_STORED: Final = (
    "The database failed while I was saving this, so I can't tell whether it worked. "
    "Please look at the match before you try again."
)
NOT_READ: Final = "I can't look that up right now. Please try again."

A = TypeVarTuple("A")
P = ParamSpec("P")
T = TypeVar("T")


FROZEN: Final = (
    "match %s (%s) is frozen, and its people are told. %s To let it go on, start the version that it began with; to "
    "end it, use **End …** under /match. `python bot.py --check` names all such matches."
)
"""Logged once for each match that freezes. The reason in it is the sentence that everybody may read."""


class Effect(NamedTuple):
    """What a decision has stored.

    `owed`: something must be announced. `told`: the outbox rows already leased to this process. `frozen`: why the match
    stands still from now on.
    """

    table: Table
    owed: bool = False
    told: Sequence[Telling] = ()
    frozen: str | None = None

    @property
    def match(self) -> Match:
        """The match as it was stored."""
        return self.table.match


class UnitOfWork:
    """What all parts of the host share: the store, the clock, and the cache of positions.

    This process leases rows under its `name`. `shards`: those that it carries (``None``: all).
    """

    on_commit: Callable[[Match, Sequence[Telling]], None] | None = None
    """Called after each commit that must be announced, or that made something due.

    The tellings are leased to this process already; there may be more. It must not block. Without it, the rows stay in
    the outbox until a process claims them.
    """

    def __init__(self, database: Database, clock: Clock, name: str, shards: Shards | None, entropy: Entropy) -> None:
        self.name = name
        self.shards = shards
        self.lease = leases.LEASE_ALONE if shards is None else leases.LEASE_AMONG_OTHERS
        """How long a lease of this process lasts unless it is renewed."""
        self.positions = Positions()
        self.features: tuple[Feature[Table], ...] = ()
        """Those that this bot has."""
        self._database = database
        self._clock = clock
        self.entropy = entropy
        """Draws secret random bytes."""
        self.trust = Trust(clock)
        """Whether this process's clock has advanced without a jump."""
        self.keep: timedelta | None = None
        """How long finished matches keep their lines (``None``: for ever)."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._healing = asyncio.Lock()
        self._reads_fail: datetime | None = None
        self._writes_fail: datetime | None = None
        """Since when no transaction of this kind has worked."""
        self._long_reads = FairLock()

    def now(self) -> datetime:
        """The present moment by the injected clock."""
        return self._clock.now()

    async def is_trusted(self) -> bool:
        """Whether the clock can be trusted with what can't be undone. Raises Unavailable.

        It must not have jumped for an hour. If old lines are deleted, it must also not be further ahead of the newest
        line than half the time for which lines are kept. In a bot that is in use, a correct clock never is. If nobody
        has played for that long, all deletion waits until somebody does.
        """
        if not self.trust.holds():
            return False
        if self.keep is None:
            return True
        newest = await self.read(retention.newest)
        return newest is not None and self.now() - newest <= self.keep / 2

    async def read(self, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `work` returns, which only reads. Raises Unavailable if the store fails."""
        return await self._read(lambda: self._database.read(work, *args, **kwargs))

    async def read_at_length(
        self, owner: int | None, work: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Read more than a page, otherwise as `read`. It uses a connection of its own, so no player waits for it.

        Such reads run one after another, by turns among owners (people or servers). Very long ones are done page by
        page, so that others have their turn in between.
        """
        async with self._long_reads.hold(owner):
            return await self._read(
                lambda: self._database.at_length(lambda connection: work(connection, *args, **kwargs), writes=False)
            )

    async def write(self, work: Callable[[Connection, *A], T], /, *args: *A, idempotent: bool = False) -> T:
        """Return what `work` returns, which reads and writes in one transaction. Raises Unavailable if the store fails.

        A transient fault is retried once if the first commit has certainly failed. `idempotent` work is also retried if
        its first commit may have succeeded.
        """
        try:
            return await self._written(work, *args)
        except DatabaseError as error:
            first = error
        if not await self._heals(first) and not (idempotent if first.uncertain else first.transient):
            raise Unavailable(PERHAPS_STORED if first.uncertain else NOT_STORED, self._writes_fail) from first
        try:
            return await self._written(work, *args)
        except DatabaseError as error:
            uncertain = first.uncertain or error.uncertain
            raise Unavailable(PERHAPS_STORED if uncertain else NOT_STORED, self._writes_fail) from error

    async def _written(self, work: Callable[[Connection, *A], T], *args: *A) -> T:
        """Run one writing transaction, and note whether the store takes any. Raises DatabaseError."""
        try:
            result = await self._database.write(work, *args)
        except DatabaseError:
            self._writes_fail = self._writes_fail or self.now()
            raise
        self._writes_fail = None
        return result

    async def change(
        self,
        match_id: MatchId | Once,
        decision: Decision,
        *,
        people: Collection[UserId] = (),
        claimed: DeadlineRow | None = None,
        tells: bool = False,
    ) -> Effect:
        """Load the table, let it decide, store the difference and announce it.

        An interaction changes a match `Once`. A `claimed` deadline that is no longer set changes nothing. `people` may
        sit down or leave by this decision. `tells`: this process also delivers the result, unless another one holds
        rows of the match. A log that does not replay freezes the match. This process handles the requests at each table
        one after another. Raises NotFound, Frozen, Unavailable, and what `decision` raises.
        """
        match_id, interaction_id = match_id if isinstance(match_id, Once) else (match_id, None)
        async with self._locks.setdefault(match_id, asyncio.Lock()):
            course = await self._replayed(match_id)

            def work(connection: Connection) -> Effect:
                table = stored.table(connection, match_id, self.now(), lock=True, people=people)
                if interaction_id is not None and _is_repeated(connection, table.match, interaction_id):
                    return Effect(table)
                if claimed is not None:
                    if deadlines.get(connection, match_id, claimed.kind) != claimed:
                        return Effect(table)
                    deadlines.remove(connection, match_id, claimed.kind)
                table = self.loaded(table, interaction_id)
                try:
                    table = self._with_position(connection, table, course)
                except LogError as error:
                    if table.match.status is Status.RUNNING:
                        reason = f"This match is frozen: this version of the bot can't read its log. {error}"
                        frozen = followed(table, table.frozen(reason))
                        return self._store(connection, table, frozen, tells=tells)._replace(frozen=reason)
                return self._store(connection, table, decided(table, decision), tells=tells)

            # A second try finds by the interaction's id whether the first one was stored.
            effect = await self.write(work, idempotent=interaction_id is not None)
            if effect.frozen is not None:
                self.positions.forget(match_id)
                log.warning(FROZEN, match_id, effect.match.game, effect.frozen)
            elif effect.table.course is not None and effect.match.status in BEGUN:
                self.positions.keep(match_id, effect.table.course)
            self.announce(effect)
            if effect.frozen is not None:
                raise Frozen(effect.frozen)
        return effect

    def change_within(
        self,
        connection: Connection,
        match_id: MatchId,
        decision: Decision,
        *,
        people: Collection[UserId] = (),
        course: Course | None = None,
        interaction_id: int | None = None,
    ) -> Effect:
        """Do as `change` within a transaction of the caller's, with the position that the caller knows, if any.

        The caller must check whether the interaction was carried out before. Call `announce` after the commit.
        """
        table = stored.table(connection, match_id, self.now(), lock=True, alone=False, people=people)
        table = replace(self.loaded(table, interaction_id), course=course)
        return self._store(connection, table, decided(table, decision))

    def open_within(self, connection: Connection, request: NewMatch, host: Person, seed: bytes | None = None) -> Match:
        """Open a lobby within a transaction of the caller's. An interaction that has opened one opens no other.

        `seed`: the secret one, ``None``: a new one. Raises TooSoon or NotAllowed, also while no new tables open.
        """
        if request.interaction_id is not None:
            known = presses.match_of(connection, request.interaction_id)
            if known is not None:
                return stored.read(connection, known)
        check_open(connection)
        private, first_here, terms = None, False, request.terms
        rated, starts = False, terms.host_starts
        if request.guild_id is not None:
            chosen = settings.guild_settings(connection, request.guild_id)
            private, rated = chosen.private, terms.rated and not chosen.unrated
            first_here = queries.has_no_match(connection, request.guild_id)
        people = (host.user_id, *(person.user_id for person in request.seated))
        known_of, stranger = stored.known(connection, people, private)
        if starts is None:
            # A host who has a list starts the match themselves, whoever joins. So nobody can find out who is on it.
            starts = lists.length(connection, host.user_id) > 0
        request = replace(request, terms=replace(terms, rated=rated, host_starts=starts))
        stored.wait_to_sit(connection, request.guild_id, people)
        now, seed = self.now(), seed or self.entropy(fair.SEED_BYTES)
        guild_id, reliable = request.guild_id, terms.reliable
        standing = stored.standing(connection, guild_id, people, now, reliable=reliable, lobby=MatchId(0))
        about = (known_of, stranger, standing, self.features)
        table = opening.opened(request, host, seed, now, *about, first_here=first_here)
        return difference.insert(connection, table).match

    def announce(self, *effects: Effect) -> None:
        """Have committed effects announced, if something must be."""
        for effect in effects:
            if effect.owed and self.on_commit is not None:
                self.on_commit(effect.match, effect.told)

    async def position(self, of: MatchId | Match) -> tuple[Match, Course]:
        """Return a match that has begun, with its position. For a match whose position is cached it needs no query.

        Raises NotFound, Frozen, Pruned, WrongTime before the start, Unavailable.
        """
        if isinstance(of, Match):
            _check_begun(of)
            known = self.positions.kept(of)
            if known is not None:
                return of, known
            of = of.id
        table, _ = await self.snapshot(of)
        assert table.course is not None
        return table.match, table.course

    async def snapshot(
        self, match_id: MatchId, *, with_lines: Callable[[str], bool] = lambda game: False
    ) -> tuple[Table, list[Line]]:
        """Return a snapshot of a match that has begun: its table with the position, and perhaps all its lines.

        `with_lines`: for which games, by key. Raises NotFound, Frozen, Pruned, WrongTime before the start, Unavailable.
        """
        try:
            return await self._snapshot(match_id, with_lines=with_lines)
        except (Frozen, LogError) as error:
            # A transaction of its own decides whether the match freezes, or thaws, and stores that.
            match = (await self.change(match_id, lambda table: table)).match
            if match.status is Status.OVER:
                raise Frozen(f"This match can no longer be shown. {error}") from error
            _check_begun(match)
        return await self._snapshot(match_id, with_lines=with_lines)

    async def _snapshot(self, match_id: MatchId, *, with_lines: Callable[[str], bool]) -> tuple[Table, list[Line]]:
        def look(connection: Connection) -> tuple[Table, Behind, list[Line]]:
            table = stored.table(connection, match_id, self.now())
            _check_begun(table.match)
            behind = self.positions.behind(connection, table.match)
            rows = log_lines.lines(connection, match_id) if with_lines(table.match.game) else []
            return table, behind, [Line(*row) for row in rows]

        table, behind, lines = await self.read(look)
        return self.loaded(table).at(await self.positions.caught_up(table.match, behind)), lines

    async def _read(self, attempt: Callable[[], Awaitable[T]]) -> T:
        try:
            try:
                result = await attempt()
            except DatabaseError as error:
                if not await self._heals(error):
                    raise
                result = await attempt()
        except DatabaseError as error:
            self._reads_fail = self._reads_fail or self.now()
            raise Unavailable(NOT_READ, self._reads_fail) from error
        self._reads_fail = None
        return result

    async def _heals(self, error: DatabaseError) -> bool:
        """Rebuild damaged caches, if that is why a transaction failed. Returns whether a retry may help."""
        if not error.damaged or error.uncertain:
            return False
        async with self._healing:
            try:
                found = await caches.damaged(self._database)
                if found:
                    await caches.recreate(self._database)
            except DatabaseError:
                log.exception("The database is damaged, and its caches couldn't be made anew.")
                return False
        if found:
            log.error(
                "The database is damaged, but only in what the bot computes anew (%s): nothing is lost. Run VACUUM on "
                "it while the bot is stopped, and check the disk.",
                ", ".join(found),
            )
        else:
            log.error("The database is damaged; please restore a backup.", exc_info=error)
        # If nothing was found, another process may have just rebuilt them.
        return True

    def _store(self, connection: Connection, before: Table, table: Table, *, tells: bool = False) -> Effect:
        """Write the difference, and lease its outbox rows to this process, so that it needn't claim them.

        If several processes share the store, it leases them only with `tells`, and if no other process holds rows of
        the match.
        """
        mine = self.shards is None or (
            tells and not outbox.is_leased_by_others(connection, table.match.id, self.now(), self.name)
        )
        lease = Lease(self.name, self.now() + self.lease) if mine and self.on_commit is not None else None
        told = difference.store(connection, before, table, lease, self.entropy)
        return Effect(table, difference.is_owed(table), told)

    def loaded(self, table: Table, press: int | None = None) -> Table:
        """Return a table that was read, with the features of this bot and the interaction that asks."""
        return replace(table, features=self.features, press=press, restores=self._database.restores)

    def _with_position(self, connection: Connection, table: Table, course: Course | None) -> Table:
        """Add the position to a running match. A frozen one that replays after all gets `course`. Raises LogError.

        So does a lobby whose match is played on from another one.
        """
        match = table.match
        if match.status is Status.RUNNING:
            return table.at(self.positions.behind(connection, match).caught_up())
        if match.status is Status.LOBBY and match.is_branched:
            course = self.positions.kept(match) or course
        if match.status in (Status.FROZEN, Status.LOBBY) and course is not None and course.ply == match.ply:
            return table.at(course)
        return table

    async def _replayed(self, match_id: MatchId) -> Course | None:
        """Replay the log before the transaction. Within it, a long log would keep all other writers waiting.

        Returns the course, ``None`` if it is in memory already or the log doesn't replay.
        """
        if match_id in self.positions:
            return None

        def look(connection: Connection) -> tuple[Match, Behind | None]:
            match = stored.read(connection, match_id)
            replayed = (match.status in _REPLAYED and not match.is_pruned) or is_to_be_played_on(match)
            return match, self.positions.behind(connection, match) if replayed else None

        try:
            match, behind = await self.read(look)
            return None if behind is None else await self.positions.caught_up(match, behind)
        except LogError:
            # The transaction finds the same, and freezes the match. A frozen one stays as it is.
            return None


def _is_repeated(connection: Connection, match: Match, interaction_id: int) -> bool:
    """Whether this interaction has been carried out before."""
    find = presses.match_of if match.status in (Status.LOBBY, Status.CANCELLED) else log_lines.match_of_line
    return find(connection, interaction_id) is not None


def _check_begun(match: Match) -> None:
    """Raises Frozen, Pruned, and WrongTime before the start."""
    if match.status is Status.FROZEN:
        raise Frozen(match.reason or "")
    if match.is_pruned:
        raise Pruned(match.id)
    if match.status not in BEGUN:
        raise WrongTime("This match hasn't started yet." if match.status is Status.LOBBY else "This lobby is closed.")
