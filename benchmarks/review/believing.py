"""Whether what is believed of players of Saboteur is true: how likely each was a saboteur, turn by turn.

At mixed tables, what a spectator could believe after each turn is compared with the roles. The log score is the mean of
minus the logarithm of what was believed of the truth, in nats a seat and turn, and the Brier score the mean square of
the difference. Both must be smaller than those of somebody who knows only how many role cards there are. The
probabilities are also put into ten bins. In a calibrated bin, the share of saboteurs differs from the mean probability
by at most `NEAR`, or by at most `ERRORS` standard errors. The players of a round aren't independent, nor are its turns,
so the errors are made from whole rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from benchmarks.measure import Length
from benchmarks.players import RANDOM, Table
from benchmarks.review.figures import Figure
from benchmarks.review.mixed import kinds_of, played, turns
from benchmarks.sequential import in_time
from games.saboteur.components import ROLES, SABOTEUR
from matches.computers.judgements.saboteur.roles import Beliefs
from matches.computers.judgements.saboteur.turns import Seen

TABLES: Final = tuple(Table("saboteur", players) for players in (3, 5, 7, 10))

MIXTURES: Final[Mapping[str, Mapping[str, float]]] = {
    "experts": {"expert": 1},
    "rules of thumb": {"thumb": 2, "open": 1},
    "other rules": {"rules": 1},
    "experts and other rules": {"expert": 1, "rules": 1},
    "all kinds": {"expert": 3, "thumb": 2, "rules": 3, "changing": 1, RANDOM: 1},
}
"""Who sits at a table. The habits were never fitted to those who play by other rules."""

NEAR: Final = 0.10
ERRORS: Final = 2.5
"""A bin is calibrated if its mean probability is this near to the share of saboteurs, or within so many errors."""

ENOUGH: Final = 100
"""A bin with fewer cases isn't looked at."""

BINS: Final = 10

MINUTES: Final = 10
"""For how many minutes a quick run begins new rounds."""

_LEAST: Final = 1e-6
_Z: Final = 1.96


class Trial(NamedTuple):
    """A round between players of a mixture."""

    table: Table
    mixture: str
    number: int
    effort: float


class Believed(NamedTuple):
    """What was believed of the players in a round: pairs of a probability and whether it was true."""

    pairs: tuple[tuple[float, bool], ...]

    def nats(self, base: float | None = None) -> float:
        """The log score, or that of somebody who always says `base`."""
        chances = (chance if base is None else base for chance, _ in self.pairs)
        return -fmean(
            log(max(chance if true else 1 - chance, _LEAST))
            for chance, (_, true) in zip(chances, self.pairs, strict=True)
        )

    def brier(self, base: float | None = None) -> float:
        """The Brier score, or that of somebody who always says `base`."""
        return fmean(((chance if base is None else base) - true) ** 2 for chance, true in self.pairs)


class Bin(NamedTuple):
    """A bin: the mean probability, the share of saboteurs, the standard error of their difference, and the cases."""

    mean: float
    share: float
    error: float
    cases: int

    @property
    def calibrated(self) -> bool:
        """Whether the two agree, or the cases are too few to tell."""
        return self.cases < ENOUGH or abs(self.mean - self.share) <= max(NEAR, ERRORS * self.error)


def figures(length: Length, games: Collection[str]) -> Iterator[Figure]:
    """The figures of all tables. A quick run plays as many rounds as fit into its time."""
    rounds, effort, minutes = length.of((200, 1.0, None), (200, 1.0, MINUTES), (1, 0.1, None))
    tables = [table for table in TABLES if table.game in games][: 1 if length is Length.TINY else None]
    found: dict[tuple[Table, str], list[Believed]] = {(table, mixture): [] for table in tables for mixture in MIXTURES}
    trials = [Trial(*row, number, effort) for number in range(rounds) for row in found]
    for trial, each in in_time(believed, trials, minutes):
        found[trial.table, trial.mixture] += [each] if each.pairs else []
    for (table, mixture), played_there in found.items():
        if played_there:
            yield from of_rounds(table, mixture, played_there)


def of_rounds(table: Table, mixture: str, rounds: Sequence[Believed]) -> Iterator[Figure]:
    """The figures of rounds at a table: the scores, and the calibrated bins."""
    base = ROLES[table.players].count(SABOTEUR) / (table.players + 1)
    gains = [each.nats(base) - each.nats() for each in rounds]
    mean, margin = fmean(gains), _Z * stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 1.0
    nats, brier = (fmean(score(each) for each in rounds) for score in (Believed.nats, Believed.brier))
    scores = f"{nats:.3f} nats ({fmean(each.nats(base) for each in rounds):.3f} by the cards), Brier {brier:.3f}"
    interval = f"{mean - margin:.3f}-{mean + margin:.3f} better"
    yield Figure(table, f"odds of {mixture}", len(rounds), scores, interval, "better", mean + margin > 0)
    bins = [each for each in binned(rounds) if each.cases >= ENOUGH]
    kept = sum(each.calibrated for each in bins)
    worst = max((abs(each.mean - each.share) for each in bins), default=0.0)
    told = f"{kept} of {len(bins)} bins, largest gap {worst:.2f}"
    floor = f"{NEAR:g} or {ERRORS:g} errors"
    yield Figure(table, f"odds of {mixture}: calibrated", len(rounds), told, "", floor, kept == len(bins))


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
    return Bin(mean, fmean(true for _, true in pairs), error, count)


def believed(trial: Trial) -> Believed:
    """What a spectator could believe in a round."""
    players = trial.table.players
    kinds = kinds_of(MIXTURES[trial.mixture], players, Random(f"{trial.mixture} {players} {trial.number}"))
    beliefs, pairs = Beliefs(Seen(players)), list[tuple[float, bool]]()
    for before, action, after in turns(players, played(players, kinds, f"believed {trial.number}", trial.effort)):
        beliefs.see(before.current_player, action, after.maze.cards)
        roles = before.roles
        pairs += [(chance, role == SABOTEUR) for chance, role in zip(beliefs.saboteurs(), roles, strict=False)]
    return Believed(tuple(pairs))
