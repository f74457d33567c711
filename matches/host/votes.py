"""Host.votes: what a table is asked, and its answers (P13, P18).

The decisions are in `matches/table/votes.py`.
"""

from __future__ import annotations

import asyncio

from db.model.enums import Status, Vote
from db.model.ids import MatchId, Ply, UserId
from matches.host import stored
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.table import undo, votes


class Votes:
    """What the table decides together. All of it raises NotFound, WrongTime, Frozen and Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def remind(self, match_id: MatchId, user_id: UserId) -> Match:
        """Have the person on turn reminded, as `table.votes.remind` says."""
        return await self._work.change(match_id, lambda table: votes.remind(table, user_id))

    async def cancelling(self, match_id: MatchId, by: UserId, moderator: bool = False) -> votes.Cancelling:
        """What `cancel` would do now, as `table.votes.cancelling` says; nothing is changed."""
        table = await self._work.read(stored.table, match_id, self._work.now())
        return votes.cancelling(table, by, moderator=moderator)

    async def cancel(
        self,
        match_id: MatchId,
        by: UserId,
        moderator: bool = False,
        interaction_id: int | None = None,
        *,
        meant: votes.Cancelling | None = None,
        number: int | None = None,
    ) -> Match:
        """Cancel a lobby or end a match, as `table.votes.cancel` says; an interaction that has done so does no more."""
        return await self._work.change(
            match_id,
            lambda table: votes.cancel(table, by, moderator=moderator, meant=meant, number=number),
            interaction_id,
        )

    async def keep(self, match_id: MatchId, by: UserId, number: int) -> Match:
        """Vote against ending the match, as `table.votes.keep` says."""
        return await self._work.change(match_id, lambda table: votes.keep(table, by, number))

    async def decline(self, match_id: MatchId, by: UserId, number: int) -> Match:
        """Let the last move stand, as `table.undo.decline` says."""
        return await self._work.change(match_id, lambda table: undo.decline(table, by, number))

    async def vote(
        self, match_id: MatchId, user_id: UserId, choice: Vote, *, ply: Ply | None = None, time: int | None = None
    ) -> Match:
        """What to do about the person on turn, whose time is up, as `table.votes.vote` says."""
        return await self._work.change(match_id, lambda table: votes.vote(table, user_id, choice, ply=ply, time=time))

    async def undo(
        self,
        match_id: MatchId,
        user_id: UserId,
        *,
        ply: Ply | None = None,
        asked: int | None = None,
        interaction_id: int | None = None,
    ) -> Match:
        """Agree that the last move is taken back, as `table.undo.undo` says. `ply` is that of the board."""
        found = await self._work.read(stored.read, match_id)
        number = None
        if found.status is Status.RUNNING:
            match, course = await self._work.position(found)
            number = await asyncio.to_thread(undo.retractable, match, course)
            ply = Ply(course.ply) if ply is None else ply
        return await self._work.change(
            match_id, lambda table: undo.undo(table, user_id, number, ply=ply, asked=asked), interaction_id
        )

    async def may_undo(self, of: Match) -> bool:
        """Whether the last move of a match that runs can be taken back, if the table agrees. Raises Frozen."""
        if of.moves_stand:
            return False
        match, course = await self._work.position(of)
        return await asyncio.to_thread(undo.retractable, match, course) is not None
