"""What one result makes of the ratings of those who played: one of openskill's models, with constants of our own.

A rating is a normal distribution: its mean `mu` is the number that people see, its deviation `sigma` how far it may be
off. The scale is Elo's: 400 points are odds of ten to one between two who are known well. Model and constants were
chosen by ``python -m benchmarks ratings`` (``docs/ratings.md``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from threading import local
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

SCHEME: Final = 6
"""Raised with every change by which the same results have other ratings, the computers' among them."""

MU: Final = 1500.0
BETA: Final = 400 / log(10) / sqrt(2)
SIGMA: Final = 0.9 * BETA
TAU: Final = 0.02 * BETA
SURE: Final = 95.0
"""Above this deviation a number has a question mark: for some fifteen matches of two, and twice as many of five."""

LISTED: Final = 5
"""Matches that somebody has to have played to be listed."""

DIGITS: Final = 6
"""After every result a rating is rounded to so many decimals, so that no other machine's last bit is carried on."""

MODEL: Final = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)


class Level(NamedTuple):
    """How good somebody is taken to be."""

    mu: float = MU
    sigma: float = SIGMA


NEW: Final = Level()


def rated(before: Sequence[Level], places: Sequence[int]) -> list[Level]:
    """What the places that these players have got make of how good they are taken to be."""
    after = MODEL.rate(_Teams(before), ranks=list(map(float, places)))
    return [Level(round(each.mu, DIGITS), round(each.sigma, DIGITS)) for (each,) in after]


class _Teams(list[list[PlackettLuceRating]]):
    """Teams of one, made of players that are reused, also where openskill copies them.

    To draw an id for each new player takes longer than to rate them.
    """

    def __init__(self, levels: Sequence[Level]) -> None:
        super().__init__(_set(_players.__dict__.setdefault("given", []), levels))
        self._levels = levels

    def __deepcopy__(self, _: object) -> list[list[PlackettLuceRating]]:
        return _set(_players.__dict__.setdefault("copied", []), self._levels)


def _set(kept: list[list[PlackettLuceRating]], levels: Sequence[Level]) -> list[list[PlackettLuceRating]]:
    """The first of these teams, set to these levels."""
    while len(kept) < len(levels):
        kept.append([MODEL.rating()])
    teams = kept[: len(levels)]
    for (player,), (mu, sigma) in zip(teams, levels, strict=True):
        player.mu, player.sigma = mu, sigma
    return teams


_players: Final = local()
"""Every thread has its own."""


COMPUTER_SIGMA: Final = 0.2 * BETA

COMPUTERS: Final[Mapping[str, Mapping[str, float]]] = {
    "ambagibus": {"easy": 1480.0, "normal": 1490.0, "expert": 1530.0},
    "ambush": {"easy": 1080.0, "normal": 1380.0, "hard": 1700.0, "expert": 1840.0},
    "gambo": {"easy": 1180.0, "normal": 1460.0, "hard": 1570.0, "expert": 1790.0},
    "saboteur": {"easy": 1480.0, "normal": 1510.0, "expert": 1510.0},
    "abissal": {"easy": 1300.0, "normal": 1440.0, "hard": 1605.0, "expert": 1770.0},
}
"""How good the levels are in each game, on this scale: fixed, as the benchmark has measured them."""

_ANYWHERE: Final = {"easy": 1200.0, "normal": 1500.0, "hard": 1650.0, "expert": 1700.0}
"""In a game that was never measured."""


def computer(game: str, level: str) -> Level:
    """How good a computer of this level is, which no result changes."""
    return Level(COMPUTERS.get(game, _ANYWHERE).get(level, MU), COMPUTER_SIGMA)
