"""Queries of the messages that show a match: its board, the calls of players, and direct messages.

`matches/delivery/outbox.py` uses them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from db.model import schema
from db.model.columns import columns_of
from db.model.enums import Status
from db.model.ids import MatchId, Ply
from db.model.upserts import SQLITE

_matches, _seats = schema.matches, schema.seats


class Messages(NamedTuple):
    """What is known about the messages that show a match in its place, as `MatchRow` says."""

    status: Status
    guild_id: int | None
    channel_id: int
    thread_id: int | None
    board_message_id: int | None
    board_ply: Ply
    board_at: datetime | None
    turn_ply: Ply
    turn_at: datetime | None
    calls: tuple[int, ...]

    @property
    def place_id(self) -> int:
        """The thread or channel where the match is posted: a lobby in its channel."""
        return self.channel_id if self.status is Status.LOBBY else self.thread_id or self.channel_id


_MESSAGES: Final = select(*columns_of(_matches, Messages)).where(_matches.c.id == bindparam("number"))
_LOCKED: Final = _MESSAGES.with_for_update(key_share=True)
_NOTE: Final = update(_matches).where(_matches.c.id == bindparam("number"))
_OF_SEAT: Final = (_seats.c.match_id == bindparam("number")) & (_seats.c.position == bindparam("at_position"))
_HAND: Final = select(_seats.c.hand_message_id).where(_OF_SEAT)
_NOTE_HAND: Final = update(_seats).where(_OF_SEAT)


def of_match(connection: Connection, match_id: MatchId) -> Messages | None:
    """Return the messages of a match, ``None`` if it is gone. Nobody else writes them until the transaction ends."""
    statement = _MESSAGES if connection.dialect.name == SQLITE else _LOCKED
    row = connection.execute(statement, {"number": match_id}).first()
    return None if row is None else Messages(*row)


def note(connection: Connection, match_id: MatchId, **changes: Any) -> None:
    """Store fields of `Messages`."""
    connection.execute(_NOTE.values(**changes), {"number": match_id})


def note_hand(connection: Connection, match_id: MatchId, position: int, message_id: int) -> int | None:
    """Store the direct message about a turn to the person of a seat, and return the one before."""
    values = {"number": match_id, "at_position": position}
    before = connection.execute(_HAND, values).scalar_one_or_none()
    connection.execute(_NOTE_HAND.values(hand_message_id=message_id), values)
    return None if before == message_id else before
