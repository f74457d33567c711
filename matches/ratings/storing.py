"""Results and what follows from them, in the store, within the transaction of whoever asks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from db import Connection, ratings
from db.ids import MatchId
from db.rows import Ladder, ResultRow
from db.turns import wait_for_turn
from matches.match import Match
from matches.ratings import ladder
from matches.ratings.ladder import Computed
from matches.ratings.model import SCHEME
from matches.ratings.result import Entrant, written
from matches.table.events import Settled

_RESULTS: Final = "rated results"
"""Their numbers, and what follows from them, are written by one transaction after the other on each server."""


def add(connection: Connection, guild_id: int, match: Match, settled: Settled) -> None:
    """Keep the result of a match that is over, with what its server calls those who began it."""
    keys = ratings.entries(connection, match.id)
    entrants = [entrant._replace(key=keys.get(position)) for position, entrant in settled.entrants.items()]
    of = Ladder(guild_id, match.game, ratings.season_of(connection, guild_id), settled.practice)
    assert match.ended_at is not None
    put(connection, of, match.id, match.ended_at, entrants)


def put(connection: Connection, of: Ladder, match_id: MatchId, ended_at: datetime, entrants: Sequence[Entrant]) -> None:
    """Keep a result, and what it makes of the ratings, unless these have to be computed anew first."""
    wait_for_turn(connection, _RESULTS, of.guild_id)
    complete = is_complete(connection, of)
    number = ratings.add_result(connection, of, ResultRow(match_id, ended_at, tuple(map(written, entrants))))
    if complete:
        keys = [entrant.key for entrant in entrants if entrant.key is not None]
        before = ratings.ratings_of(connection, of, keys)
        _keep(connection, of, ladder.after(of.game, before, number, entrants), number)


def is_complete(connection: Connection, of: Ladder) -> bool:
    """Whether what is kept of a ladder is what this program makes of all its results."""
    latest = ratings.latest_result(connection, of)
    return ratings.computed(connection, of) == (SCHEME, latest) or latest == 0


def replace(connection: Connection, of: Ladder, found: Computed, latest: int) -> bool:
    """Keep what was computed of the results up to this one in the place of what was kept; whether there is no later."""
    wait_for_turn(connection, _RESULTS, of.guild_id)
    if ratings.latest_result(connection, of) != latest:
        return False
    ratings.forget_computed(connection, of)
    _keep(connection, of, found, latest)
    return True


def _keep(connection: Connection, of: Ladder, found: Computed, latest: int) -> None:
    ratings.put_ratings(connection, of, found.ratings)
    ratings.put_points(connection, of, found.points)
    ratings.note_computed(connection, of, SCHEME, latest)
