"""The listeners to the end of a match: each writes what follows from it, in the transaction that ends the match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.rows import Ladder, ResultRow
from db.results import keyed, tallies
from matches.results import reliability
from matches.results.result import written
from matches.table.events import MatchEnded
from matches.table.value import Table

Listener: TypeAlias = Callable[[Connection, Table, MatchEnded], None]
"""Gets the table as the match ended, already stored. Its status is OVER, or CANCELLED for a lobby that was closed.

If a listener raises, the match has not ended: the transaction is rolled back.
"""


def _end_seats(connection: Connection, table: Table, _end: MatchEnded) -> None:
    assert table.match.ended_at is not None
    queries.end_seats(connection, table.match.id, table.match.ended_at)


def _note_answers(connection: Connection, table: Table, _end: MatchEnded) -> None:
    if table.match.status is Status.OVER:
        since = table.details.started_at or table.details.created_at
        reliability.note_answers(connection, table.match, since)


def _add_to_statistics(connection: Connection, table: Table, _end: MatchEnded) -> None:
    if table.details.counts:
        tallies.add(connection, table.match.id)


def _note_result(connection: Connection, table: Table, end: MatchEnded) -> None:
    """Store the result of a finished match if it changes ratings, with the rating keys of those who began it."""
    match = table.match
    if not end.entrants or match.guild_id is None:
        return
    keys = keyed.keys_of_match(connection, match.id)
    entrants = [written(entrant._replace(key=keys.get(position))) for position, entrant in end.entrants.items()]
    of = Ladder(match.guild_id, match.game, keyed.seasons(connection, match.guild_id)[-1].number, end.practice)
    assert match.ended_at is not None
    keyed.add_result(connection, of, ResultRow(match.id, match.ended_at, tuple(entrants)))


ON_END: Final[tuple[Listener, ...]] = (_end_seats, _note_answers, _add_to_statistics, _note_result)
"""All listeners, in the order in which they are called. What a new one reads, an earlier one may have written."""


def tell(connection: Connection, table: Table, end: MatchEnded) -> None:
    """Call every listener."""
    for listener in ON_END:
        listener(connection, table, end)
