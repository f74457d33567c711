"""Host.archive: finished matches, and how people did in them.

The commands are in `cogs/commands/archive.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.ratings import results
from db.ratings.results import Tally
from matches.host import stored
from matches.host.part import Part
from matches.records.match import Match

PAGE: Final = 15
"""A server's matches are read so many at a time: no more than are listed where one may see them all."""

LOOKED_THROUGH: Final = 500
"""Among so many of a server's latest matches those are looked for that somebody may see."""


class Archive(Part):
    """Finished matches. Those ended by a vote, or with a seat left for good, do not count. Raises Unavailable."""

    async def recent(self, user_id: UserId, limit: int = 25) -> tuple[Match, ...]:
        """This person's finished matches, the latest first."""

        def work(connection: Connection) -> tuple[Match, ...]:
            return stored.read_all(connection, queries.ended_of(connection, user_id, Status.OVER, limit))

        return await self._work.read(work)

    async def finished_in(
        self, guild_id: int, limit: int = 25, shown: Callable[[Match], bool] = lambda match: True
    ) -> tuple[Match, ...]:
        """The finished matches of a server that may be `shown`, the latest first.

        They are looked for among the latest `LOOKED_THROUGH`, so that it costs little where few may be.
        """
        found: list[Match] = []
        before: tuple[datetime, MatchId] | None = None
        for _ in range(LOOKED_THROUGH // PAGE):
            page = await self._work.read_at_length(guild_id, _ended, guild_id, before)
            found += filter(shown, page)
            if len(page) < PAGE or len(found) >= limit:
                break
            last = page[-1]
            assert last.ended_at is not None
            before = last.ended_at, last.id
        return tuple(found[:limit])

    async def tally_of(self, user_id: UserId) -> tuple[Tally, ...]:
        """What this person has played, by game and number of players."""
        return tuple(await self._work.read(results.of_person, user_id))

    async def tally_in(self, guild_id: int) -> tuple[Tally, ...]:
        """What was played on a server, by game and number of players."""
        return tuple(await self._work.read(results.of_guild, guild_id))


def _ended(connection: Connection, guild_id: int, before: tuple[datetime, MatchId] | None) -> tuple[Match, ...]:
    return stored.read_all(connection, queries.ended_in_guild(connection, guild_id, Status.OVER, PAGE, before))
