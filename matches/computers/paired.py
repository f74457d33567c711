"""Compares given actions in given worlds by paired runs: each run has the same world, chance and seed for all of them.

Chance and hidden cards then favour no action, and far fewer runs are enough to tell two actions apart.

Games that race (`matches.computers.race`) are sampled: a run is one world played on. In the others a run is a tree for
each action, grown in a few worlds. A tree's own mean overstates the difference, because most of its visits go to what
looked good by luck. So each action has as many visits as the others, and only the second half of them counts, when the
tree has found the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, sqrt
from random import Random
from statistics import NormalDist, fmean, variance
from typing import Any, Final, NamedTuple

from matches.computers.judgement import SEED_BITS, Judgement, Worth
from matches.computers.race import SAMPLES_WEIGHT
from matches.computers.search import Node, visit
from matches.engine.workers import go_on

SURE: Final = 0.95
"""How sure the lower bound of a loss is."""

_SEEDS: Final = 1 << SEED_BITS


class Mean(NamedTuple):
    """A mean with its standard error and its degrees of freedom."""

    mean: float
    error: float
    freedom: int

    @property
    def low(self) -> float:
        """The one-sided lower bound, by Student's t distribution."""
        return self.mean - student(SURE, self.freedom) * self.error

    @property
    def high(self) -> float:
        """The one-sided upper bound."""
        return self.mean + student(SURE, self.freedom) * self.error


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of independent values."""
    if len(values) < 2:
        return Mean(fmean(values), float("inf"), 1)
    return Mean(fmean(values), sqrt(variance(values) / len(values)), len(values) - 1)


def student(sure: float, freedom: int) -> float:
    """Return this quantile of Student's t distribution, by its expansion around the normal one.

    With five degrees of freedom or more it is right to one part in a hundred.
    """
    z = NormalDist().inv_cdf(sure)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / freedom + second / freedom**2


class Runs(NamedTuple):
    """Runs of some actions: in `worths` a row for each run, and in that a worth for each action.

    `searched` are rows, too: the values of best play in worlds that count by `weights`. A sampled mean counts as
    `SAMPLES_WEIGHT` of them. `are_all`: these are all possible worlds, searched to the end, so their mean has no error.
    `kept` is how many independent worlds the runs were drawn from: what few worlds have in common adds to the error.
    """

    actions: tuple[Any, ...]
    worths: list[tuple[Worth, ...]]
    searched: list[tuple[float, ...]]
    weights: list[float]
    are_all: bool = False
    kept: float = inf

    def value(self, action: Any) -> Mean:
        """Return the mean value of an action."""
        place = self.actions.index(action)
        return self._combined([row[place].value for row in self.worths], [row[place] for row in self.searched])

    def lead(self, action: Any) -> Mean:
        """Return the mean lead of an action."""
        place = self.actions.index(action)
        return self._mean([row[place].lead for row in self.worths])

    def loss(self, played: Any, better: Any) -> Mean:
        """Return how much more `better` is worth than `played`."""
        one, other = self.actions.index(better), self.actions.index(played)
        sampled = [row[one].value - row[other].value for row in self.worths]
        return self._combined(sampled, [row[one] - row[other] for row in self.searched])

    def lead_lost(self, played: Any, better: Any) -> Mean:
        """Return how much more lead `better` brings than `played`."""
        one, other = self.actions.index(better), self.actions.index(played)
        return self._mean([row[one].lead - row[other].lead for row in self.worths])

    def holds(self, played: Any, better: Any) -> float:
        """Return the share of the runs in which `better` was at least as good as `played`."""
        one, other = self.actions.index(better), self.actions.index(played)
        return fmean(row[one].value >= row[other].value for row in self.worths)

    def _mean(self, values: Sequence[float]) -> Mean:
        found = mean_of(values)
        return found._replace(error=found.error * sqrt(1 + len(values) / self.kept))

    def _combined(self, sampled: Sequence[float], searched: Sequence[float]) -> Mean:
        found = self._mean(sampled)
        if len(searched) < 2:
            return found
        weight = sum(self.weights)
        total = SAMPLES_WEIGHT + weight
        settled = sum(each * value for each, value in zip(self.weights, searched, strict=True)) / weight
        spread = sum((each * (value - settled)) ** 2 for each, value in zip(self.weights, searched, strict=True))
        spread *= len(searched) / (len(searched) - 1)
        mean = (SAMPLES_WEIGHT * found.mean + weight * settled) / total
        if self.are_all:
            return Mean(mean, SAMPLES_WEIGHT * found.error / total, found.freedom)
        error = sqrt((SAMPLES_WEIGHT * found.error) ** 2 + spread) / total
        return Mean(mean, error, min(found.freedom, len(searched) - 1))


def sampled(judgement: Judgement[Any], actions: Sequence[Any], worlds: Iterable[Any], rng: Random) -> Runs:
    """Return a run for each of these worlds: it is played on after every action. Raises Stopped."""
    rows = []
    for world in worlds:
        go_on()
        seed = rng.randrange(_SEEDS)
        rows.append(tuple(judgement.gauge(world, action, Random(seed)) for action in actions))
    searched, weights = [], []
    for weight, values in judgement.ends(actions, rng):
        go_on()
        searched.append(tuple(values))
        weights.append(weight)
    return Runs(tuple(actions), rows, searched, weights, judgement.ends_are_all(), judgement.kept())


def grown(judgement: Judgement[Any], actions: Sequence[Any], worlds: Iterable[Sequence[Any]], rng: Random) -> Runs:
    """Return a run for each of these sequences of worlds: every action's tree grows in all of them. Raises Stopped."""
    return Runs(tuple(actions), [_grown(judgement, actions, each, rng) for each in worlds], [], [])


def _grown(judgement: Judgement[Any], actions: Sequence[Any], worlds: Sequence[Any], rng: Random) -> tuple[Worth, ...]:
    """Return the worths of the actions in one run."""
    player, roots = judgement.player, [Node(0.0, 1.0) for _ in actions]
    values, leads = [0.0] * len(actions), [0.0] * len(actions)
    counted = 0
    for number, world in enumerate(worlds):
        go_on()
        counts = number >= len(worlds) // 2
        counted += counts
        seed = rng.randrange(_SEEDS)
        for place, action in enumerate(actions):
            end, value = visit(judgement, roots[place], (action,), world, Random(seed))
            if counts:
                values[place] += value[player]
                leads[place] += judgement.leads(end)[player]
    return tuple(Worth(value / counted, lead / counted) for value, lead in zip(values, leads, strict=True))


def compared(judgement: Judgement[Any], actions: Sequence[Any], runs: int, visits: int, rng: Random) -> Runs:
    """Return this many runs of these actions, in worlds that the judgement draws. Raises Stopped.

    A run of a game that doesn't race has this number of visits for each action.
    """
    if judgement.races:
        return sampled(judgement, actions, (judgement.world(rng) for _ in range(runs)), rng)
    return grown(judgement, actions, ([judgement.world(rng) for _ in range(visits)] for _ in range(runs)), rng)
