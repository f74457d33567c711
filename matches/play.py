"""The part of the host that runs matches: actions, resigning, leaving, coming back (P14, P15)."""

from __future__ import annotations

from db import Connection
from db import matches as queries
from db.ids import MatchId, Ply, UserId
from matches import stored
from matches.match import Match
from matches.table import play
from matches.unit_of_work import UnitOfWork


class Play:
    """What people do in a match. An `interaction_id` that was carried out before changes nothing.

    All of it raises NotFound, NotSeated, WrongTime, Frozen and Unavailable.
    """

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def act(
        self,
        match_id: MatchId,
        user_id: UserId,
        text: str,
        *,
        ply: Ply | None = None,
        interaction_id: int | None = None,
    ) -> Match:
        """Take an action, as `table.play.act` says."""
        return await self._work.change(match_id, lambda table: play.act(table, user_id, text, ply=ply), interaction_id)

    async def resign(self, match_id: MatchId, user_id: UserId, interaction_id: int | None = None) -> Match:
        """Give up, as `table.play.resign` says."""
        return await self._work.change(match_id, lambda table: play.resign(table, user_id), interaction_id)

    async def depart(self, match_id: MatchId, user_id: UserId, interaction_id: int | None = None) -> Match:
        """Leave a match that runs, as `table.play.depart` says."""
        acted = await self._work.read(queries.has_acted, match_id, user_id)
        return await self._work.change(
            match_id, lambda table: play.depart(table, user_id, acted=acted), interaction_id, people=(user_id,)
        )

    async def leaves_freely(self, match_id: MatchId, user_id: UserId) -> bool:
        """Whether this person could leave without loss, as `depart` says."""

        def look(connection: Connection) -> bool:
            acted = queries.has_acted(connection, match_id, user_id)
            table = stored.table(connection, match_id, self._work.now(), people=(user_id,))
            return not acted and bool(table.avoided_by(user_id))

        return await self._work.read(look)

    async def take_back(self, match_id: MatchId, user_id: UserId, interaction_id: int | None = None) -> Match:
        """Take the seat over from the computer, as `table.play.take_back` says."""
        return await self._work.change(match_id, lambda table: play.take_back(table, user_id), interaction_id)
