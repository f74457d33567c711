"""Leagues of players of known strength, and how well each rating system finds out who is better.

A player is a mixture of two neighbouring levels. One of them is drawn for every match, and the result comes from the
bank, so it contains the luck of the game. The bank gives a player's true strength exactly: the share of matches in
which they place before another player, ties counting half.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import exp, log, sqrt
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple, Protocol

from benchmarks.ratings.bank import Results

PLAYERS: Final = 12
SPANS: Final = (10, 20, 40)
"""Numbers of matches a head after which the order of the players is examined."""


class Outcome(NamedTuple):
    """A match of a league: its players and their places."""

    players: tuple[int, ...]
    places: tuple[int, ...]


class Rater(Protocol):
    """A rating system."""

    def value(self, player: int) -> float:
        """The estimated strength of a player."""

    def chance(self, player: int, other: int) -> float:
        """The estimated probability that a player places before another in the next match."""

    def learn(self, outcome: Outcome) -> None:
        """Update the estimates by a result."""


class League:
    """Players of known strength at one table of the bank."""

    def __init__(self, results: Results, rng: Random) -> None:
        self._results, self._rng = results, rng
        self.levels = list(dict.fromkeys(level for line_up in results for level in line_up))
        self._seats = len(next(iter(results)))
        self._before = before(results)
        # Evenly spread over the levels, with a little noise.
        top = len(self.levels) - 1
        self.strengths = [min(top, max(0.0, top * (number + rng.random()) / PLAYERS)) for number in range(PLAYERS)]

    def mixture(self, player: int) -> list[tuple[str, float]]:
        """The two levels of a player, and how often they play at each."""
        low = min(int(self.strengths[player]), len(self.levels) - 2)
        high = self.strengths[player] - low
        return [(self.levels[low], 1 - high), (self.levels[low + 1], high)]

    def expected(self, player: int, other: int) -> float:
        """The true share of matches in which a player places before another."""
        return sum(
            p * q * self._before[level, against]
            for level, p in self.mixture(player)
            for against, q in self.mixture(other)
        )

    def matches(self, a_head: int) -> Iterator[Outcome]:
        """Play until everybody has this many matches. Each match includes one of those who have played least."""
        rng, played = self._rng, [0] * PLAYERS
        while min(played) < a_head:
            order = sorted(range(PLAYERS), key=lambda player: (played[player], rng.random()))
            players = [order[0], *rng.sample(order[1:], self._seats - 1)]
            for player in players:
                played[player] += 1
            yield self._match(players)

    def _match(self, players: Sequence[int]) -> Outcome:
        rng = self._rng
        drawn = []
        for player in players:
            (low, share), (high, _) = self.mixture(player)
            drawn.append((self.levels.index(low if rng.random() < share else high), rng.random(), player))
        line_up = sorted(drawn)
        results = self._results[tuple(self.levels[level] for level, _, _ in line_up)]
        return Outcome(tuple(player for _, _, player in line_up), rng.choice(results))


def before(results: Results) -> Mapping[tuple[str, str], float]:
    """By pair of levels: how often the first places before the second, in all line-ups of the bank with both."""
    shares: dict[tuple[str, str], list[float]] = {}
    for line_up, matches in results.items():
        for one, other in combinations(range(len(line_up)), 2):
            for places in matches:
                ahead = won(places[one], places[other])
                shares.setdefault((line_up[one], line_up[other]), []).append(ahead)
                shares.setdefault((line_up[other], line_up[one]), []).append(1 - ahead)
    return {pair: mean(found) for pair, found in shares.items()}


def won(place: int, other: int) -> float:
    """1 if `place` is before the other one, a half if they are equal, else 0."""
    return 1.0 if place < other else 0.5 if place == other else 0.0


def logistic(difference: float) -> float:
    """The probability for a difference in points. A difference of 400 means odds of ten to one."""
    return 1 / (1 + exp(-log(10) / 400 * difference))


class Weng:
    """One of openskill's models."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._ratings = [model.rating() for _ in range(PLAYERS)]

    def value(self, player: int) -> float:
        mu: float = self._ratings[player].mu
        return mu

    def chance(self, player: int, other: int) -> float:
        one, two = self._ratings[player], self._ratings[other]
        return 1 / (1 + exp(-(one.mu - two.mu) / sqrt(2 * self._model.beta**2 + one.sigma**2 + two.sigma**2)))

    def learn(self, outcome: Outcome) -> None:
        teams = [[self._ratings[player]] for player in outcome.players]
        for player, (rating,) in zip(outcome.players, self._model.rate(teams, ranks=[*outcome.places]), strict=True):
            self._ratings[player] = rating


class Elo:
    """Elo ratings. A match counts as one against each of the others, and these share the `k`."""

    def __init__(self, k: float) -> None:
        self._k = k
        self._numbers = [1500.0] * PLAYERS

    def value(self, player: int) -> float:
        return self._numbers[player]

    def chance(self, player: int, other: int) -> float:
        return logistic(self._numbers[player] - self._numbers[other])

    def learn(self, outcome: Outcome) -> None:
        seats = list(zip(outcome.players, outcome.places, strict=True))
        gains = {
            player: mean(won(place, theirs) - self.chance(player, other) for other, theirs in seats if other != player)
            for player, place in seats
        }
        for player, gain in gains.items():
            self._numbers[player] += self._k * gain


class Likeliest:
    """The maximum-likelihood strengths of the Bradley-Terry model after all results so far, with a weak prior."""

    _PRIOR = 0.5
    _ROUNDS = 60

    def __init__(self) -> None:
        self._won = [[0.0] * PLAYERS for _ in range(PLAYERS)]
        self._strengths: list[float] | None = None

    def value(self, player: int) -> float:
        return log(self._fit()[player])

    def chance(self, player: int, other: int) -> float:
        fit = self._fit()
        return fit[player] / (fit[player] + fit[other])

    def learn(self, outcome: Outcome) -> None:
        self._strengths = None
        seats = zip(outcome.players, outcome.places, strict=True)
        for (one, place), (two, theirs) in combinations(seats, 2):
            if one != two:
                self._won[one][two] += won(place, theirs)
                self._won[two][one] += won(theirs, place)

    def _fit(self) -> list[float]:
        """Fit by minorisation-maximisation (Hunter 2004). Prior: half a win, half a loss against an average player."""
        if self._strengths is None:
            strengths = [1.0] * PLAYERS
            games = [[mine + self._won[b][a] for b, mine in enumerate(row)] for a, row in enumerate(self._won)]
            wins = [sum(row) + self._PRIOR for row in self._won]
            for _ in range(self._ROUNDS):
                strengths = [
                    wins[a]
                    / (
                        2 * self._PRIOR / (strengths[a] + 1)
                        + sum(count / (strengths[a] + strengths[b]) for b, count in enumerate(games[a]) if count)
                    )
                    for a in range(PLAYERS)
                ]
            self._strengths = strengths
        return self._strengths


def fitted(results: Results) -> dict[str, float]:
    """The maximum-likelihood strength of each level of the bank, in points."""
    levels = list(dict.fromkeys(level for line_up in results for level in line_up))
    fit = Likeliest()
    for line_up, matches in results.items():
        for places in matches:
            fit.learn(Outcome(tuple(map(levels.index, line_up)), places))
    return {level: 400 / log(10) * fit.value(number) for number, level in enumerate(levels)}


class Score(NamedTuple):
    """The result of a rating system: by span, the share of pairs in the right order, of all and of the `clear` ones.

    `loss` is the mean log-loss of predicting who places before whom in the next match, after the first span.
    """

    right: dict[int, float]
    clear: dict[int, float]
    loss: float


CLEAR: Final = 0.70
"""Least expected score of the better player of a clear pair."""


def scored(results: Results, raters: Mapping[str, Callable[[], Rater]], leagues: int) -> dict[str, Score]:
    """Let all rating systems rate the same results of this many leagues. Returns how each did."""
    right: dict[tuple[str, int], list[bool]] = {}
    clear: dict[tuple[str, int], list[bool]] = {}
    losses: dict[str, list[float]] = {name: [] for name in raters}
    for number in range(leagues):
        league = League(results, Random(f"league {number}"))
        pairs = [(a, b, league.expected(a, b)) for a, b in combinations(range(PLAYERS), 2)]
        made = {name: make() for name, make in raters.items()}
        matches = list(league.matches(SPANS[-1]))
        ends = {span: span * len(matches) // SPANS[-1] for span in SPANS}
        for position, outcome in enumerate(matches, 1):
            for name, rater in made.items():
                if position > ends[SPANS[0]] and name != LIKELIEST:
                    losses[name] += _losses(rater, outcome)
                rater.learn(outcome)
            for span in (span for span, end in ends.items() if end == position):
                for name, rater in made.items():
                    for a, b, expected in pairs:
                        if expected == 0.5:
                            continue
                        ordered = (rater.value(a) > rater.value(b)) == (expected > 0.5)
                        right.setdefault((name, span), []).append(ordered)
                        if max(expected, 1 - expected) >= CLEAR:
                            clear.setdefault((name, span), []).append(ordered)
    return {
        name: Score(
            {span: mean(right[name, span]) for span in SPANS},
            {span: mean(clear[name, span]) for span in SPANS if (name, span) in clear},
            mean(losses[name]) if losses[name] else 0.0,
        )
        for name in raters
    }


LIKELIEST: Final = "maximum likelihood"


def _losses(rater: Rater, outcome: Outcome) -> list[float]:
    """The log-loss of the prediction for every pair of a match."""
    found = []
    for (one, place), (two, theirs) in combinations(zip(outcome.players, outcome.places, strict=True), 2):
        chance, ahead = min(max(rater.chance(one, two), 1e-9), 1 - 1e-9), won(place, theirs)
        found.append(-ahead * log(chance) - (1 - ahead) * log(1 - chance))
    return found
