"""The part of the host that counts votes (P13, P18)."""

from __future__ import annotations

from db.ids import MatchId, Ply, UserId
from db.words import Vote
from matches.match import Match
from matches.table import votes
from matches.unit_of_work import UnitOfWork


class Votes:
    """What the table decides together. All of it raises NotFound, WrongTime, Frozen and Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def remind(self, match_id: MatchId, user_id: UserId) -> Match:
        """Have the person on turn reminded, as `table.votes.remind` says."""
        return await self._work.change(match_id, lambda table: votes.remind(table, user_id))

    async def cancel(
        self, match_id: MatchId, by: UserId, moderator: bool = False, interaction_id: int | None = None
    ) -> Match:
        """Cancel a lobby or end a match, as `table.votes.cancel` says; an interaction that has done so does no more."""
        return await self._work.change(
            match_id, lambda table: votes.cancel(table, by, moderator=moderator), interaction_id
        )

    async def vote(self, match_id: MatchId, user_id: UserId, choice: Vote, *, ply: Ply | None = None) -> Match:
        """What to do about the person on turn, whose time is up, as `table.votes.vote` says."""
        return await self._work.change(match_id, lambda table: votes.vote(table, user_id, choice, ply=ply))
