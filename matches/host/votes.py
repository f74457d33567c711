"""Host.votes: what a table is asked, and its answers (P13, P18).

The decisions are in `matches/table/votes.py` and `undo.py`.
"""

from __future__ import annotations

import asyncio

from db.model.enums import Status
from db.model.ids import MatchId, Ply, UserId
from matches.records.match import Match
from matches.records.requests import Once
from matches.table import undo, votes
from matches.work import stored
from matches.work.part import Part, deed


class Votes(Part):
    """What the table decides together."""

    remind = deed(votes.remind)
    cancel = deed(votes.cancel, may_sit=True)
    refuse = deed(votes.refuse)
    vote = deed(votes.vote)
    _undo = deed(undo.undo)

    async def cancelling(self, match_id: MatchId, by: UserId, *, moderator: bool = False) -> votes.Cancelling:
        """Return what `cancel` would do now, as `table.votes.cancelling` says, and change nothing."""
        table = self._work.loaded(await self._work.read(stored.table, match_id, self._work.now()))
        return votes.cancelling(table, by, moderator=moderator)

    async def undo(
        self, match_id: MatchId | Once, user_id: UserId, *, ply: Ply | None = None, asked: int | None = None
    ) -> Match:
        """Agree that the last move is taken back, as `table.undo.undo` says. `ply` is that of the board."""
        found = await self._work.read(stored.read, match_id[0] if isinstance(match_id, Once) else match_id)
        number = None
        if found.status is Status.RUNNING:
            match, course = await self._work.position(found)
            number = await asyncio.to_thread(undo.retractable, match, course)
            ply = Ply(course.ply) if ply is None else ply
        return await self._undo(match_id, user_id, number, ply=ply, asked=asked)

    async def may_undo(self, of: Match) -> bool:
        """Whether the last move of a match that runs can be taken back, if the table agrees. Raises Frozen."""
        if of.moves_stand:
            return False
        match, course = await self._work.position(of)
        return await asyncio.to_thread(undo.retractable, match, course) is not None
