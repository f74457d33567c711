"""Queries of the outbox: rows without content, leased to who sends them, deleted once told.

`matches/delivery/outbox.py` hands them out.

A deleted row is one that was told; nothing is kept of it (the log is what happened), so the table stays as small as
what is outstanding. Row numbers never come again: they are the nonces of Discord messages.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.sql.dml import ReturningUpdate

from db.matches import leases
from db.matches.leases import LONGEST_PAUSE, Lease, Shards
from db.model import schema
from db.model.columns import Instant, columns_of
from db.model.enums import Kind
from db.model.ids import MatchId, Ply, SeatNumber, UserId
from db.model.rows import Telling

_outbox = schema.outbox
_another = schema.outbox.alias("another")


class News(NamedTuple):
    """What is to be put there: `rings` says that telling it rings the person of `user_id`."""

    kind: Kind
    seat: SeatNumber | None = None
    user_id: UserId | None = None
    rings: bool = False


class Dropped(NamedTuple):
    """What was dropped, when it was due, and until when somebody has it leased."""

    news: News
    due: datetime
    leased_until: datetime | None


_TELLING: Final = columns_of(_outbox, Telling)
_PUT: Final = insert(_outbox).returning(*_TELLING)
_DROP: Final = delete(_outbox).where(
    _outbox.c.match_id == bindparam("of_match"), _outbox.c.kind.in_(bindparam("kinds", expanding=True))
)
_TOLD: Final = delete(_outbox).where(_outbox.c.id == bindparam("row_id"))
_RELEASED: Final = {"leased_until": None, "leased_by": None}
_STILL: Final = update(_outbox).where(
    _outbox.c.id.in_(bindparam("ids", expanding=True)),
    _outbox.c.leased_by == bindparam("name"),
    _outbox.c.leased_until <= bindparam("newest", type_=Instant),
)
_HELD: Final = _STILL.values(leased_until=bindparam("until", type_=Instant))
_FREED: Final = _STILL.values(_RELEASED)

_DUE: Final = select(_outbox.c.id).where(
    or_(
        _outbox.c.due <= bindparam("now", type_=Instant),
        # Put off by a clock that has been set back since.
        _outbox.c.due > bindparam("put_off", type_=Instant),
    ),
    leases.free(_outbox),
    _outbox.c.held.is_(False),
)
# Of one match only one process tells at a time, or two messages could overtake each other.
_HELD_BY_OTHERS: Final = (
    _another.c.leased_by != bindparam("name"),
    _another.c.leased_until > bindparam("now", type_=Instant),
    _another.c.leased_until <= bindparam("no_lease", type_=Instant),
)
_IN_OTHER_HANDS: Final = exists().where(_another.c.match_id == _outbox.c.match_id, *_HELD_BY_OTHERS)


def _claiming(*, of_match: bool, by_shard: bool, watched: bool | None) -> ReturningUpdate[Any]:
    wanted = _DUE.where(~_IN_OTHER_HANDS)
    if watched is not None:
        wanted = wanted.where((_outbox.c.kind == Kind.WATCH) if watched else (_outbox.c.kind != Kind.WATCH))
    if of_match:
        wanted = wanted.where(_outbox.c.match_id == bindparam("of_match"))
    if by_shard:
        wanted = wanted.where(leases.belonging(_outbox))
    # Sorted: to go by the number, SQLite would pass by everything that is not due.
    ours = wanted.order_by(_outbox.c.id + 0).limit(bindparam("at_most")).with_for_update(skip_locked=True)
    leased: dict[str, Any] = {"leased_until": bindparam("until"), "leased_by": bindparam("name")}
    return update(_outbox).where(_outbox.c.id.in_(ours)).values(leased).returning(*_TELLING)


_OTHER_HANDS: Final = (
    select(_another.c.id).where(_another.c.match_id == bindparam("of_match"), *_HELD_BY_OTHERS).limit(1)
)
_CLAIMS: Final = {
    (of_match, by_shard, watched): _claiming(of_match=of_match, by_shard=by_shard, watched=watched)
    for of_match in (False, True)
    for by_shard in (False, True)
    for watched in (None, False, True)
}
_IS_DUE: Final = _DUE.limit(1)
_OWN: Final = select(_outbox.c.id, _outbox.c.leased_until).where(
    _outbox.c.leased_by == bindparam("name"), _outbox.c.leased_until.is_not(None)
)


def put(
    connection: Connection,
    match_id: MatchId,
    guild_id: int | None,
    ply: Ply,
    rows: Collection[News],
    now: datetime,
    *,
    due: datetime | None = None,
    held: bool = False,
    lease: Lease | None = None,
) -> list[Telling]:
    """Add rows in this order, to be told from `due` on (at once where it is left out), not while they are `held`.

    With a `lease` they are in the hands of that process from the beginning, as if it had claimed them.
    """
    if not rows:
        return []
    name, until = (None, None) if lease is None else lease
    same: dict[str, Any] = {
        "match_id": match_id,
        "guild_id": guild_id,
        "ply": ply,
        "put_at": now,
        "due": due or now,
        "held": held,
    }
    same |= {"leased_by": name, "leased_until": until}
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
    """Drop what is no longer worth telling (of one seat, ply or person, or all); what was dropped.

    Who has it leased finds it gone.
    """
    statement = _DROP
    for column, value in ((_outbox.c.seat, seat), (_outbox.c.ply, ply), (_outbox.c.user_id, user_id)):
        if value is not None:
            statement = statement.where(column == value)
    dropping = statement.returning(*columns_of(_outbox, News), _outbox.c.due, _outbox.c.leased_until)
    dropped = connection.execute(dropping, {"of_match": match_id, "kinds": list(kinds)})
    return [Dropped(News(*news), due, leased_until) for *news, due, leased_until in dropped]


def claim(
    connection: Connection,
    now: datetime,
    lease: timedelta,
    limit: int,
    name: str,
    *,
    match_id: MatchId | None = None,
    shards: Shards | None = None,
    watched: bool | None = None,
) -> list[Telling]:
    """Rows that are due (of one match, or of all), oldest first; until the lease has run out nobody else gets them.

    With `shards` only those that belong to this process, or are overdue; with `watched` only those for which nobody
    but spectators waits (`Kind.WATCH`), or only the others.
    """
    values = {**_instant(now), "at_most": limit, "until": now + lease, "name": name}
    if match_id is not None:
        values["of_match"] = match_id
    if shards is not None:
        values |= leases.of_shards(now, shards)
    statement = _CLAIMS[match_id is not None, shards is not None, watched]
    return sorted(Telling(*row) for row in connection.execute(statement, values))


def is_in_other_hands(connection: Connection, match_id: MatchId, now: datetime, name: str) -> bool:
    """Whether somebody who does not bear this name is telling something of a match."""
    values = {**leases.instant(now), "of_match": match_id, "name": name}
    return connection.execute(_OTHER_HANDS, values).first() is not None


def due(connection: Connection, now: datetime) -> bool:
    """Whether anything is due, to anybody (asking does not lock the store)."""
    return connection.execute(_IS_DUE, _instant(now)).first() is not None


def _instant(now: datetime) -> dict[str, Any]:
    return {**leases.instant(now), "put_off": now + LONGEST_PAUSE}


def leased(connection: Connection, name: str) -> dict[int, datetime]:
    """The rows that are leased under this name, and until when."""
    rows = connection.execute(_OWN, {"name": name})
    return {row.id: row.leased_until for row in rows}


def renew(connection: Connection, ids: Collection[int], lease: Lease) -> None:
    """Extend the leases of these rows, of which another process may have taken some."""
    connection.execute(_HELD, {"ids": list(ids), "name": lease.name, "newest": lease.until, "until": lease.until})


def free(connection: Connection, ids: Collection[int], newest: Lease) -> None:
    """Release these rows, but for those that another process has leased, or this one again after `newest`."""
    connection.execute(_FREED, {"ids": list(ids), "name": newest.name, "newest": newest.until})


def told(connection: Connection, row_id: int) -> None:
    """It was told."""
    connection.execute(_TOLD, {"row_id": row_id})


def postpone(connection: Connection, row_id: int, until: datetime) -> None:
    """It was tried in vain: offer it again from this time on, or to its owner's successor at once."""
    later = {"due": until, "leased_until": None, "tries": _outbox.c.tries + 1}
    connection.execute(update(_outbox).where(_outbox.c.id == row_id).values(later))


def hold(connection: Connection, match_id: MatchId, held: bool, now: datetime) -> None:
    """Offer nothing of a match, or all of it again at once."""
    changed: dict[str, Any] = {"held": held} if held else {"held": held, "due": now, "tries": 0}
    connection.execute(update(_outbox).where(_outbox.c.match_id == match_id).values(changed))


def release(connection: Connection, name: str, now: datetime) -> None:
    """Whoever bore this name is dead: what they had leased or put off is due at once."""
    freed = {"due": now, **_RELEASED}
    connection.execute(update(_outbox).where(_outbox.c.leased_by == name).values(freed))
