"""The part of the host that looks back: which matches there were, and how people did in them."""

from __future__ import annotations

from db import Connection, results
from db import matches as queries
from db.ids import UserId
from db.results import Tally
from db.words import Status
from matches import stored
from matches.match import Match
from matches.unit_of_work import UnitOfWork


class Archive:
    """Finished matches. Those ended by a vote, or with a seat left for good, do not count. Raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def recent(self, user_id: UserId, limit: int = 25) -> tuple[Match, ...]:
        """This person's finished matches, the latest first."""

        def work(connection: Connection) -> tuple[Match, ...]:
            return stored.read_all(connection, queries.ended_of(connection, user_id, Status.OVER, limit))

        return await self._work.read(work)

    async def finished_in(self, guild_id: int, limit: int = 25) -> tuple[Match, ...]:
        """The finished matches of a server, the latest first."""

        def work(connection: Connection) -> tuple[Match, ...]:
            return stored.read_all(connection, queries.ended_in_guild(connection, guild_id, Status.OVER, limit))

        return await self._work.read(work)

    async def tally_of(self, user_id: UserId) -> tuple[Tally, ...]:
        """What this person has played, by game and number of players."""
        return tuple(await self._work.read(results.of_person, user_id))

    async def tally_in(self, guild_id: int) -> tuple[Tally, ...]:
        """What was played on a server, by game and number of players."""
        return tuple(await self._work.read(results.of_guild, guild_id))
