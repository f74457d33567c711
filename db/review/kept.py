"""Reviews of finished matches: what each seat could have done better.

`matches/review/reviewing.py` uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple

from sqlalchemy import Connection, Index, delete, func, literal, select, tuple_, update

from db.model import schema
from db.model.columns import ColumnOptions, Instant, columns_of, make_row, table
from db.model.ids import MatchId, UserId
from db.model.kept import Kept
from db.model.rows import Leased, OfMatch, PersonId
from db.model.upserts import put_row
from db.store.leases import RELEASED, Lease, lease_times, unleased


class ReviewRow(NamedTuple):
    """A review of a finished match, as far as it has come.

    `version`: the version of judging (`matches.analysis.progress.VERSIONS`). `results`: what the steps so far have
    found, by step; they name seats, not people. `user_id`: who waits for it, ``None`` once it is finished or if they
    were forgotten. `turn`: its round in the queue, in which each server has one review.
    """

    version: Annotated[int, ColumnOptions(no_server_default=True)]
    results: Annotated[Mapping[str, Any], ColumnOptions(no_server_default=True)]
    user_id: PersonId | None
    asked_at: datetime
    finished_at: datetime | None = None
    turn: int = 0


LAST: Final = 10**6
"""The round of reviews for which nobody waits any more."""

_matches = schema.matches
_reviews: Final = table(
    schema.metadata,
    "reviews",
    (OfMatch, ReviewRow, Leased),
    ("match_id",),
    Index(None, "user_id", **schema.where("user_id IS NOT NULL")),
    Index(None, "turn", "asked_at", **schema.where("finished_at IS NULL")),
)
_QUEUE: Final = (_reviews.c.turn, _reviews.c.asked_at, _reviews.c.match_id)


def get(connection: Connection, match_id: MatchId, *, lock: bool = False) -> ReviewRow | None:
    """Return the review of a match, if there is one; `lock` keeps others from changing it."""
    statement = select(*columns_of(_reviews, ReviewRow)).where(_reviews.c.match_id == match_id)
    row = connection.execute(statement.with_for_update() if lock else statement).one_or_none()
    return None if row is None else make_row(ReviewRow, row)


def begin(connection: Connection, match_id: MatchId, row: ReviewRow) -> None:
    """Store a new review, in place of an older one of the match."""
    put_row(connection, _reviews, {"match_id": match_id, **row._asdict(), **RELEASED})


def awaited_by(connection: Connection, user_id: UserId) -> MatchId | None:
    """Return the match whose review this person waits for, if any."""
    statement = select(_reviews.c.match_id).where(_reviews.c.user_id == user_id)
    return connection.execute(statement.order_by(_reviews.c.asked_at).limit(1)).scalar_one_or_none()


def next_turn(connection: Connection, match_id: MatchId) -> int:
    """Return the round in which a new review has its turn: the present one, or that after the last of its server.

    This is start-time fair queueing, as in `matches.engine.fair_queue`. A person waits for one review at a time, so
    people of a server take turns by that. Private tables count as one server.
    """
    servers = select(func.coalesce(_matches.c.guild_id, 0))
    # A join would let the store begin with all matches.
    own = servers.where(_matches.c.id == _reviews.c.match_id).correlate(_reviews).scalar_subquery()
    of_server = own == servers.where(_matches.c.id == match_id).scalar_subquery()
    rounds = select(func.min(_reviews.c.turn), func.max(_reviews.c.turn).filter(of_server))
    waiting = _reviews.c.finished_at.is_(None) & _reviews.c.user_id.is_not(None)
    now, last = connection.execute(rounds.where(waiting)).one()
    return max(now or 0, 0 if last is None else last + 1)


def ahead(connection: Connection, row: ReviewRow, match_id: MatchId) -> int:
    """Return how many unfinished reviews come before this one."""
    earlier = tuple_(*_QUEUE) < tuple_(literal(row.turn), literal(row.asked_at, Instant), literal(match_id))
    statement = select(func.count()).select_from(_reviews).where(_reviews.c.finished_at.is_(None), earlier)
    return connection.execute(statement).scalar_one()


def unfinished(connection: Connection, now: datetime, name: str, at_most: int) -> list[MatchId]:
    """Return unfinished reviews in order, without those that another process works on."""
    free = unleased(_reviews) | (_reviews.c.leased_by == name)
    statement = select(_reviews.c.match_id).where(_reviews.c.finished_at.is_(None), free)
    ordered = statement.order_by(*_QUEUE).limit(at_most)
    return [MatchId(number) for number in connection.execute(ordered, lease_times(now)).scalars()]


def lease(connection: Connection, match_id: MatchId, own: Lease, now: datetime) -> ReviewRow | None:
    """Lease an unfinished review, and return it; ``None`` if it is finished or another process works on it."""
    free = unleased(_reviews) | (_reviews.c.leased_by == own.name)
    wanted = (_reviews.c.match_id == match_id) & _reviews.c.finished_at.is_(None)
    changed = update(_reviews).where(wanted, free).values(leased_by=own.name, leased_until=own.until)
    done = connection.execute(changed, lease_times(now))
    return get(connection, match_id) if done.rowcount else None


def grow(connection: Connection, match_id: MatchId, results: Mapping[str, Any]) -> None:
    """Store what the steps so far have found."""
    connection.execute(update(_reviews).where(_reviews.c.match_id == match_id).values(results=results))


def finish(connection: Connection, match_id: MatchId, results: Mapping[str, Any], now: datetime) -> None:
    """Store the whole review. Nobody waits for it any more."""
    values = {"results": results, "finished_at": now, "user_id": None, **RELEASED}
    connection.execute(update(_reviews).where(_reviews.c.match_id == match_id).values(values))


def remove(connection: Connection, match_id: MatchId) -> None:
    """Delete the review of a match."""
    connection.execute(delete(_reviews).where(_reviews.c.match_id == match_id))


def forget(connection: Connection, user_id: UserId) -> None:
    """Let nobody wait for the review that a person waits for. It comes after all others."""
    connection.execute(update(_reviews).where(_reviews.c.user_id == user_id).values(user_id=None, turn=LAST))


KEPT: Final = Kept("review", _reviews, forget=forget, with_lines=True)
