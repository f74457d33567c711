"""Host.play: actions, resigning, leaving, coming back (P14, P15).

The decisions are in `matches/table/play.py`.
"""

from __future__ import annotations

from db.model.ids import MatchId, UserId
from matches.table import play
from matches.work import stored
from matches.work.part import Part, deed


class Play(Part):
    """What people do in a match."""

    act = deed(play.act)
    resign = deed(play.resign, may_sit=True)
    depart = deed(play.depart, may_sit=True)
    take_back = deed(play.take_back)

    async def leaving(self, match_id: MatchId, user_id: UserId) -> play.Leaving:
        """Return what `depart` would do now, as `table.play.leaving` says, and change nothing."""
        table = await self._work.read(stored.table, match_id, self._work.now(), people=(user_id,))
        return play.leaving(table, user_id)
