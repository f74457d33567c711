"""Queries of deadlines: one row per match and kind, leased to the process that carries it out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Boolean, Connection, Select, bindparam, delete, exists, insert, or_, select, tuple_, update
from sqlalchemy.sql.dml import ReturningUpdate

from db.model import schema
from db.model.columns import columns_of, read_row
from db.model.enums import CALLING, PERSONS, Due, Kind
from db.model.ids import MatchId, Ply
from db.model.rows import DeadlineRow
from db.store import leases
from db.store.leases import Shards

_deadlines, _outbox = schema.deadlines, schema.outbox


_KEY: Final = tuple_(_deadlines.c.match_id, _deadlines.c.kind)
_COLUMNS: Final = columns_of(_deadlines, DeadlineRow)
_FORGET: Final = delete(_deadlines).where(
    _deadlines.c.match_id == bindparam("of_match"), _deadlines.c.kind.in_(bindparam("kinds", expanding=True))
)
_SET: Final = insert(_deadlines)
# People must know what they are asked before their time runs.
_UNTOLD: Final = exists().where(
    _outbox.c.match_id == _deadlines.c.match_id,
    _outbox.c.kind.in_(sorted(CALLING)),
    _outbox.c.held.is_(False),
    or_(_outbox.c.rings, _outbox.c.kind.not_in((Kind.HAND, Kind.SECRETS))),
)
_DUE: Final = select(_deadlines.c.match_id, _deadlines.c.kind).where(
    _deadlines.c.due <= bindparam("now"),
    leases.unleased(_deadlines),
    _deadlines.c.kind.in_(bindparam("kinds", expanding=True)),
    or_(
        bindparam("regardless", type_=Boolean),
        _deadlines.c.kind.not_in(sorted(PERSONS)),
        (_deadlines.c.guild_id.is_(None) | _deadlines.c.guild_id.not_in(bindparam("away", expanding=True))) & ~_UNTOLD,
    ),
)


def _due(*, by_shard: bool) -> Select[Any]:
    return _DUE.where(leases.owned(_deadlines)) if by_shard else _DUE


def _claiming(*, by_shard: bool) -> ReturningUpdate[Any]:
    wanted = _due(by_shard=by_shard)
    ours = wanted.order_by(_deadlines.c.due).limit(bindparam("at_most")).with_for_update(skip_locked=True)
    return update(_deadlines).where(_KEY.in_(ours)).values(leases.LEASED).returning(*_COLUMNS)


_CLAIMS: Final = {by_shard: _claiming(by_shard=by_shard) for by_shard in (False, True)}
_IS_DUE: Final = {by_shard: _due(by_shard=by_shard).limit(1) for by_shard in (False, True)}


def replace(
    connection: Connection,
    match_id: MatchId,
    guild_id: int | None,
    ply: Ply,
    times: Mapping[Due, datetime],
    kinds: Collection[Due],
) -> None:
    """Delete the match's deadlines of these kinds, and insert `times` (kind to instant)."""
    connection.execute(_FORGET, {"of_match": match_id, "kinds": list(kinds)})
    same = {"match_id": match_id, "guild_id": guild_id, "ply": ply}
    if times:
        connection.execute(_SET, [{**same, "kind": kind, "due": due} for kind, due in times.items()])


class Wanted(NamedTuple):
    """The deadlines of these `kinds` that are due by `now`.

    With `shards` only those that this process owns or that are overdue. With `away` what people on these servers could
    miss isn't due, nor what people haven't been told yet.
    """

    now: datetime
    kinds: Collection[Due]
    shards: Shards | None = None
    away: Collection[int] | None = None


def claim(connection: Connection, wanted: Wanted, lease: timedelta, limit: int, name: str) -> list[DeadlineRow]:
    """Lease deadlines, and return them, oldest first. Until the lease ends nobody else gets them."""
    values = {**_values(wanted), "at_most": limit, "until": wanted.now + lease, "name": name}
    rows = [DeadlineRow(*row) for row in connection.execute(_CLAIMS[wanted.shards is not None], values)]
    return sorted(rows, key=lambda row: (row.due, row.match_id, row.kind))


def any_due(connection: Connection, wanted: Wanted) -> bool:
    """Whether `claim` would return anything. This doesn't lock the store."""
    return connection.execute(_IS_DUE[wanted.shards is not None], _values(wanted)).first() is not None


def _values(wanted: Wanted) -> dict[str, Any]:
    now, kinds, shards, away = wanted
    values = {**leases.lease_times(now), "kinds": list(kinds), "regardless": away is None, "away": list(away or ())}
    return values if shards is None else values | leases.shard_parameters(now, shards)


def shift(connection: Connection, match_id: MatchId, kinds: Collection[Due], by: timedelta) -> None:
    """Move the match's deadlines of these kinds by this time, and release them."""
    mine = (_deadlines.c.match_id == match_id) & _deadlines.c.kind.in_(kinds)
    rows = connection.execute(select(_deadlines.c.kind, _deadlines.c.due).where(mine)).all()
    for kind, due in rows:
        this = (_deadlines.c.match_id == match_id) & (_deadlines.c.kind == kind)
        connection.execute(update(_deadlines).where(this).values(due=due + by, **leases.RELEASED))


def get(connection: Connection, match_id: MatchId, kind: Due) -> DeadlineRow | None:
    """Return the match's deadline of this kind, leased or not."""
    return read_row(connection, _deadlines, DeadlineRow, _deadlines.c.match_id == match_id, _deadlines.c.kind == kind)


def retry_at(connection: Connection, row: DeadlineRow, until: datetime) -> None:
    """Retry a failed deadline at `until`, if it is unchanged."""
    same = (_deadlines.c[name] == getattr(row, name) for name in ("match_id", "kind", "ply", "due"))
    later = {"due": until, "leased_until": None, "tries": _deadlines.c.tries + 1}
    connection.execute(update(_deadlines).where(*same).values(later))


def release_all(connection: Connection, name: str) -> None:
    """Release what a dead process has leased under this name."""
    connection.execute(update(_deadlines).where(_deadlines.c.leased_by == name).values(leases.RELEASED))


def remove(connection: Connection, match_id: MatchId, kind: Due) -> None:
    connection.execute(delete(_deadlines).where(_deadlines.c.match_id == match_id, _deadlines.c.kind == kind))
