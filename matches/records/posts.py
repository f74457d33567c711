"""Messages that the porter has posted, as it reports them back."""

from __future__ import annotations

from typing import NamedTuple

from db.model.ids import MatchId, Ply


class BoardPost(NamedTuple):
    """A board's message, and the ply that it shows."""

    match_id: MatchId
    message_id: int
    ply: Ply


class HandPost(NamedTuple):
    """The direct message about a turn to the person of the seat at this `position`."""

    match_id: MatchId
    position: int
    message_id: int
