"""Host.privacy: what is stored about a person, and how it is deleted (P20).

The commands are in `cogs/commands/privacy.py`; `matches/table/privacy.py` forgets a person at a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Final

from db import KEPT, Connection
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.people import own, people
from games.log import BRANCH, TABLE
from matches.engine.packing import Packed, Packing
from matches.engine.sweep import sweep
from matches.errors import Frozen, HostError
from matches.records.match import Match
from matches.table import limits
from matches.table.limits import Deed
from matches.table.privacy import forget
from matches.table.value import Table
from matches.work.difference import use_allowance
from matches.work.part import Chore, FeaturePart, Part
from matches.work.unit_of_work import UnitOfWork

MATCHES_PER_STEP: Final = 100
"""How many finished matches one step rewrites. It limits how long other writers wait."""


FORMAT: Final = "ambit person 1"


class Privacy(Part):
    """Exports and deletes what the store says about one person. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork, of_features: Sequence[FeaturePart]) -> None:
        super().__init__(work)
        self._of_features = of_features
        self._stuck: set[UserId] = set()
        """People for whom a step failed. The others come first."""
        self.chores = (Chore("forgetting", self.being_forgotten, self.go_on),)

    async def matches_kept(self, user_id: UserId) -> tuple[MatchId, ...]:
        """Return the numbers of all matches that name this person."""
        return tuple(await self._work.read_at_length(user_id, people.matches_with, user_id))

    async def exported(self, user_id: UserId) -> Packed:
        """Return all that is stored about a person as a file for them, which uses an allowance (P36).

        Raises TooSoon, and NotAllowed if the file is too large for Discord.
        """
        # The allowance is the same on all servers.
        mark = limits.mark_on(Deed.RESULTS, user_id, 0)
        await self._work.write(use_allowance, mark, Deed.RESULTS, self._work.now())
        return await self.packed(user_id)

    async def packed(self, user_id: UserId, *, unlimited: bool = False) -> Packed:
        """Return all that is stored about a person as a file, which is written step by step.

        It leaves out what was played at their seat in a match that isn't over, and everything that tells something
        about somebody else. Raises NotAllowed if it is too large for Discord, unless it is `unlimited`.
        """
        packing = Packing(unlimited=unlimited)
        packing.put("format", FORMAT)
        packing.put("made_at", self._work.now())
        packing.put("about", await self._work.read_at_length(user_id, own.about, user_id))
        numbers = await self._work.read_at_length(user_id, _naming, user_id)
        for name, question, written in (
            ("matches", own.matches, iter),
            ("moves", own.lines, _own_moves),
            ("answers", own.answers, iter),
        ):
            packing.add(name, ())
            for first in range(0, len(numbers), MATCHES_PER_STEP):
                some = numbers[first : first + MATCHES_PER_STEP]
                rows = await self._work.read_at_length(user_id, question, user_id, some)
                await asyncio.to_thread(packing.add, name, written(rows))
        await self._add_by_key(packing, user_id)
        return await asyncio.to_thread(packing.finished)

    async def _add_by_key(self, packing: Packing, user_id: UserId) -> None:
        keys = await self._work.read(own.keys_of, user_id)
        for name, question in ((name, question) for each in KEPT for name, question in each.of_key.items()):
            packing.add(name, ())
            for guild_id, key in keys:
                last: int | None = 0
                while last is not None:
                    rows = await self._work.read_at_length(user_id, question, guild_id, key, last, MATCHES_PER_STEP)
                    await asyncio.to_thread(packing.add, name, rows)
                    last = rows[-1].get("number") if rows else None

    async def forget(self, user_id: UserId) -> tuple[Match, ...]:
        """Forget a person, and return the open matches that were changed.

        They leave their lobbies. Computers go on with their running matches. Finished ones name "Player 3" instead.
        Their settings, votes and applications are deleted. From the first commit on, no finished match shows them. The
        rows of finished matches are rewritten step by step (`go_on`), also after a crash. If an open match fails, the
        others are changed first, then its error is raised.
        """
        for part in self._of_features:
            await part.forget(user_id)
        await self._work.write(people.begin_forgetting, user_id, idempotent=True)
        return await self._leave(user_id)

    async def forget_wholly(self, user_id: UserId) -> None:
        """Forget a person, and return when no row names them any more."""
        await self.forget(user_id)
        while not await self._work.write(people.erase, user_id, MATCHES_PER_STEP):
            pass

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
            await self._work.write(people.erase, user_id, MATCHES_PER_STEP)
        except Exception:
            self._stuck.add(user_id)
            raise

    async def _leave(self, user_id: UserId) -> tuple[Match, ...]:
        """Take the person out of every open match, each in a transaction of its own."""

        numbers = await self._work.read_at_length(user_id, _naming, user_id, ended=False)

        def decide(table: Table) -> Table:
            return forget(table, user_id)

        async def leave(number: MatchId) -> Match:
            with suppress(Frozen):
                return (await self._work.change(number, decide, people=(user_id,))).match
            # The first try has frozen the match, because its log doesn't replay. A frozen match can be left, too.
            return (await self._work.change(number, decide, people=(user_id,))).match

        try:
            changed = await sweep("match", numbers, leave)
        except ExceptionGroup as failed:
            first = failed.exceptions[0]
            if isinstance(first, HostError) and failed.split(HostError)[1] is None:
                raise first from failed
            raise
        await self._work.write(people.note_left, user_id, idempotent=True)
        return tuple(changed)


def _naming(connection: Connection, user_id: UserId, *, ended: bool = True) -> list[MatchId]:
    """Return the numbers of all matches that name this person, with those that have `ended`, or invite them."""
    invited = people.matches_inviting(connection, user_id, Status.LOBBY)
    return sorted({*people.matches_with(connection, user_id, ended=ended), *invited})


def _own_moves(lines: Sequence[own.StoredRow]) -> Iterator[own.StoredRow]:
    """Yield the moves that the person made themselves, out of all lines of their seats and of the tables.

    Others may have had the seat before them, and computers meanwhile.
    """
    for _, of_match in groupby(lines, itemgetter("match_id")):
        moves: list[own.StoredRow] = []
        present = True
        for line in of_match:
            player, seat = line.pop("player"), line.pop("seat")
            if player != TABLE:
                if present:
                    moves.append(line)
                continue
            event, *rest = line["action"].split(" ")
            if event == BRANCH:
                # The lines before were made in another match.
                moves.clear()
            if not rest or rest[0] != str(seat):
                continue
            if event == "person":
                moves.clear()
            if event in ("person", "return", "computer"):
                present = event != "computer"
        yield from moves
