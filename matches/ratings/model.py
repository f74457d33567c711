"""Rate one result by a model of openskill, with our own constants.

A rating is a normal distribution. People see its mean `mu`. Its standard deviation `sigma` is the uncertainty. The
scale is Elo's: between two well-known players, 400 points are odds of ten to one. We chose the model and the constants
by ``python -m benchmarks ratings`` (``docs/ratings.md``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from threading import local
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from matches.results.result import AVERAGE

SCHEME: Final = 9
"""Version of the ratings. It rises when the same results would get other ratings, also those of computers."""

MU: Final = AVERAGE
BETA: Final = 400 / log(10) / sqrt(2)
SIGMA: Final = 0.9 * BETA
TAU: Final = 0.02 * BETA
SURE: Final = 95.0
"""A rating with a greater deviation has a question mark: the first 15 matches or so for two, the first 30 for five."""

LISTED: Final = 5
"""A leaderboard lists people with at least this many matches."""

DIGITS: Final = 6
"""Decimals to which ratings are rounded after each result, so that all machines compute the same ratings."""

MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


class Level(NamedTuple):
    """An estimate of skill: its mean and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA


NEW: Final = Level()


def rated(before: Sequence[tuple[float, float]], places: Sequence[int]) -> list[Level]:
    """Return the new ratings of players with these places. Equal places are a draw."""
    teams = _kept.of(len(before))
    for (player,), level in zip(teams, before, strict=True):
        player.mu, player.sigma = level
    after = MODEL.rate(teams, ranks=list(map(float, places)))
    return [Level(round(each.mu, DIGITS), round(each.sigma, DIGITS)) for (each,) in after]


class _Teams(list[list[PlackettLuceRating]]):
    """Teams of one player each, which are reused.

    openskill draws an id for each new player and copies all teams, which takes longer than rating them. It copies them
    because it changes the players. Nobody needs their old ratings here.
    """

    def __deepcopy__(self, _: object) -> _Teams:
        return self


class _Kept(local):
    """Reusable teams by how many there are, separate for each thread. Their players keep ratings from the last use."""

    def __init__(self) -> None:
        self.teams: dict[int, _Teams] = {}

    def of(self, count: int) -> _Teams:
        """Return this thread's `count` teams."""
        teams = self.teams.get(count)
        if teams is None:
            teams = self.teams[count] = _Teams([MODEL.rating()] for _ in range(count))
        return teams


_kept: Final = _Kept()


COMPUTER_SIGMA: Final = 0.2 * BETA

COMPUTERS: Final[Mapping[str, Mapping[str, float]]] = {
    "ambagibus": {"easy": 1370.0, "normal": 1530.0, "expert": 1600.0},
    "ambush": {"easy": 1080.0, "normal": 1380.0, "hard": 1700.0, "expert": 1840.0},
    "gambo": {"easy": 1180.0, "normal": 1460.0, "hard": 1570.0, "expert": 1790.0},
    "saboteur": {"easy": 1500.0, "normal": 1500.0, "expert": 1500.0},
    "abissal": {"easy": 1210.0, "normal": 1540.0, "hard": 1645.0, "expert": 1750.0},
}
"""Ratings of the computers' levels in each game. They are constants, measured by the benchmark."""

FORMER: Final[Mapping[tuple[str, int], Mapping[str, float]]] = {
    ("saboteur", 0): {"easy": 1480.0, "normal": 1510.0, "expert": 1510.0},
}
"""The same by game and edition, for results of levels that are other players today (`Judgement.edition`)."""

_ANYWHERE: Final = {"easy": 1200.0, "normal": 1500.0, "hard": 1650.0, "expert": 1700.0}
"""Ratings of the levels in a game without measurements."""


def computer(game: str, level: str, edition: int) -> Level:
    """Return the constant rating that a computer of this level had in this edition of the levels."""
    levels = FORMER.get((game, edition)) or COMPUTERS.get(game, _ANYWHERE)
    return Level(levels.get(level, MU), COMPUTER_SIGMA)
