"""Stores the ratings that follow from results, within the caller's transaction."""

from __future__ import annotations

from typing import Final

from db import Connection
from db.model.rows import Ladder, ResultRow
from db.ratings import kept as ladders
from db.ratings.kept import RatingRow
from db.results import keyed
from db.results.keyed import RESULTS, StoredResult
from db.store.transactions import wait_for_turn
from matches.ratings import ladder
from matches.ratings.ladder import Computed
from matches.ratings.model import SCHEME
from matches.results.result import Result, day_of
from matches.table.events import MatchEnded
from matches.table.value import Table

FEW: Final = 500
"""At most this many results are computed here. More are computed in a worker process."""


def follow(connection: Connection, stored: StoredResult) -> None:
    """Update the ratings by a result that was just stored, unless they must be recomputed first."""
    of, number, row = stored
    if is_complete(connection, of, below=number):
        _carry_on(connection, of, of_row(number, row))


def rate(connection: Connection, _before: Table, table: Table) -> None:
    """Update the ratings by the result of a match that has just ended, if it has one."""
    if any(isinstance(event, MatchEnded) and event.entrants for event in table.events):
        stored = keyed.result_of(connection, table.match.id)
        if stored is not None:
            follow(connection, stored)


def of_row(number: int, row: ResultRow) -> Result:
    """The result that a row of the store holds."""
    return Result(number, day_of(row.ended_at), row.seats)


def rows_of(found: Computed) -> dict[str, RatingRow]:
    """Return ratings as the store holds them."""
    return {key: RatingRow(*rating) for key, rating in found.ratings.items()}


def is_complete(connection: Connection, of: Ladder, below: int | None = None) -> bool:
    """Whether a ladder's stored ratings include all results (`below` a number), and were computed by this version."""
    latest = keyed.latest_result(connection, of, below)
    return ladders.cache_state(connection, of) == (SCHEME, latest) or latest == 0


def left(connection: Connection, of: Ladder, latest: int) -> tuple[int, list[Result]]:
    """Return the number of results up to the `latest` computed one, and all later results."""
    rows = keyed.results_of(connection, of, latest)
    return keyed.count_results(connection, of, latest), [of_row(*row) for row in rows]


def replace(connection: Connection, of: Ladder, found: Computed, latest: int, count: int) -> bool:
    """Replace a ladder's stored ratings by those computed from its first `count` results, and add later results.

    Return False without a change if one of these results was deleted, or if too many came since.
    """
    wait_for_turn(connection, RESULTS, of.guild_id)
    still, later = left(connection, of, latest)
    if still != count or len(later) > FEW:
        return False
    ladders.clear_cache(connection, of)
    _keep(connection, of, found, latest)
    for one in later:
        _carry_on(connection, of, one)
    return True


def _carry_on(connection: Connection, of: Ladder, one: Result) -> None:
    """Update the stored ratings by one more result."""
    keys = [seat["key"] for seat in one.seats if "key" in seat]
    before, pairs = ladders.ratings_of(connection, of, keys), ladders.pairs_of(connection, of, keys)
    _keep(connection, of, ladder.after(of.game, before, pairs, one), one.number)


def _keep(connection: Connection, of: Ladder, found: Computed, latest: int) -> None:
    ladders.put_ratings(connection, of, rows_of(found))
    ladders.put_pairs(connection, of, found.pairs)
    ladders.put_points(connection, of, found.points)
    ladders.set_cache_state(connection, of, SCHEME, latest)
