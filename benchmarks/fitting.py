"""Fits the weights of `chances` in Ambagibus, by which samples are judged before the end of a match.

Experts with little effort play each other, and take any action now and then. Each decision is a row: the difference
between both seats' `assets`, and whether the mover won. A logistic regression of four fifths of the matches gives the
weights. Their log loss in the last fifth is printed beside that of the program's weights. Nothing is written: better
weights are put into ``matches/computers/judgements/ambagibus/odds.py`` by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import exp, log
from operator import mul, sub
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from benchmarks.measure import Length, peer
from benchmarks.players import Chooser, Table, chooser, left_behind, positions
from benchmarks.sequential import workers
from games.ambagibus import AmbagibusState
from games.ambagibus.components import ADVANCED, BASIC
from games.ambagibus.simulation import Simulation
from games.core import State
from matches.computers.judgements.ambagibus.odds import assets, chances
from matches.computers.levels import Level

EFFORT: Final = 0.01
"""The part of an expert's work: some 50 samples for a decision, in the advanced game 12 and best play in 3 worlds."""
ANY: Final = 0.1
"""How often any action is taken instead."""
TRAINED: Final = 0.8
"""The part of the matches that the weights are fitted to."""
RIDGE: Final = 1e-4
"""The penalty of the squares of the weights of standardized numbers."""
SURE: Final = 1e-9
"""The log loss counts chances as at least this far from 0 and 1."""
STEPS: Final = 12
"""Newton steps. The last ones change nothing that is printed."""


class Row(NamedTuple):
    """A decision: the mover's assets less those of the other seat, their `chances`, and their score at the end."""

    assets: Sequence[float]
    chance: float
    score: float


def run(length: Length) -> bool:
    """Play, fit and print the weights of both variants. A tiny run only plays. Raises PeerMissing."""
    numpy = None if length is Length.TINY else peer("numpy", "numpy")
    matches = length.of(1_000, 200, 5)
    with workers() as pool:
        for variant in (BASIC, ADVANCED):
            table = Table("ambagibus", 2, variant)
            played = list(pool.map(rows, [table] * matches, range(matches)))
            kept = round(TRAINED * matches)
            train, test = list(chain(*played[:kept])), list(chain(*played[kept:]))
            print(f"{table}: log loss {log_loss([row.chance for row in test], test):.4f} by the program's weights")
            if numpy is not None:
                weights = fitted(numpy, train)
                found = [1 / (1 + exp(-sum(map(mul, weights, row.assets)))) for row in test]
                print(f"{table}: log loss {log_loss(found, test):.4f} by these weights")
                print(", ".join(f"{weight:.3f}" for weight in weights), flush=True)
    return True


def rows(table: Table, deal: int) -> list[Row]:
    """Play a match. Returns its decisions with a choice."""
    rng = Random(f"{table} {deal} fitting")
    expert = chooser(Level.EXPERT, EFFORT, rng)
    met = list[tuple[int, Simulation]]()

    def choose(state: State[Any], player: int) -> Chooser:
        assert isinstance(state, AmbagibusState)
        met.append((player, Simulation(state)))
        return chooser("random", 1.0, rng) if rng.random() < ANY else expert

    *_, end = positions(table, deal, choose)
    found = []
    for player, match in met:
        own, other = assets(match) if player == 0 else reversed(assets(match))
        found.append(Row(list(map(sub, own, other)), chances(match)[player], left_behind(end, player)))
    return found


def fitted(numpy: Any, found: Sequence[Row]) -> Sequence[float]:
    """Return the weights of a logistic regression, by Newton's method."""
    numbers = numpy.array([row.assets for row in found])
    scores = numpy.array([row.score for row in found])
    spread = numbers.std(axis=0)
    spread[spread == 0] = 1.0
    scaled, penalty = numbers / spread, RIDGE * len(found) * numpy.eye(numbers.shape[1])
    weights = numpy.zeros(numbers.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + numpy.exp(-scaled @ weights))
        slope = scaled.T @ (scores - likely) - penalty @ weights
        curve = (scaled * (likely * (1 - likely))[:, None]).T @ scaled + penalty
        weights = weights + numpy.linalg.solve(curve, slope)
    return list(map(float, weights / spread))


def log_loss(likely: Sequence[float], found: Sequence[Row]) -> float:
    """Return the mean log loss of these chances where the scores are 0, a half or 1."""
    sure = (min(max(chance, SURE), 1 - SURE) for chance in likely)
    return -fmean(
        row.score * log(chance) + (1 - row.score) * log(1 - chance) for chance, row in zip(sure, found, strict=True)
    )
