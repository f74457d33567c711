"""What is kept for a while only, and is taken away in small steps."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Select, select, update

from db import schema

_log = schema.log


def _presses(at_most: int) -> Select[int, datetime]:
    """The lowest numbers of interactions: Discord's rise with time, so these are of the oldest lines that have one."""
    return (
        select(_log.c.interaction_id, _log.c.at)
        .where(_log.c.interaction_id > 0)
        .order_by(_log.c.interaction_id)
        .limit(at_most)
    )


_OLDEST: Final = _presses(1)


def has_old_presses(connection: Connection, before: datetime) -> bool:
    """Whether a line that was written before this moment has the number of its interaction."""
    oldest = connection.execute(_OLDEST).one_or_none()
    return oldest is not None and oldest.at < before


def forget_presses(connection: Connection, before: datetime, at_most: int) -> None:
    """Forget the numbers of interactions that have caused lines before this moment, so many of them.

    From then on these could cause a line once more, which Discord does not do after so long.
    """
    oldest = connection.execute(_presses(at_most).with_for_update(skip_locked=True)).all()
    old = [number for number, at in oldest if at < before]
    connection.execute(update(_log).where(_log.c.interaction_id.in_(old)).values(interaction_id=None))
