"""Finished matches: which there were, and how people did in them."""

from __future__ import annotations

from db import matches as queries
from db import results
from db.results import Tally
from matches import stored
from matches.desk import Desk
from matches.records import Match, Status


class Archive(Desk):
    """The part of the host that looks back. Matches ended by a vote, or with a seat left for good, do not count."""

    async def finished_in(self, guild_id: int, limit: int = 25) -> tuple[Match, ...]:
        """The finished matches of a server, the latest first."""
        async with self._reading() as connection:
            found = await queries.ended_in_guild(connection, guild_id, Status.OVER, limit)
            return await stored.read_all(connection, found)

    async def tally_of(self, user_id: int) -> tuple[Tally, ...]:
        """What this person has played, by game and number of players."""
        async with self._reading() as connection:
            return tuple(await results.of_person(connection, user_id))

    async def tally_in(self, guild_id: int) -> tuple[Tally, ...]:
        """What was played on a server, by game and number of players."""
        async with self._reading() as connection:
            return tuple(await results.of_guild(connection, guild_id))
