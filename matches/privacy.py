"""The part of the host that knows what is kept about a person, and forgets it (P20)."""

from __future__ import annotations

from typing import Final

from db import Connection, people
from db.ids import MatchId, UserId
from db.words import Status
from matches.match import Match
from matches.table.privacy import forget
from matches.unit_of_work import UnitOfWork

AT_ONCE: Final = 100
"""In so many finished matches a person is forgotten in one step, so that no other writer waits longer than for that."""


class Privacy:
    """What the store says about one person. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def matches_kept(self, user_id: UserId) -> tuple[MatchId, ...]:
        """The numbers of all matches that name this person."""
        return tuple(await self._work.read(people.matches_with, user_id))

    async def forget(self, user_id: UserId) -> tuple[Match, ...]:
        """Forget a person: lobbies are left, running matches go on by computer, old ones name "Player 3" instead.

        Settings, votes and applications go. From the first commit on nobody is shown the person in a match that is
        over; its rows are rewritten step by step (`go_on`), and what was cut short goes on from there. The matches that
        were changed while they were open.
        """
        await self._work.write_again(people.begin_forgetting, user_id)
        return await self._leave(user_id)

    async def being_forgotten(self, at_most: int = 1) -> tuple[UserId, ...]:
        """So many of those whom some row still names."""
        return tuple(await self._work.read(people.being_forgotten, at_most))

    async def go_on(self, user_id: UserId) -> None:
        """One short step towards forgetting this person; nothing where they are forgotten."""
        if not await self._work.read(people.has_left, user_id):
            await self._leave(user_id)
        await self._work.write(people.erase, user_id, AT_ONCE)

    async def _leave(self, user_id: UserId) -> tuple[Match, ...]:
        """Out of everything that is open, each in a transaction of its own."""

        def concerned(connection: Connection) -> set[MatchId]:
            sat = people.matches_with(connection, user_id, ended=False)
            return {*sat, *people.inviting(connection, user_id, Status.LOBBY)}

        numbers = sorted(await self._work.read(concerned))
        changed = [await self._work.change(number, lambda table: forget(table, user_id)) for number in numbers]
        await self._work.write_again(people.note_left, user_id)
        return tuple(changed)
