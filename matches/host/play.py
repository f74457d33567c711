"""Host.play: actions, resigning, leaving, coming back (P14, P15).

The decisions are in `matches/table/play.py`.
"""

from __future__ import annotations

from db.model.ids import MatchId, Ply, UserId
from matches.host import stored
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.table import play


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

    async def depart(
        self,
        match_id: MatchId,
        user_id: UserId,
        interaction_id: int | None = None,
        *,
        meant: play.Leaving | None = None,
    ) -> Match:
        """Leave a match that runs, as `table.play.depart` says."""
        return await self._work.change(
            match_id, lambda table: play.depart(table, user_id, meant=meant), interaction_id, people=(user_id,)
        )

    async def leaving(self, match_id: MatchId, user_id: UserId) -> play.Leaving:
        """What `depart` would do now, as `table.play.leaving` says; nothing is changed."""
        table = await self._work.read(stored.table, match_id, self._work.now(), people=(user_id,))
        return play.leaving(table, user_id)

    async def take_back(self, match_id: MatchId, user_id: UserId, interaction_id: int | None = None) -> Match:
        """Take the seat over from the computer, as `table.play.take_back` says."""
        return await self._work.change(match_id, lambda table: play.take_back(table, user_id), interaction_id)
