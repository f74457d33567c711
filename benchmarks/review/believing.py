"""Whether what a review of Saboteur says of suspicions is true: how likely each player was a saboteur, turn by turn.

Normal computers play rounds. After each turn, what a spectator could believe of each player is compared with their
role. The Brier score is the mean square of the difference. It must be smaller than that of somebody who knows only how
many role cards there are. The probabilities are also put into ten bins. In a calibrated bin, the share of saboteurs
differs from the mean probability by at most `NEAR`, or by at most two standard errors. The players of a round aren't
independent, nor are its turns, so the errors are made from whole rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.measure import Length
from benchmarks.players import Table, chooser, recorded
from benchmarks.review.figures import Figure
from benchmarks.sequential import in_time
from games.saboteur.components import ROLES, SABOTEUR
from matches.analysis.rounds import RoundsPlan, RoundStory, plan_of
from matches.computers.levels import Level

TABLES: Final = (Table("saboteur", 4), Table("saboteur", 7))

NEAR: Final = 0.05
"""A bin is calibrated if its mean probability is this near to the share of saboteurs."""

BINS: Final = 10

MINUTES: Final = 2.5
"""For how many minutes a quick run begins new matches."""

_SKILL: Final = 0.5
"""The part of their work that the computers do."""

_Z: Final = 1.96


class Trial(NamedTuple):
    """A match at a table."""

    table: Table
    number: int
    effort: float


class Believed(NamedTuple):
    """What was believed of the players in a round: pairs of a probability and whether it was true."""

    pairs: tuple[tuple[float, bool], ...]

    def brier(self, base: float | None = None) -> float:
        """The Brier score, or that of somebody who always says `base`."""
        return fmean(((chance if base is None else base) - true) ** 2 for chance, true in self.pairs)


class Bin(NamedTuple):
    """A bin: the mean probability, the share of saboteurs, and the standard error of their difference."""

    mean: float
    share: float
    error: float

    @property
    def calibrated(self) -> bool:
        """Whether the two agree."""
        return abs(self.mean - self.share) <= max(NEAR, 2 * self.error)


def figures(length: Length, games: Collection[str]) -> Iterator[Figure]:
    """The figures of both tables. A quick run plays as many rounds as fit into its time."""
    matches, effort, minutes = length.of((167, 1.0, None), (167, 1.0, MINUTES), (1, 0.1, None))
    tables = [table for table in TABLES if table.game in games][: 1 if length is Length.TINY else None]
    found: dict[Table, list[Believed]] = {table: [] for table in tables}
    trials = [Trial(table, number, effort) for number in range(matches) for table in tables]
    for trial, rounds in in_time(believed, trials, minutes):
        found[trial.table] += rounds
    for table, rounds in found.items():
        yield from of_rounds(table, rounds)


def of_rounds(table: Table, rounds: Sequence[Believed]) -> Iterator[Figure]:
    """The figures of rounds at a table: the Brier score, and the calibrated bins."""
    base = ROLES[table.players].count(SABOTEUR) / (table.players + 1)
    gains = [each.brier(base) - each.brier() for each in rounds]
    mean, margin = fmean(gains), _Z * stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 1.0
    scores = f"{fmean(each.brier() for each in rounds):.3f}, base rate {fmean(each.brier(base) for each in rounds):.3f}"
    interval = f"{mean - margin:.3f}-{mean + margin:.3f} better"
    yield Figure(table, "suspicion: Brier score", len(rounds), scores, interval, "better", mean + margin > 0)
    bins = binned(rounds)
    kept = sum(each.calibrated for each in bins)
    worst = max((abs(each.mean - each.share) for each in bins), default=0.0)
    found = f"{kept} of {len(bins)} bins, largest gap {worst:.2f}"
    yield Figure(table, "suspicion: calibrated", len(rounds), found, "", f"{NEAR:g} or 2 errors", kept == len(bins))


def binned(rounds: Sequence[Believed]) -> list[Bin]:
    """The bins that aren't empty."""
    found = []
    for number in range(BINS):
        groups = [
            [(chance, true) for chance, true in each.pairs if min(int(chance * BINS), BINS - 1) == number]
            for each in rounds
        ]
        groups = [group for group in groups if group]
        if groups:
            found.append(_bin(groups))
    return found


def _bin(groups: Sequence[Sequence[tuple[float, bool]]]) -> Bin:
    pairs = [pair for group in groups for pair in group]
    count, mean = len(pairs), fmean(chance for chance, _ in pairs)
    spread = sum(sum(true - chance for chance, true in group) ** 2 for group in groups)
    # With few rounds the spread tells little. So the error is at least that of one independent throw for each round.
    error = max(sqrt(spread) / count, sqrt(mean * (1 - mean) / len(groups)))
    return Bin(mean, fmean(true for _, true in pairs), error)


def believed(trial: Trial) -> list[Believed]:
    """What a spectator could believe in the rounds of a match of normal computers."""
    rng = Random(f"believed {trial.table} {trial.number}")
    computers = [chooser(Level.NORMAL, _SKILL * trial.effort, rng)] * trial.table.players
    plan = plan_of(*recorded(trial.table, computers, rng), frozenset(), trial.effort)
    assert isinstance(plan, RoundsPlan)
    results: dict[str, Any] = {}
    while (step := plan.next_step(results)) is not None:
        results[step.key] = plan.do(step)
    return list(map(_of_round, plan.rounds(results)))


def _of_round(story: RoundStory) -> Believed:
    rows = story.believed[1:]
    pairs = ((chance, role == SABOTEUR) for row in rows for chance, role in zip(row, story.parts, strict=True))
    return Believed(tuple(pairs))
