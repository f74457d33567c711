"""Host.outbox: leases what must be told to who tells it, and takes their report.

The queries are in `db/matches/outbox.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from db import Connection
from db.matches import deadlines, leases, outbox, queries
from db.matches.leases import Lease, Shards
from db.model import schema
from db.model.enums import Due, Kind
from db.model.ids import NO_LINES, MatchId
from db.model.rows import Telling
from matches.host import stored
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.records.posts import BoardPost, HandPost


class Outbox:
    """The part of the host between the matches and whoever tells their news. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def claim(
        self,
        lease: timedelta | None = None,
        match_id: MatchId | None = None,
        limit: int = 100,
        *,
        only: Shards | None = None,
        watched: bool | None = None,
    ) -> tuple[Telling, ...]:
        """Lease the rows that must be told now (of one match, or of all) to the caller; oldest first.

        Rows of another process stay with it until they are overdue (`db.matches.leases.OVERDUE_AFTER`). `only`: these
        shards instead of the process's own. `watched`: only rows for which nobody but spectators waits, or only the
        others.
        """
        work = self._work
        claim = partial(outbox.claim, match_id=match_id, shards=only or work.shards, watched=watched)
        return tuple(await work.write(claim, work.now(), lease or work.lease, limit, work.name))

    async def owes(self) -> bool:
        """Whether anything has to be told now, by anybody; cheaper than claiming it in vain."""
        return await self._work.read(outbox.any_due, self._work.now())

    async def take_over(self) -> None:
        """Before anything else: whoever bore this host's name is dead, and what they had begun is free."""

        def release(connection: Connection) -> None:
            outbox.release_all(connection, self._work.name, self._work.now())
            deadlines.release_all(connection, self._work.name)

        await self._work.write(release, idempotent=True)

    async def renew(
        self,
        tellings: Collection[int],
        turns: Collection[tuple[int, Due]] = (),
        claiming: bool = False,
        *,
        lease: timedelta | None = None,
    ) -> None:
        """Renew what this process has in hand (tellings by number, deadlines by match and kind) at half a lease.

        What is leased under its name and not in hand is free again: the answer to the claim never came; unless it may
        still come, since this process is `claiming`, or was leased only after this began, when a commit has handed it
        over or another process has taken it.
        """
        now, name, lease = self._work.now(), self._work.name, lease or self._work.lease
        newest = Lease(name, now + lease)
        in_hand: list[tuple[Any, set[Any]]] = [
            (schema.outbox, {(number,) for number in tellings}),
            (schema.deadlines, {*turns}),
        ]

        def look(connection: Connection) -> list[dict[tuple[Any, ...], datetime]]:
            return [leases.leased(connection, table, name) for table, _ in in_hand]

        changes = []
        for (table, mine), ends in zip(in_hand, await self._work.read(look), strict=True):
            short = [key for key, end in ends.items() if key in mine and end < now + lease / 2]
            lost = [key for key, end in ends.items() if key not in mine and end <= newest.until and not claiming]
            if short or lost:
                changes.append((table, short, lost))

        def renewed(connection: Connection) -> None:
            for table, short, lost in changes:
                leases.renew(connection, table, short, newest)
                leases.release(connection, table, lost, newest)

        if changes:
            await self._work.write(renewed)

    async def still_owed(self, telling: Telling) -> Match | None:
        """The match as it stands; ``None`` where what was to be told of it has been dropped meanwhile."""
        return await self._work.read(stored.read_for, telling)

    async def told(self, telling_id: int, by: BoardPost | HandPost | None = None) -> None:
        """It was told, or is no longer worth telling.

        Where a board or a hand has told it, that is remembered as the latest; a board that is older than the known one
        changes nothing.
        """

        def note(connection: Connection) -> None:
            if isinstance(by, BoardPost):
                queries.note_board(connection, *by)
            elif by is not None:
                queries.update_seat(connection, by.match_id, by.position, hand_message_id=by.message_id)
            outbox.remove(connection, telling_id)

        await self._work.write(note, idempotent=True)

    async def retry(self, telling_id: int, after: timedelta) -> None:
        """It could not be told: offer it again after this time."""
        await self._work.write(outbox.retry_at, telling_id, self._work.now() + after)

    async def redraw_lobby(self, match_id: MatchId) -> None:
        """The lobby's message has to be drawn anew. Raises NotFound, Frozen."""
        await self._work.change(match_id, lambda table: table.telling(Kind.LOBBY))

    async def set_lobby_message(self, match_id: MatchId, message_id: int | None) -> None:
        """Remember the lobby message (``None``: it is gone); once there is one, none need be posted."""

        def note(connection: Connection) -> None:
            if message_id is not None:
                outbox.drop(connection, match_id, (Kind.LOBBY,), ply=NO_LINES)
            queries.update_match(connection, match_id, lobby_message_id=message_id)

        await self._work.write(note, idempotent=True)

    async def set_thread(self, match_id: MatchId, thread_id: int | None) -> None:
        """Remember the thread in which the match is played (``None``: the channel after all)."""
        await self._work.write(lambda c: queries.update_match(c, match_id, thread_id=thread_id), idempotent=True)
