"""Host.state: what is open, due and late, and what of it is wrong. For measurements and for whoever runs the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from db import Connection, Database
from db.people import dms
from db.upkeep import meta, totals
from db.upkeep.totals import Disk, Totals
from matches.host.unit_of_work import UnitOfWork

WAITED: Final = timedelta(minutes=1)
"""How long what could be told may wait before something is wrong."""

OVERDUE: Final = timedelta(minutes=2)
"""How long a deadline may be due before something is wrong."""

ROOM: Final = 1_000_000_000
"""Bytes of room beside the file below which the disk counts as nearly full."""

BEHIND: Final = timedelta(seconds=30)
"""How far a standby may be behind."""

PROBED: Final = "probed"
"""The key in `meta` that the check of the store writes."""


class StoreState(NamedTuple):
    """The whole store at one moment. `opened` are the new direct messages. `disk` is known only of a file."""

    at: datetime
    totals: Totals
    opened: dms.Standing
    disk: Disk | None

    @property
    def waited(self) -> timedelta:
        """How long the oldest message has waited that could be told now."""
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
            yield f"A message that could be sent has waited for {_said(self.waited)}."

    def warnings(self) -> Iterator[str]:
        """Say what somebody should look at, though people can play."""
        found = self.totals
        if found.pending > 0:
            yield f"Migrations are pending: the schema is {found.schema}, and {found.pending} more are known here."
        elif found.pending:
            yield f"A newer program has changed the schema to {found.schema}: start that version."
        if frozen := found.of("frozen"):
            yield f"Matches that are frozen: {frozen} (python bot.py --check names them)."
        if self.late >= OVERDUE:
            yield f"A deadline has been due for {_said(self.late)}."
        if self.dm_pause:
            yield f"Discord lets the bot open no new direct messages for {_said(self.dm_pause)}."
        if self.disk is not None and self.disk.free < ROOM:
            yield f"The disk is nearly full: {megabytes(self.disk.free)} are left."
        if found.replica_lag is not None and found.replica_lag >= BEHIND.total_seconds():
            yield f"A standby of the server is {_said(timedelta(seconds=found.replica_lag))} behind."

    def _since(self, moment: datetime | None) -> timedelta:
        return timedelta(0) if moment is None else max(timedelta(0), self.at - moment)


async def read(database: Database, now: datetime) -> StoreState:
    """Return the state of an open store. Raises DatabaseError."""

    def look(connection: Connection) -> tuple[Totals, dms.Standing]:
        return totals.totals(connection, now), dms.standing(connection, now)

    found, opened = await database.at_length(look, writes=False)
    return StoreState(now, found, opened, await asyncio.to_thread(totals.disk, database.file))


class State:
    """The part of the host that counts. Nothing here changes a match."""

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

    async def probe(self) -> None:
        """Write something to the store. Raises DatabaseError if it takes nothing."""
        await self._database.write(meta.put, PROBED, self._work.now().isoformat())


def megabytes(count: int) -> str:
    """Return a size in words, such as ``120 MB``."""
    return f"{count / 1_000_000:,.0f} MB"


def _said(time: timedelta) -> str:
    """Return a time in words, such as ``75 s`` or ``3 h``."""
    seconds = round(time.total_seconds())
    if seconds < 120:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 7200 else f"{seconds // 3600} h"
