"""Which presses and commands have changed a lobby, so that one that is delivered twice changes it once.

In a match the log remembers that; a lobby has none, and these are forgotten when it starts or is closed, but for the
one that has closed it, which is forgotten with the lobby.
"""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from db.model import schema
from db.model.ids import MatchId

_presses = schema.presses


def match_of(connection: Connection, interaction_id: int) -> MatchId | None:
    """The match whose lobby this interaction has opened or changed, ``None`` where it did neither."""
    statement = select(_presses.c.match_id).where(_presses.c.interaction_id == interaction_id)
    found: MatchId | None = connection.execute(statement).scalar_one_or_none()
    return found


def note(connection: Connection, interaction_id: int, match_id: MatchId) -> None:
    """This interaction changes the lobby now. Raises IntegrityError where it did before."""
    connection.execute(insert(_presses).values(interaction_id=interaction_id, match_id=match_id))


def forget(connection: Connection, match_id: MatchId) -> None:
    """The lobby is no more."""
    connection.execute(delete(_presses).where(_presses.c.match_id == match_id))
