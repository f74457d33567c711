"""Host.privacy: what is stored about a person, and how it is deleted (P20).

The commands are in `cogs/commands/privacy.py`; `matches/table/privacy.py` forgets a person at a table.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from db import Connection
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.people import own, people
from matches.engine.packing import Packed, Packing
from matches.engine.sweep import sweep
from matches.errors import Frozen, HostError
from matches.host.difference import use_allowance
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.table import limits
from matches.table.limits import Deed
from matches.table.privacy import forget

AT_ONCE: Final = 100
"""How many finished matches one step rewrites. It limits how long other writers wait."""


FORMAT: Final = "ambit person 1"


class Privacy:
    """Exports and deletes what the store says about one person. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._stuck: set[UserId] = set()
        """People for whom a step failed. The others come first."""

    async def matches_kept(self, user_id: UserId) -> tuple[MatchId, ...]:
        """Return the numbers of all matches that name this person."""
        return tuple(await self._work.read_at_length(user_id, people.matches_with, user_id))

    async def exported(self, user_id: UserId) -> Packed:
        """Return all that is stored about a person as a file for them, which is written step by step (P36).

        It leaves out what was played at their seat in a match that isn't over. Raises TooSoon, and NotAllowed if the
        file is too large.
        """
        await self._work.write(self._use, user_id)
        packing = Packing()
        packing.put("format", FORMAT)
        packing.put("made_at", self._work.now())
        packing.put("about", await self._work.read_at_length(user_id, own.about, user_id))
        numbers = await self._work.read_at_length(user_id, people.matches_with, user_id)
        for name, question in (("matches", own.matches), ("moves", own.moves)):
            packing.add(name, ())
            for first in range(0, len(numbers), AT_ONCE):
                some = numbers[first : first + AT_ONCE]
                rows = await self._work.read_at_length(user_id, question, user_id, some)
                await asyncio.to_thread(packing.add, name, rows)
        packing.add("results", ())
        for rated in await self._work.read(own.ratings_of, user_id):
            last = 0
            while rows := await self._work.read_at_length(user_id, own.results, rated, last, AT_ONCE):
                last = rows[-1]["number"]
                await asyncio.to_thread(packing.add, "results", rows)
        return await asyncio.to_thread(packing.finished)

    def _use(self, connection: Connection, user_id: UserId) -> None:
        """Use the allowance, which is the same on all servers. Raises TooSoon."""
        use_allowance(connection, limits.mark_on(Deed.RESULTS, user_id, 0), Deed.RESULTS, self._work.now())

    async def forget(self, user_id: UserId) -> tuple[Match, ...]:
        """Forget a person, and return the open matches that were changed.

        They leave their lobbies. Computers go on with their running matches. Finished ones name "Player 3" instead.
        Their settings, votes and applications are deleted. From the first commit on, no finished match shows them. Its
        rows are rewritten step by step (`go_on`), which continues after a crash. If an open match fails, the others are
        changed first, then its error is raised.
        """
        await self._work.write(people.begin_forgetting, user_id, idempotent=True)
        return await self._leave(user_id)

    async def being_forgotten(self, at_most: int = 1) -> tuple[UserId, ...]:
        """Return at most this many of the people who are being forgotten and whom some row still names."""
        found = await self._work.read(people.being_forgotten, at_most + len(self._stuck))
        able = tuple(user_id for user_id in found if user_id not in self._stuck)
        if not able:
            self._stuck.clear()
        return able[:at_most]

    async def go_on(self, user_id: UserId) -> None:
        """Do one short step towards forgetting this person, if any is left.

        If it fails, `being_forgotten` returns others before them. Raises as `forget` does.
        """
        try:
            if not await self._work.read(people.has_left, user_id):
                await self._leave(user_id)
            await self._work.write(people.erase, user_id, AT_ONCE)
        except Exception:
            self._stuck.add(user_id)
            raise

    async def _leave(self, user_id: UserId) -> tuple[Match, ...]:
        """Take the person out of every open match, each in a transaction of its own."""

        def concerned(connection: Connection) -> set[MatchId]:
            sat = people.matches_with(connection, user_id, ended=False)
            return {*sat, *people.matches_inviting(connection, user_id, Status.LOBBY)}

        numbers = sorted(await self._work.read_at_length(user_id, concerned))

        async def leave(number: MatchId) -> Match:
            with suppress(Frozen):
                return (await self._work.change(number, lambda table: forget(table, user_id))).match
            # The first try has frozen the match, because its log doesn't replay. A frozen match can be left, too.
            return (await self._work.change(number, lambda table: forget(table, user_id))).match

        try:
            changed = await sweep("match", numbers, leave)
        except ExceptionGroup as failed:
            first = failed.exceptions[0]
            if isinstance(first, HostError) and failed.split(HostError)[1] is None:
                raise first from failed
            raise
        await self._work.write(people.note_left, user_id, idempotent=True)
        return tuple(changed)
