"""Queries of the outbox: rows without content, leased to the process that sends them, and deleted when sent.

`matches/delivery/outbox.py` uses them. The log is the record of what happened, so nothing of a sent row is kept. Row
numbers are never reused: they are nonces of Discord messages.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from db.model import schema
from db.model.columns import Instant, columns_of
from db.model.enums import TIDYING, Kind
from db.model.ids import MatchId, Ply, SeatNumber, UserId
from db.model.rows import Telling
from db.store import leases
from db.store.leases import LONGEST_PAUSE, Lease, Shards

_outbox = schema.outbox
_another = schema.outbox.alias("another")


class News(NamedTuple):
    """A row to insert; `rings`: it pings the person `user_id`.

    `quiet`: it looks like a row that rings, but pings nobody. `message_id` and `channel_id` name the bot's own message
    that a row of `TIDYING` is about.
    """

    kind: Kind
    seat: SeatNumber | None = None
    user_id: UserId | None = None
    rings: bool = False
    message_id: int | None = None
    channel_id: int | None = None
    quiet: bool = False


class Dropped(NamedTuple):
    """A deleted row: its content, when it was due, and when its lease ends."""

    news: News
    due: datetime
    leased_until: datetime | None


_TELLING: Final = columns_of(_outbox, Telling)
_PUT: Final = insert(_outbox).returning(*_TELLING)
_DROP: Final = delete(_outbox).where(
    _outbox.c.match_id == bindparam("of_match"), _outbox.c.kind.in_(bindparam("kinds", expanding=True))
)
_REMOVE: Final = delete(_outbox).where(_outbox.c.id == bindparam("row_id")).returning(*_TELLING)

_DUE: Final = select(_outbox.c.id).where(
    or_(
        _outbox.c.due <= bindparam("now", type_=Instant),
        # Postponed by a clock that has been set back since.
        _outbox.c.due > bindparam("put_off", type_=Instant),
    ),
    leases.unleased(_outbox),
    _outbox.c.held.is_(False),
)
# Only one process at a time sends the rows of a match or of a server, so that no message overtakes another. Tidying is
# about older messages, so nobody waits for it.
_OTHERS_LEASE: Final = (
    _another.c.kind.not_in(TIDYING),
    _another.c.leased_by != bindparam("name"),
    _another.c.leased_until > bindparam("now", type_=Instant),
    _another.c.leased_until <= bindparam("no_lease", type_=Instant),
)
_SERVERS: Final = (
    _outbox.c.match_id.is_(None),
    _another.c.match_id.is_(None),
    _another.c.guild_id == _outbox.c.guild_id,
)
_IS_LEASED_BY_OTHERS: Final = or_(
    exists().where(_another.c.match_id == _outbox.c.match_id, *_OTHERS_LEASE),
    exists().where(*_SERVERS, *_OTHERS_LEASE),
)


def _claiming(*, of_match: bool, by_shard: bool, by_kind: bool) -> ReturningUpdate[Any]:
    wanted = _DUE.where(~_IS_LEASED_BY_OTHERS)
    if by_kind:
        wanted = wanted.where(_outbox.c.kind.in_(bindparam("kinds", expanding=True)))
    if of_match:
        wanted = wanted.where(_outbox.c.match_id == bindparam("of_match"))
    if by_shard:
        wanted = wanted.where(leases.owned(_outbox))
    # `+ 0` forces a sort. To follow the index of ids, SQLite would step over every row that isn't due.
    ours = wanted.order_by(_outbox.c.id + 0).limit(bindparam("at_most")).with_for_update(skip_locked=True)
    return update(_outbox).where(_outbox.c.id.in_(ours)).values(leases.LEASED).returning(*_TELLING)


_LEASED_BY_OTHERS: Final = (
    select(_another.c.id).where(_another.c.match_id == bindparam("of_match"), *_OTHERS_LEASE).limit(1)
)
_CLAIMS: Final = {
    (of_match, by_shard, by_kind): _claiming(of_match=of_match, by_shard=by_shard, by_kind=by_kind)
    for of_match in (False, True)
    for by_shard in (False, True)
    for by_kind in (False, True)
}
_IS_DUE: Final = _DUE.limit(1)


def put(
    connection: Connection,
    match_id: MatchId | None,
    guild_id: int | None,
    ply: Ply,
    rows: Collection[News],
    now: datetime,
    *,
    due: datetime | None = None,
    held: bool = False,
    lease: Lease | None = None,
) -> list[Telling]:
    """Insert rows in this order, due at `due` (default: now), but not while they are `held`.

    Without `match_id` they are about the server. With a `lease` that process has them from the start, as if it had
    claimed them.
    """
    if not rows:
        return []
    name, until = (None, None) if lease is None else lease
    same: dict[str, Any] = {"match_id": match_id, "guild_id": guild_id, "ply": ply, "put_at": now}
    same |= {"due": due or now, "held": held, "leased_by": name, "leased_until": until}
    made = connection.execute(_PUT, [{**same, **row._asdict()} for row in rows])
    return sorted(Telling(*row) for row in made)


def drop(
    connection: Connection,
    match_id: MatchId,
    kinds: Collection[Kind],
    *,
    seat: SeatNumber | None = None,
    ply: Ply | None = None,
    user_id: UserId | None = None,
) -> list[Dropped]:
    """Delete obsolete rows (of one seat, ply or person, or all), and return them. They may be leased."""
    statement = _DROP
    for column, value in ((_outbox.c.seat, seat), (_outbox.c.ply, ply), (_outbox.c.user_id, user_id)):
        if value is not None:
            statement = statement.where(column == value)
    dropping = statement.returning(*columns_of(_outbox, News), _outbox.c.due, _outbox.c.leased_until)
    dropped = connection.execute(dropping, {"of_match": match_id, "kinds": list(kinds)})
    return [Dropped(News(*news), due, leased_until) for *news, due, leased_until in dropped]


def drop_of_server(connection: Connection, guild_id: int) -> None:
    """Delete the rows that are about a server, not those about its matches. They may be leased."""
    mine = (_outbox.c.guild_id == guild_id) & _outbox.c.match_id.is_(None)
    connection.execute(delete(_outbox).where(mine))


def claim(
    connection: Connection,
    now: datetime,
    lease: timedelta,
    limit: int,
    name: str,
    *,
    match_id: MatchId | None = None,
    shards: Shards | None = None,
    kinds: Collection[Kind] | None = None,
) -> list[Telling]:
    """Lease due rows (of one match, or of all; of these `kinds`, or of all), and return them, oldest first.

    Until the lease ends nobody else gets them. With `shards` only rows that this process owns or that are overdue.
    """
    values = {**_instant(now), "at_most": limit, "until": now + lease, "name": name}
    if match_id is not None:
        values["of_match"] = match_id
    if shards is not None:
        values |= leases.shard_parameters(now, shards)
    if kinds is not None:
        values["kinds"] = sorted(kinds)
    statement = _CLAIMS[match_id is not None, shards is not None, kinds is not None]
    return sorted(Telling(*row) for row in connection.execute(statement, values))


def is_waiting(connection: Connection, match_id: MatchId, kind: Kind) -> bool:
    """Whether a row of this kind is still to be sent for the match."""
    statement = select(_outbox.c.id).where(_outbox.c.match_id == match_id, _outbox.c.kind == kind).limit(1)
    return connection.execute(statement).first() is not None


def waiting(connection: Connection, match_id: MatchId, kinds: Collection[Kind]) -> Telling | None:
    """Return the oldest row of these kinds that is still to be sent for the match, ``None`` if there is none."""
    mine = (_outbox.c.match_id == match_id) & _outbox.c.kind.in_(kinds)
    found = connection.execute(select(*_TELLING).where(mine).order_by(_outbox.c.id).limit(1)).first()
    return None if found is None else Telling(*found)


def is_leased_by_others(connection: Connection, match_id: MatchId, now: datetime, name: str) -> bool:
    """Whether a process of another name is sending rows of this match."""
    values = {**leases.lease_times(now), "of_match": match_id, "name": name}
    return connection.execute(_LEASED_BY_OTHERS, values).first() is not None


def any_due(connection: Connection, now: datetime) -> bool:
    """Whether any row is due, whoever owns it. This doesn't lock the store."""
    return connection.execute(_IS_DUE, _instant(now)).first() is not None


def _instant(now: datetime) -> dict[str, Any]:
    return {**leases.lease_times(now), "put_off": now + LONGEST_PAUSE}


def remove(connection: Connection, row_id: int) -> Telling | None:
    """Delete a row and return it, ``None`` if there is none."""
    row = connection.execute(_REMOVE, {"row_id": row_id}).first()
    return None if row is None else Telling(*row)


def retry_at(connection: Connection, row_id: int, until: datetime) -> None:
    """Retry a failed row at `until`. A restarted owner may retry at once (`release_all`)."""
    later = {"due": until, "leased_until": None, "tries": _outbox.c.tries + 1}
    connection.execute(update(_outbox).where(_outbox.c.id == row_id).values(later))


def hasten(connection: Connection, match_id: MatchId, now: datetime, within: timedelta) -> None:
    """Make a match's waiting rows due now that are due within this time."""
    waiting = (_outbox.c.match_id == match_id) & (_outbox.c.due > now) & (_outbox.c.due <= now + within)
    connection.execute(update(_outbox).where(waiting).values(due=now))


def hold(connection: Connection, match_id: MatchId, held: bool, now: datetime) -> None:
    """Hold a match's rows, or make all of them due now."""
    changed: dict[str, Any] = {"held": held} if held else {"held": held, "due": now, "tries": 0}
    connection.execute(update(_outbox).where(_outbox.c.match_id == match_id).values(changed))


def release_all(connection: Connection, name: str, now: datetime) -> None:
    """Make due at once what a dead process has leased or postponed under this name."""
    freed = {"due": now, **leases.RELEASED}
    connection.execute(update(_outbox).where(_outbox.c.leased_by == name).values(freed))
