"""Stores the messages that were posted, and has the ones that they replace tidied up.

The queries are in `db/matches/messages.py`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from db import Connection
from db.matches import messages, outbox
from db.matches.messages import Messages
from db.matches.outbox import News
from db.model.enums import Kind, Status
from matches.records.match import Match
from matches.records.posts import BoardPost, CallPost, HandPost, Posted

LATE: Final = timedelta(seconds=5)
"""What is told later than this moves the deadline of what it asks."""


def note(connection: Connection, by: Posted, now: datetime) -> bool:
    """Store a message as the latest of its kind, unless a later one is known. The older one is tidied up.

    A call whose turn is over by now is tidied up itself. Return whether a player hears only now, late, that it's their
    turn.
    """
    before = messages.of_match(connection, by.match_id)
    if before is None:
        return False
    old: list[News] = []
    if isinstance(by, HandPost):
        older = messages.note_hand(connection, by.match_id, by.position, by.message_id)
        if older is not None and by.channel_id is not None:
            old.append(News(Kind.OLD_POST, message_id=older, channel_id=by.channel_id))
    elif isinstance(by, BoardPost):
        old += _board(connection, by, before, now)
        if by.call_id is not None and by.turn_ply is not None:
            old += _call(connection, CallPost(by.match_id, by.call_id, by.turn_ply), before)
    else:
        old += _call(connection, by, before)
    # Of an old board, the row's ply is the one that it shows.
    shown = by.ply if isinstance(by, BoardPost) and by.ply < before.board_ply else before.board_ply
    outbox.put(connection, by.match_id, before.guild_id, shown, old, now)
    return is_untold(before, now) and not (isinstance(by, BoardPost) and by.ply < before.turn_ply)


def is_untold(match: Match | Messages, now: datetime) -> bool:
    """Whether a turn has begun of which its player hasn't heard, though it's late."""
    is_late = match.turn_at is not None and now - match.turn_at > LATE
    return match.status is Status.RUNNING and is_late and match.board_ply < match.turn_ply


def _board(connection: Connection, by: BoardPost, before: Messages, now: datetime) -> list[News]:
    later, old = by.ply >= before.board_ply, list[News]()
    older = before.board_message_id if later else by.message_id
    if later:
        changes: dict[str, Any] = {"board_message_id": by.message_id, "board_ply": by.ply}
        if by.message_id != before.board_message_id:
            changes["board_at"] = None if by.stays else now
            if by.alone and before.calls:
                # The calls link to the previous board. The new one stands at the bottom of the channel.
                old += [_post(call, before) for call in before.calls]
                changes["calls"] = ()
        messages.note(connection, by.match_id, **changes)
    if older is None or (later and older == by.message_id) or (not later and older == before.board_message_id):
        return old
    goes = by.alone and before.board_at is not None and before.status is Status.RUNNING
    return [*old, _post(older, before, Kind.OLD_POST if goes else Kind.OLD_BOARD)]


def _call(connection: Connection, by: CallPost, before: Messages) -> list[News]:
    if before.status not in (Status.LOBBY, Status.RUNNING) or by.turn_ply != before.turn_ply:
        return [_post(by.message_id, before)]
    if by.message_id not in before.calls:
        messages.note(connection, by.match_id, calls=(*before.calls, by.message_id))
    return []


def _post(message_id: int, of: Messages, kind: Kind = Kind.OLD_POST) -> News:
    return News(kind, message_id=message_id, channel_id=of.place_id)
