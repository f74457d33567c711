"""Queries of gaps: times in which nobody could press, on a shard or on one server (P13).

A shard's last row has no end. Its process moves that row's beginning on while people can press (`note`). So after a
crash the row says since when they couldn't.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, and_, delete, insert, literal, or_, select, update

from db.features import ASKING
from db.model import schema
from db.model.columns import columns_of
from db.model.enums import Status
from db.model.ids import MatchId
from db.model.rows import GapRow
from db.store.leases import SHARD_BITS
from db.store.transactions import wait_for_turn

_gaps, _matches = schema.gaps, schema.matches

NOTED_EVERY: Final = timedelta(seconds=10)
"""How often is noted that people can press."""

LOSSLESS: Final = timedelta(seconds=30)
"""A session that goes on, or a handover, within this time after the last note has lost no press."""

REMEMBERED: Final = timedelta(days=180)
"""How long gaps are kept, so that nobody's answer times count them."""

_GAP: Final = columns_of(_gaps, GapRow)
_OF_SHARD: Final = _gaps.c.guild_id.is_(None)
_OPEN: Final = _gaps.c.until.is_(None)


class Shard(NamedTuple):
    """A shard: number `id` of `of`."""

    of: int
    id: int

    def carries(self, guild_id: int) -> bool:
        """Whether a server is on it."""
        return shard_of(guild_id, self.of) == self


class Arrival(NamedTuple):
    """A shard that people can use again. `at`: since when it has been connected.

    `replayed`: its session went on, so Discord has told what happened meanwhile. `away`: its servers that people can't
    use yet.
    """

    at: datetime
    replayed: bool
    away: frozenset[int] = frozenset()


def shard_of(guild_id: int, of: int) -> Shard:
    """Return a server's shard."""
    return Shard(of, (guild_id >> SHARD_BITS) % of)


def is_needed(connection: Connection) -> bool:
    """Whether anybody could miss anything, so that it matters whether they can press."""
    unended = _matches.c.ended_at.is_(None) & _matches.c.status.in_((Status.LOBBY, Status.RUNNING))
    asked = (select(_matches.c.id).where(unended), *(select(literal(1)).select_from(table) for table in ASKING))
    return any(connection.execute(each.limit(1)).first() is not None for each in asked)


def note(connection: Connection, of: int, ids: Collection[int], away: Mapping[int, datetime], now: datetime) -> None:
    """Note that people on these shards can press now, except on the servers that have been `away` since then."""
    mine = _OF_SHARD & _OPEN & (_gaps.c.shards == of) & _gaps.c.shard.in_(ids)
    connection.execute(update(_gaps).where(mine).values(since=now))
    if not away:
        return
    known = set(connection.execute(select(_gaps.c.guild_id).where(_OPEN, _gaps.c.guild_id.in_(away))).scalars())
    for guild_id in away.keys() - known:
        _put(connection, shard_of(guild_id, of), away[guild_id], guild_id=guild_id)


def arrive(connection: Connection, shard: Shard, arrival: Arrival, now: datetime) -> frozenset[int]:
    """Note that people on a shard can press again. Return the servers of which it's noted that they're away.

    If too much time has passed since the last note, it was a gap. If Discord has told what happened, or another process
    was still connected when this one was, more may have passed.
    """
    wait_for_turn(connection, "gaps", *shard)
    seen = _seen(connection, shard)
    here = [row for row in _rows(connection, _OPEN & ~_OF_SHARD) if row.guild_id and shard.carries(row.guild_id)]
    lossless = arrival.replayed or (seen is not None and arrival.at < seen)
    if seen is not None and now - seen > (LOSSLESS if lossless else NOTED_EVERY):
        _put(connection, shard, seen, until=now, replayed=arrival.replayed)
        _end(connection, here, seen)
    connection.execute(delete(_gaps).where(_OF_SHARD, _OPEN, _gaps.c.shards == shard.of, _gaps.c.shard == shard.id))
    connection.execute(delete(_gaps).where(_gaps.c.over, _gaps.c.until < now - REMEMBERED))
    _put(connection, shard, now)
    return frozenset(row.guild_id for row in here if row.guild_id)


def return_server(connection: Connection, shard: Shard, guild_id: int, since: datetime, now: datetime) -> None:
    """Note that a server that has been away since then is back. A second note of the same return changes nothing."""
    if known := _rows(connection, (_gaps.c.guild_id == guild_id) & (_OPEN | (_gaps.c.until == now))):
        _end(connection, known, now)
    else:
        _put(connection, shard, since, guild_id=guild_id, until=now)


def remember(connection: Connection, guild_id: int, since: datetime, until: datetime) -> None:
    """Keep in mind, for `of_server`, that people on a server didn't know whose turn it was. Nothing is given back."""
    _put(connection, Shard(0, 0), since, guild_id=guild_id, until=until, over=True)


def unfinished(connection: Connection, shard: Shard) -> list[GapRow]:
    """Return the gaps of a shard and its servers that haven't been given back to all matches, oldest first.

    With them come those from before the number of shards changed, which may concern any shard.
    """
    found = _rows(connection, _gaps.c.until.is_not(None) & ~_gaps.c.over)
    return [
        row
        for row in found
        if (shard.carries(row.guild_id) if row.guild_id else row.shards != shard.of or row.shard == shard.id)
    ]


def concerns(gap: GapRow, guild_id: int) -> bool:
    """Whether a gap is one of this server."""
    return gap.guild_id == guild_id if gap.guild_id else Shard(gap.shards, gap.shard).carries(guild_id)


def next_matches(connection: Connection, gap: GapRow, limit: int) -> list[MatchId] | None:
    """Return the numbers of open matches that don't have a gap's time back yet, rising, and note that they have it now.

    Nobody else gets them. None are left if they are fewer than `limit`; ``None`` if the gap was over before.
    """
    wait_for_turn(connection, "gap", gap.id)
    now = next(iter(_rows(connection, _gaps.c.id == gap.id)), None)
    if now is None or now.over:
        return None
    here: ColumnElement[bool] = _matches.c.guild_id == gap.guild_id
    if gap.guild_id is None:
        here = _matches.c.guild_id.op(">>")(literal(SHARD_BITS, Integer)) % gap.shards == gap.shard
        here = here if gap.shard else or_(here, _matches.c.guild_id.is_(None))
    wanted = and_(_matches.c.ended_at.is_(None), _matches.c.id > now.given, here)
    found = select(_matches.c.id).where(wanted).order_by(_matches.c.id).limit(limit)
    numbers = [MatchId(number) for number in connection.execute(found).scalars()]
    done: dict[str, Any] = {"over": True} if len(numbers) < limit else {"given": numbers[-1]}
    connection.execute(update(_gaps).where(_gaps.c.id == gap.id).values(done))
    return numbers


def open_since(connection: Connection, guild_id: int, now: datetime) -> datetime:
    """Return since when nobody on a server can press, by the notes of now; `now` if people can."""
    rows = (row for row in _rows(connection, _OPEN) if row.guild_id or now - row.since > LOSSLESS)
    return min((row.since for row in rows if concerns(row, guild_id)), default=now)


def of_server(connection: Connection, guild_id: int, since: datetime) -> list[tuple[datetime, datetime]]:
    """Return when nobody on a server could press, since then: disjoint and in order."""
    found: list[tuple[datetime, datetime]] = []
    for row in _rows(connection, _gaps.c.until > since):
        assert row.until is not None
        if not concerns(row, guild_id):
            continue
        if found and row.since <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], row.until)
        else:
            found.append((row.since, row.until))
    return found


def _seen(connection: Connection, shard: Shard) -> datetime | None:
    """Return when a process last noted that people on a shard can press, ``None`` if none ever did.

    If there was another number of shards since, the oldest note of that number counts.
    """
    rows = _rows(connection, _OF_SHARD & _OPEN)
    own = next((row for row in rows if (row.shards, row.shard) == shard), None)
    others = [row for row in rows if row.shards != shard.of]
    if not others or (own is not None and own.since >= others[-1].since):
        return None if own is None else own.since
    return next(row.since for row in others if row.shards == others[-1].shards)


def _rows(connection: Connection, which: ColumnElement[bool]) -> list[GapRow]:
    return [GapRow(*row) for row in connection.execute(select(*_GAP).where(which).order_by(_gaps.c.since, _gaps.c.id))]


def _put(connection: Connection, shard: Shard, since: datetime, **more: Any) -> None:
    connection.execute(insert(_gaps).values(shards=shard.of, shard=shard.id, since=since, **more))


def _end(connection: Connection, rows: Collection[GapRow], until: datetime) -> None:
    connection.execute(update(_gaps).where(_gaps.c.id.in_([row.id for row in rows])).values(until=until))
