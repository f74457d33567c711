"""Host.archive: finished matches, and how people did in them.

The commands are in `cogs/commands/archive.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.results import keyed, tallies
from db.results.tallies import Tally
from matches.records.match import Match
from matches.results import reliability
from matches.results.reliability import Reliability
from matches.work import stored
from matches.work.part import Part

PAGE: Final = 15
"""How many of a server's matches are read at a time: as many as are listed."""

LOOKED_THROUGH: Final = 500
"""How many of a server's latest matches are searched for those that a person may see."""


class Archive(Part):
    """Finished matches. Those that a vote ended, or that somebody left for good, don't count. Raises Unavailable."""

    async def recent(self, user_id: UserId, limit: int = 25) -> tuple[Match, ...]:
        """Return this person's finished matches, the latest first."""
        return await self._work.read(lambda c: stored.read_all(c, queries.ended_of(c, user_id, Status.OVER, limit)))

    async def finished_in(
        self, guild_id: int, limit: int = 25, shown: Callable[[Match], bool] = lambda match: True
    ) -> tuple[Match, ...]:
        """Return the finished matches of a server that may be `shown`, the latest first.

        Only the latest `LOOKED_THROUGH` are searched, which limits the cost if few may be shown.
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
        """Count what this person has played, by game and number of players."""
        return tuple(await self._work.read(tallies.of_person, user_id))

    async def has_played(self, user_id: UserId, game: str) -> bool:
        """Return whether this person has played a match of the game to its end."""
        return any(tally.game == game for tally in await self.tally_of(user_id))

    async def reliability_of(
        self, server: int, people: Sequence[UserId], viewer: UserId | None = None
    ) -> dict[UserId, Reliability]:
        """Return how reliable these people are on a server, without those of whom too little is known.

        As `viewer` may know it (``None``: everybody): without other people who hide.
        """

        def work(connection: Connection) -> dict[UserId, Reliability]:
            known = ((person, keyed.known(connection, server, person)) for person in people)
            shown = [person for person, each in known if each is not None and each.is_shown_to(viewer)]
            found = {person: reliability.of(connection, server, person, self._work.now()) for person in shown}
            return {person: each for person, each in found.items() if each.is_known}

        return await self._work.read_at_length(server, work)

    async def tally_in(self, guild_id: int) -> tuple[Tally, ...]:
        """Count what was played on a server, by game and number of players."""
        return tuple(await self._work.read(tallies.of_guild, guild_id))


def _ended(connection: Connection, guild_id: int, before: tuple[datetime, MatchId] | None) -> tuple[Match, ...]:
    return stored.read_all(connection, queries.ended_in_guild(connection, guild_id, Status.OVER, PAGE, before))
