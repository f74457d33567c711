"""Queries of the interactions that changed a lobby, so that a redelivered one changes it only once.

In a match the log does this. A lobby's interactions are deleted when it starts or closes. The one that closed it is
deleted with the lobby.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from db.model import schema
from db.model.ids import MatchId

_presses = schema.presses


def match_of(connection: Connection, interaction_id: int) -> MatchId | None:
    """Return the match whose lobby this interaction opened or changed, ``None`` if it did neither."""
    statement = select(_presses.c.match_id).where(_presses.c.interaction_id == interaction_id)
    found: MatchId | None = connection.execute(statement).scalar_one_or_none()
    return found


def note(connection: Connection, interaction_id: int, match_id: MatchId) -> None:
    """Note that this interaction changes the lobby. Raises IntegrityError if it has before."""
    connection.execute(insert(_presses).values(interaction_id=interaction_id, match_id=match_id))


def forget(connection: Connection, match_id: MatchId) -> None:
    """Delete the interactions of a lobby that has started or closed."""
    connection.execute(delete(_presses).where(_presses.c.match_id == match_id))
