"""Host.state: how much is open, due and late, and what is wrong with it, for measurements and the operator."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, Self

from db import Connection, Database, DatabaseError
from db.migrations import Empty, Outdated
from db.people import dms
from db.store import meta
from db.store.addresses import address_of, file_at
from db.upkeep import totals
from db.upkeep.totals import Disk, Totals
from matches.work.notices import Said, paused
from matches.work.unit_of_work import UnitOfWork

SESSIONS: Final = "sessions "
"""The prefix of the keys in `meta` under which processes leave their gateway sessions to their successors."""

WAITED: Final = timedelta(minutes=1)
"""How long a message that could be sent may wait before something is wrong."""

OVERDUE: Final = timedelta(minutes=2)
"""How long a deadline may be due before something is wrong."""

ROOM: Final = 1_000_000_000
"""If fewer bytes than this are free on the file's disk, it counts as nearly full."""

BEHIND: Final = timedelta(seconds=30)
"""How far a standby may be behind."""

ENROLLED: Final = "process "
"""The prefix of the keys in `meta` under which processes note that they run."""

PROBED: Final = "probed"
"""The key in `meta` that the check of the store writes."""


class StoreState(NamedTuple):
    """The whole store at one moment. `opened` counts new direct messages. `disk` is known only for a file.

    `paused`: since when no new tables open, and why.
    """

    at: datetime
    totals: Totals
    opened: dms.Standing
    disk: Disk | None
    paused: Said | None

    @property
    def waited(self) -> timedelta:
        """How long the oldest message that could be sent now has waited."""
        return self._since(self.totals.oldest)

    @property
    def late(self) -> timedelta:
        """How long the oldest deadline has been due."""
        return self._since(self.totals.overdue_since)

    @property
    def dm_pause(self) -> timedelta:
        """For how long Discord lets the bot open no direct message from now on."""
        until = self.opened.until
        return timedelta(0) if until is None else max(timedelta(0), until - self.at)

    def problems(self) -> Iterator[str]:
        """Say what makes people wait right now."""
        if self.waited >= WAITED:
            yield f"A message that could be sent has waited for {in_words(self.waited)}."

    def warnings(self) -> Iterator[str]:
        """Say what somebody should look at, though people can play."""
        found = self.totals
        if found.pending > 0:
            yield f"Migrations are pending: the schema is {found.schema}, and {found.pending} more are known here."
        elif found.pending:
            yield f"A newer program has changed the schema to {found.schema}: start that version."
        if frozen := found.of("frozen"):
            yield f"Matches that are frozen: {frozen} (python bot.py --check names them)."
        if self.paused is not None:
            why = f" ({self.paused.text})" if self.paused.text else ""
            yield f"No new tables open: paused{why} for {in_words(self._since(self.paused.since))}."
        if self.late >= OVERDUE:
            yield f"A deadline has been due for {in_words(self.late)}."
        if self.dm_pause:
            yield f"Discord lets the bot open no new direct messages for {in_words(self.dm_pause)}."
        if self.disk is not None and self.disk.free < ROOM:
            yield f"The disk is nearly full: {megabytes(self.disk.free)} are left."
        if found.replica_lag is not None and found.replica_lag >= BEHIND.total_seconds():
            yield f"A standby of the server is {in_words(timedelta(seconds=found.replica_lag))} behind."

    def _since(self, moment: datetime | None) -> timedelta:
        return timedelta(0) if moment is None else max(timedelta(0), self.at - moment)


async def read(database: Database, now: datetime) -> StoreState:
    """Return the state of an open store. Raises DatabaseError."""

    def look(connection: Connection) -> tuple[Totals, dms.Standing, Said | None]:
        return totals.totals(connection, now), dms.standing(connection, now), paused(connection)

    found, opened, pause = await database.at_length(look, writes=False)
    return StoreState(now, found, opened, await asyncio.to_thread(totals.disk, database.file), pause)


class Enrolled(NamedTuple):
    """What a process has noted about itself when it started. `address`: where it answers, if it does.

    `without`: the features that it doesn't have.
    """

    process: str
    version: str
    since: datetime
    machine: str
    address: str | None
    shard_count: int | None
    without: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Its key in `meta`. A process that carries the same first shard replaces it."""
        return f"{ENROLLED}{self.process.partition(',')[0].partition('-')[0]}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Return what `text` says."""
        found = json.loads(text)
        said = {"since": datetime.fromisoformat(found["since"]), "without": tuple(found.get("without", ()))}
        return cls(**found | said)

    @property
    def text(self) -> str:
        return json.dumps(self._asdict() | {"since": self.since.isoformat()})


async def of_store(url: str, now: datetime) -> tuple[StoreState | DatabaseError, tuple[Enrolled, ...]] | None:
    """Return the state of a closed store, and its processes; ``None`` if there is none. Nothing is changed.

    Instead of the state it returns why a schema that isn't this program's can't be read. Raises DatabaseError.
    """
    file = file_at(address_of(url))
    if file is not None and not file.exists():
        return None
    try:
        database = await Database.open(url, migrate=False)
    except Empty:
        return None
    except Outdated as error:
        return error, ()
    async with database:
        noted = await database.read(meta.beginning_with, ENROLLED)
        return await read(database, now), tuple(map(Enrolled.read, noted))


class State:
    """The part of the host that reports on the store, and notes which processes run. Nothing here changes a match."""

    def __init__(self, work: UnitOfWork, database: Database) -> None:
        self._work = work
        self._database = database

    @property
    def statements(self) -> dict[str, int]:
        """How many statements this process has executed, by kind."""
        return self._database.statements

    @property
    def transactions(self) -> dict[tuple[str, str], int]:
        """How many transactions this process has run, by kind and outcome."""
        return dict(self._database.transactions)

    async def read(self) -> StoreState:
        """Return the state of the store. Raises DatabaseError."""
        return await read(self._database, self._work.now())

    async def enroll(self, process: Enrolled) -> None:
        """Note that this process runs, and remove processes with another number of shards. Raises DatabaseError."""

        def note(connection: Connection) -> None:
            for each in map(Enrolled.read, meta.beginning_with(connection, ENROLLED)):
                if each.shard_count != process.shard_count or process.shard_count is None:
                    meta.remove(connection, each.key)
            meta.put(connection, process.key, process.text)

        await self._database.write(note)

    async def refuse_unlike(self, process: Enrolled, lives: Callable[[int], Awaitable[bool]]) -> None:
        """Raise DatabaseError if a living process beside this one has other features. `lives`: a shard is carried."""
        for each in await self.processes():
            beside = each.key != process.key and each.shard_count == process.shard_count is not None
            if beside and each.without != process.without and await lives(int(each.key.removeprefix(ENROLLED))):
                raise DatabaseError(
                    f"The process that carries the shards {each.process} on this database has AMBIT_WITHOUT set to "
                    f"{','.join(each.without) or 'nothing'}: all processes that share a database need the same."
                )

    async def processes(self) -> tuple[Enrolled, ...]:
        """Return all processes that have noted that they run. Raises DatabaseError."""
        return tuple(map(Enrolled.read, await self._database.read(meta.beginning_with, ENROLLED)))

    async def leave(self, process: Enrolled) -> None:
        """Note that this process has stopped. Raises DatabaseError."""
        await self._database.write(meta.remove, process.key)

    async def leave_sessions(self, process: str, sessions: Sequence[tuple[int | str, ...]]) -> None:
        """Leave the sessions of a process that stops to its successor. Raises DatabaseError."""
        key = f"{SESSIONS}{process}"
        said = {"key": key, "left": self._work.now().timestamp(), "sessions": sessions}
        await self._database.write(meta.put, key, json.dumps(said))

    async def take_sessions(self, process: str, live: timedelta) -> list[list[Any]]:
        """Return and delete the sessions that the predecessor has left, none if they are older than `live`.

        Raises DatabaseError.
        """
        key, now = f"{SESSIONS}{process}", self._work.now().timestamp()

        def take(connection: Connection) -> list[list[Any]]:
            taken: list[list[Any]] = []
            for said in map(json.loads, meta.beginning_with(connection, SESSIONS)):
                old = abs(now - said["left"]) > live.total_seconds()
                if old or said["key"] == key:
                    meta.remove(connection, said["key"])
                if said["key"] == key and not old:
                    taken = said["sessions"]
            return taken

        return await self._database.write(take)

    async def noted(self, fact: str) -> str | None:
        """Return what was noted about the store itself under this name. Raises DatabaseError."""
        return await self._database.read(meta.get, fact)

    async def note(self, fact: str, value: str) -> None:
        """Note this about the store itself. Raises DatabaseError."""
        await self._database.write(meta.put, fact, value)

    async def probe(self) -> None:
        """Write something to the store. Raises DatabaseError if that fails."""
        await self.note(PROBED, self._work.now().isoformat())


def megabytes(count: int) -> str:
    """Return a size in words, such as ``120 MB``."""
    return f"{count / 1_000_000:,.0f} MB"


def in_words(time: timedelta) -> str:
    """Return a time in words, such as ``75 s`` or ``3 h``."""
    seconds = round(time.total_seconds())
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"
