"""Queries that delete data after its retention time, in small steps.

`matches/host/retention.py` calls them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Select, delete, exists, select, update

from db.features import KEPT
from db.model import schema
from db.model.enums import Status
from db.model.ids import MatchId

_matches, _log, _votes, _outbox = schema.matches, schema.log, schema.votes, schema.outbox


def _presses(at_most: int) -> Select[int, datetime]:
    """Select the lowest interaction ids. Ids rise with time, so these belong to the oldest lines that have one."""
    return (
        select(_log.c.interaction_id, _log.c.at)
        .where(_log.c.interaction_id > 0)
        .order_by(_log.c.interaction_id)
        .limit(at_most)
    )


_OLDEST: Final = _presses(1)


_NEWEST: Final = (
    select(_matches.c.created_at).where(_matches.c.id > 0).order_by(_matches.c.id.desc()).limit(1),
    select(_matches.c.ended_at)
    .where(_matches.c.ended_at.is_not(None), _matches.c.log_sum.is_(None))
    .order_by(_matches.c.ended_at.desc())
    .limit(1),
    select(_log.c.at).where(_log.c.interaction_id > 0).order_by(_log.c.interaction_id.desc()).limit(1),
)
"""The newest match, the last end, and the last line with an interaction. Each reads one index entry."""


def newest(connection: Connection) -> datetime | None:
    """Return when somebody last did something, as far as indexes tell; ``None`` if nobody ever has."""
    found = (connection.execute(statement).scalar_one_or_none() for statement in _NEWEST)
    return max((at for at in found if at is not None), default=None)


def has_old_presses(connection: Connection, before: datetime) -> bool:
    """Whether a line older than `before` still has its interaction's id."""
    oldest = connection.execute(_OLDEST).one_or_none()
    return oldest is not None and oldest.at < before


def forget_presses(connection: Connection, before: datetime, at_most: int) -> None:
    """Delete at most this many interaction ids from lines older than `before`.

    A redelivery would then be executed again. Discord never redelivers that late.
    """
    oldest = connection.execute(_presses(at_most).with_for_update(skip_locked=True)).all()
    old = [number for number, at in oldest if at < before]
    connection.execute(update(_log).where(_log.c.interaction_id.in_(old)).values(interaction_id=None))


def _prunable(ended_before: datetime, at_most: int) -> Select[int]:
    """Select matches that ended before this moment, still have their lines, and have nothing in the outbox."""
    return (
        select(_matches.c.id)
        .where(_matches.c.ended_at < ended_before, _matches.c.log_sum.is_(None), _matches.c.status == Status.OVER)
        .where(~exists().where(_outbox.c.match_id == _matches.c.id))
        .order_by(_matches.c.ended_at)
        .limit(at_most)
    )


def has_prunable(connection: Connection, ended_before: datetime) -> bool:
    """Whether `prunable` would find a match."""
    return connection.execute(_prunable(ended_before, 1)).first() is not None


def prunable(connection: Connection, ended_before: datetime, at_most: int) -> list[MatchId]:
    """Lock and return matches to prune: they ended before this moment and still have their lines.

    Matches with rows in the outbox are left out: announcements are made from the lines.
    """
    statement = _prunable(ended_before, at_most).with_for_update(of=_matches, skip_locked=True)
    return [MatchId(number) for number in connection.execute(statement).scalars()]


def prune(connection: Connection, sums: Iterable[tuple[MatchId, str]]) -> None:
    """Delete lines, open votes, and what goes with lines, of these matches. Store the checksums of their log files."""
    for number, log_sum in sums:
        connection.execute(delete(_log).where(_log.c.match_id == number))
        connection.execute(delete(_votes).where(_votes.c.match_id == number))
        for each in (each.table for each in KEPT if each.with_lines):
            connection.execute(delete(each).where(each.c.match_id == number))
        connection.execute(update(_matches).where(_matches.c.id == number).values(log_sum=log_sum))
