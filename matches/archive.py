"""Finished matches: which there were, and how people did in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from db import matches as queries
from db import results
from db.results import TallyRow
from matches import stored
from matches.desk import Desk
from matches.records import Match, Status


class Tally(NamedTuple):
    """How somebody did in one game with so many players; of a server: with whom (the names) the bests are.

    `played` are matches, `won` those that were won, of a server by who won most; `best` is the highest score.
    """

    game: str
    players: int
    played: int
    won: int
    best: int
    winner: str = ""
    scorer: str = ""


class Archive(Desk):
    """The part of the host that looks back. Matches ended by a vote, or with a seat left for good, do not count."""

    async def finished_in(self, guild_id: int, limit: int = 25) -> tuple[Match, ...]:
        """The finished matches of a server, the latest first."""
        async with self._reading() as connection:
            found = await queries.ended_in_guild(connection, guild_id, Status.OVER, limit)
            return await stored.read_all(connection, found)

    async def tally_of(self, user_id: int) -> tuple[Tally, ...]:
        """What this person has played, by game and number of players."""
        async with self._reading() as connection:
            rows = await results.of_person(connection, user_id)
        return tuple(Tally(row.game, row.players, row.played, row.won, row.best) for row in rows)

    async def tally_in(self, guild_id: int) -> tuple[Tally, ...]:
        """What was played on a server, by game and number of players."""
        async with self._reading() as connection:
            rows = await results.of_guild(connection, guild_id)
            played = await results.matches_of_guild(connection, guild_id)
        return tuple(
            _together(game, players, played[game, players], list(group))
            for (game, players), group in groupby(rows, key=lambda row: (row.game, row.players))
        )


def _together(game: str, players: int, played: int, rows: Sequence[TallyRow]) -> Tally:
    """The rows of all people of one game and number of players as one."""
    winner = max(rows, key=lambda row: row.won)
    scorer = max(rows, key=lambda row: row.best)
    return Tally(game, players, played, winner.won, scorer.best, winner.name, scorer.name)
