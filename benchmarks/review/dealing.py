"""Whether luck apart from play is luck: it favours nobody on average, and without it results vary less.

Each deal is played several times by experts. That tells how much of the results' variance the deals explain (the
intraclass correlation). Subtracting the luck must reduce the variance by nearly as much. The variance that the luck's
own errors add doesn't count. Each deal is also played by an expert in the first seat against random players: although
the results are one-sided, the luck must not be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import fsum
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.measure import Length
from benchmarks.players import RANDOM, Table, chooser, recorded
from benchmarks.review.figures import Figure
from benchmarks.review.parts import FILE, in_parts, numbered
from benchmarks.review.verdicts import TABLES
from matches.analysis.progress import Plan
from matches.computers.levels import Level
from matches.computers.paired import student
from matches.computers.thinking import judgement_of

OF_EXPLAINED: Final = 0.9
"""Subtracting the luck must reduce the variance by at least this share of what the deals explain."""

EXPLAINING: Final = 0.10
"""If the deals explain less than this share of the variance, `OF_EXPLAINED` isn't demanded."""

ERRORS: Final = 3.0
"""The most standard errors that the mean luck may be away from 0."""

DEALS: Final[Mapping[str, int]] = {"abissal": 60, "ambagibus": 200}
"""How many deals are played at each table of a game. In Ambagibus they take a tenth of the time."""

MINUTES: Final = 2.5
"""For how many minutes a quick run begins new deals."""

_DRAWS: Final = 1000
"""How often the deals are resampled for an interval (the bootstrap)."""


class Deal(NamedTuple):
    """A deal to play `times` times. Players do the part `skill` of their work, and a review the part `effort`."""

    table: Table
    number: int
    times: int
    skill: float
    effort: float


class Met(NamedTuple):
    """What was found of the first seat in a deal: in each match of experts `result`, `luck` and the luck's variance.

    `one_sided` is its luck against random players.
    """

    matches: tuple[tuple[float, float, float], ...]
    one_sided: float

    @classmethod
    def read(cls, found: Sequence[Any]) -> Met:
        """Make one of what JSON has left of it."""
        matches, one_sided = found
        return cls(tuple((result, luck, variance) for result, luck, variance in matches), one_sided)


def figures(length: Length, games: Collection[str]) -> Iterator[Figure]:
    """Measure, and yield the figures of each table. A quick run plays as many more deals as fit into its time."""
    most, times, skill, effort, minutes = length.of(
        (DEALS, 3, 0.01, 0.1, None), (DEALS, 3, 0.01, 0.1, MINUTES), (dict.fromkeys(DEALS, 2), 2, 0.001, 0.002, None)
    )
    tables = [each for each in TABLES if each.game in games and judgement_of(each.game).has_luck]
    tables = tables[: length.of(None, None, 1)]
    tasks = [Deal(table, number, times, skill, effort) for table, number in numbered(most, tables)]
    found: dict[Table, list[Met]] = {table: [] for table in tables}
    file = None if length is Length.TINY else FILE
    for task, result in in_parts(met, tasks, minutes, Met.read, file):
        found[task.table].append(result)
    for table, deals in found.items():
        yield from rows(table, deals) if deals else ()


def rows(table: Table, deals: Sequence[Met]) -> Iterator[Figure]:
    """The figures of a table."""
    mean, error = _mean([each.one_sided for each in deals])
    # With few deals, more standard errors are needed to be as sure as `ERRORS` make it with many.
    errors = student(NormalDist().cdf(ERRORS), max(1, len(deals) - 1))
    low, high = mean - errors * error, mean + errors * error
    what = "mean luck of an expert against random players (99.7 % interval)"
    yield Figure(table, what, len(deals), f"{mean:+.2f}", f"{low:+.2f} to {high:+.2f}", "0", low <= 0 <= high)
    matches = [[match[:2] for match in each.matches] for each in deals]
    noise = fmean(match[2] for each in deals for match in each.matches)
    by_deals, by_luck = explained(matches, noise)
    rng, ratios = Random(f"{table}"), list[float]()
    for _ in range(_DRAWS if len(matches) > 2 else 0):
        some = explained(rng.choices(matches, k=len(matches)), noise)
        if some[0] > 0:
            ratios.append(some[1] / some[0])
    ratios.sort()
    low, high = (ratios[round(at * (len(ratios) - 1))] for at in (0.025, 0.975)) if ratios else (0.0, 1.0)
    what = f"of the {by_deals:.2f} of the results that deals explain, luck takes off"
    needed = by_deals >= EXPLAINING
    count = sum(map(len, matches))
    told = f"{by_luck / by_deals:.0%}" if by_deals > 0 else f"{by_luck:.2f} in all"
    floor = f"{OF_EXPLAINED:.0%}" if needed else ""
    yield Figure(table, what, count, told, f"{low:.0%} to {high:.0%}", floor, not needed or high >= OF_EXPLAINED)


def explained(deals: Sequence[Sequence[tuple[float, float]]], noise: float) -> tuple[float, float]:
    """The share of the results' variance that the deals explain, and the share that subtracting the luck takes off.

    `deals` have a result and a luck for each match. `noise` is the mean variance of the luck's own errors.
    """
    results = [[result for result, _ in deal] for deal in deals]
    times = len(results[0])
    between = times * _variance([*map(fmean, results)]) if len(results) > 1 else 0.0
    within = fmean(map(_variance, results))
    total = between + (times - 1) * within
    left = _variance([result - luck for deal in deals for result, luck in deal]) - noise
    whole = _variance([result for deal in results for result in deal])
    if not total or not whole:
        return 0.0, 0.0
    return (between - within) / total, 1 - left / whole


def met(deal: Deal) -> Met:
    """Play a deal."""
    matches = tuple(_told(deal, str(each), Level.EXPERT) for each in range(deal.times))
    return Met(matches, _told(deal, RANDOM, RANDOM)[1])


def _told(deal: Deal, name: str, others: str) -> tuple[float, float, float]:
    """Play a deal with an expert in the first seat. Returns its result, its luck and the luck's variance."""
    table = deal.table
    chance, rng = Random(f"{table} {deal.number}"), Random(f"{table} {deal.number} {name}")
    players = [chooser(others if seat else Level.EXPERT, deal.skill, rng) for seat in range(table.players)]
    plan = Plan(*recorded(table, players, chance), frozenset(), deal.effort)
    results: dict[str, Any] = {}
    # Only the steps of luck are done: the story of the match doesn't matter here.
    for step in plan.lucks:
        results[step.key] = plan.do(step)
    found = plan.luck(results)
    assert found is not None, "it was played out"
    share = found.shares[0]
    return share.result, share.luck.value, share.luck.error**2


def _variance(values: Sequence[float]) -> float:
    """The variance of a sample. That of `statistics` computes in fractions, and takes five times as long."""
    mean = fmean(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _mean(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("inf")
