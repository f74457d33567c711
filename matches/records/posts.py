"""Messages that the porter has posted, as it reports them back."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from db.model.ids import MatchId, Ply


class BoardPost(NamedTuple):
    """A board's message, and the ply that it shows. It may be the previous board's message, edited.

    `call_id`: a message of its own that calls the player whose turn it has been since `turn_ply`. `alone`: the server
    wants one board a match, so this one replaces the previous one. `stays`: the next one doesn't replace this one.
    """

    match_id: MatchId
    message_id: int
    ply: Ply
    call_id: int | None = None
    turn_ply: Ply | None = None
    alone: bool = False
    stays: bool = False


class CallPost(NamedTuple):
    """A message in the match's place that is about the turn since `turn_ply`: a call, or a question about its player.

    In a lobby: a message that asks whether everybody is ready.
    """

    match_id: MatchId
    message_id: int
    turn_ply: Ply


class HandPost(NamedTuple):
    """The direct message about a turn to the person of the seat at this `position`, in this channel (if known)."""

    match_id: MatchId
    position: int
    message_id: int
    channel_id: int | None = None


Posted: TypeAlias = BoardPost | CallPost | HandPost
