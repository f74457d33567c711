"""The messages with which something was told, as whoever tells it reports them back."""

from __future__ import annotations

from typing import NamedTuple

from db.model.ids import MatchId, Ply


class BoardPost(NamedTuple):
    """The message with which a board was told, and the ply that it shows."""

    match_id: MatchId
    message_id: int
    ply: Ply


class HandPost(NamedTuple):
    """The direct message with which a seat's person was told that it is their turn; `position` is the seat's."""

    match_id: MatchId
    position: int
    message_id: int
