"""A rating as people see it: its number, and its place on a leaderboard."""

from __future__ import annotations

from typing import NamedTuple

from db import Connection
from db.model.rows import Ladder
from db.ratings import kept as ladders
from db.ratings.kept import RatingRow
from matches.ratings.model import LISTED, SURE


class Rating(NamedTuple):
    """A rating as people see it.

    `uncertainty` is the standard deviation of the `number`, on the same scale. `provisional`: it is so large that the
    number has a question mark. `change` is the effect of the latest match on the number.
    """

    number: int
    uncertainty: int
    provisional: bool
    matches: int
    won: int
    change: int

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.provisional else ''}"


def shown(row: RatingRow) -> Rating:
    """A rating as people see it."""
    return Rating(round(row.mu), round(row.sigma), row.sigma > SURE, row.matches, row.won, moved(row.mu, row.gain))


def moved(mu: float, gain: float) -> int:
    """Return the change of the number that people see, if the mean has changed by `gain`."""
    return round(mu) - round(mu - gain)


def place_of(connection: Connection, of: Ladder, rating: Rating) -> int:
    """Return the place of this rating on its leaderboard. Equal numbers share a place."""
    return 1 + ladders.count_listed(connection, of, LISTED, rating.number + 0.5)
