"""Tells luck apart from play: a match's result is the start, the luck, the play, and a rest that neither explains.

A position's value is the mean lead of every seat over the worlds that fit what all seats together know, played on by
habit. The *play* is what decisions change: the value after the action that was taken, minus the value after the usual
one, in the same worlds with the same random numbers. The *luck* is what seeing cards changes: the value after a line,
minus the value before anybody saw what the line turned up. Where a world isn't played on to the end, the value also
changes because the end is nearer. That is the *rest*.

Habits misjudge what a whole deal is worth in some games. There weak experts play on from it instead.

The value after a line is also the value before the next one, measured in the same worlds. So the four figures add up
exactly. Work is counted in worlds. All random numbers follow from what everybody could see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple

from games.core import CHANCE, State
from matches.computers.judgement import SEED_BITS, Judgement
from matches.computers.known import written
from matches.computers.levels import Level
from matches.computers.paired import mean_of
from matches.computers.thinking import Question, answer, judgement_of
from matches.engine.workers import go_on

WORLDS: Final = 600
"""The number of worlds in which each line is measured."""

MOST_WORLDS: Final = 48_000
"""The most worlds that are drawn for a whole match, unless `FEWEST` for each line are more."""

FEWEST: Final = 20

MATCHES: Final = 600
"""How many matches are played on from the start, to see what is expected then and what the match is worth."""

DEALS: Final = 10
"""How often experts play on from a deal that habits misjudge."""

EXPERTISE: Final = 0.02
"""The part of their work that these experts do. It already finds most of what a deal brings."""

LEAST: Final = 0.05
"""The least luck that is told: less is written as nothing."""

MOST_REST: Final = 0.1
"""The largest rest, as a share of what the match is worth, with which luck is told."""

SURE: Final = 2.0
"""Luck of this many standard errors or more is told."""


class Figure(NamedTuple):
    """A measured lead in the game's unit, with its standard error."""

    value: float
    error: float


class Share(NamedTuple):
    """A seat's `result` (its lead at the end), and the four figures of which it is the sum.

    `is_known`: the luck is large enough, and known well enough, to be told.
    """

    result: float
    start: Figure
    luck: Figure
    play: Figure
    rest: Figure
    is_known: bool


class Luck(NamedTuple):
    """Luck apart from play, by seat. `worth` is what was at stake: the winner's mean lead, less that of the others."""

    shares: tuple[Share, ...]
    worth: float


Rows = Sequence[Sequence[float]]
"""A result of a step, a row for each seat.

* For the start: the expected lead and its error, the expected lead as judged at the horizon and its error, and what the
  match is worth.
* For lines: the sums of what they changed by play, by luck and by the rest, each with its variance.
"""


def begun(state: State[Any], alike: bool, effort: float = 1.0) -> list[list[float]]:
    """Return what can be expected of a match that begins here (`Rows`). Raises Stopped.

    `alike`: nothing has been dealt, so all seats can expect the same.
    """
    rng, kind = _rng(state), judgement_of(state.info.key)
    leads, judged, worths = list[Sequence[float]](), list[Sequence[float]](), list[float]()
    for _ in range(max(FEWEST, round(MATCHES * effort))):
        go_on()
        here = state
        while here.current_player == CHANCE:
            here = here.child(CHANCE, here.sample_chance(rng))
        judgement = kind(here)
        action = here.legal_actions(here.current_player)[0]
        judged.append(judgement.forked(judgement.known_to_all(here, rng), action, rng).sooner)
        leads.append(judgement.fortune(judgement.known_to_all(here, rng), rng))
        best = max(leads[-1])
        worths.append(best - (sum(leads[-1]) - best) / (state.players - 1))
    worth = mean_of(worths).mean
    if state.current_player != CHANCE and (dealt := _after_deal(kind(state), rng, effort)):
        leads = judged = dealt
    return [[*_mean(leads, seat, alike), *_mean(judged, seat, alike), _short(worth)] for seat in range(state.players)]


def _mean(rows: Sequence[Sequence[float]], seat: int, alike: bool) -> list[float]:
    found = mean_of([sum(row) / len(row) if alike else row[seat] for row in rows])
    return [_short(found.mean), _short(found.error)]


def changed(state: State[Any], text: str, worlds: int, effort: float = 1.0) -> list[list[float]]:
    """Return what the line of a player changed (`Rows`), measured in this many worlds. Raises Stopped."""
    rng, judgement = _rng(state), judgement_of(state.info.key)(state)
    action, forks = state.string_to_action(state.current_player, text), []
    for _ in range(worlds):
        go_on()
        forks.append(judgement.forked(judgement.known_to_all(state, rng), action, rng))
    dealt, found = _after_deal(judgement, rng, effort), []
    for seat in range(state.players):
        if dealt:
            # The deal is luck, and whatever comes after it is play.
            other, value = mean_of([fork.other[seat] for fork in forks]), mean_of([leads[seat] for leads in dealt])
            change, variance = other.mean - value.mean, other.error**2 + value.error**2
            found.append([change, variance, -change, variance, 0.0, 0.0])
            continue
        by_play = mean_of([fork.other[seat] - fork.usual[seat] for fork in forks])
        by_luck = mean_of([fork.sooner[seat] - fork.other[seat] for fork in forks])
        by_rest = mean_of([fork.usual[seat] - fork.sooner[seat] for fork in forks])
        found.append([figure for mean in (by_play, by_luck, by_rest) for figure in (mean.mean, mean.error**2)])
    return found


def _after_deal(judgement: Judgement[Any], rng: Random, effort: float) -> list[Sequence[float]]:
    """Return every seat's lead each time that experts have played on, nothing if habits judge the position well.

    What each of them knows is drawn again for each decision, as in a match.
    """

    def choose(state: State[Any]) -> Any:
        go_on()
        player = state.current_player
        seen, seed = state.resample_from_infostate(player, rng), rng.getrandbits(SEED_BITS)
        text = answer(Question(seen, (), Level.EXPERT, seed, EXPERTISE * min(1.0, DEALS * effort)))
        return state.string_to_action(player, text)

    # With less effort there are fewer runs. Once there are as few as can be, each run gets less.
    found = (judgement.after_deal(choose) for _ in range(max(2, round(DEALS * effort))))
    return [leads for leads in found if leads is not None]


def total(lines: Iterable[Rows], players: int) -> list[list[float]]:
    """Return what several lines changed together (`Rows`)."""
    found = [[0.0] * 6 for _ in range(players)]
    for rows in lines:
        found = [[one + other for one, other in zip(*pair, strict=True)] for pair in zip(found, rows, strict=True)]
    return [[_short(figure) for figure in row] for row in found]


def worlds_for(lines: int, effort: float = 1.0) -> int:
    """Return in how many worlds to measure each line of a match with this many lines."""
    return max(FEWEST, int(min(WORLDS, MOST_WORLDS / max(lines, 1)) * effort))


def apart(result: Sequence[float], start: Rows, lines: Iterable[Rows]) -> Luck:
    """Return luck apart from play, from a match's result, its start, and what its lines changed."""
    changes, shares = total(lines, len(result)), list[Share]()
    for lead, began, row in zip(result, start, changes, strict=True):
        expected, judged = Figure(*began[:2]), Figure(*began[2:4])
        by_play, by_luck, by_rest = ((row[at], row[at + 1]) for at in (0, 2, 4))
        luck = Figure(lead - judged.value + by_luck[0], sqrt(judged.error**2 + by_luck[1]))
        rest = Figure(
            judged.value - expected.value + by_rest[0], sqrt(judged.error**2 + expected.error**2 + by_rest[1])
        )
        play = Figure(by_play[0], sqrt(by_play[1]))
        shares.append(Share(lead, expected, luck, play, rest, abs(luck.value) >= max(SURE * luck.error, LEAST)))
    worth = start[0][4]
    is_known = all(abs(share.rest.value) <= MOST_REST * worth for share in shares)
    return Luck(tuple(share._replace(is_known=share.is_known and is_known) for share in shares), worth)


def _rng(state: State[Any]) -> Random:
    """Return random numbers that follow from what everybody can see."""
    return Random(sha256(f"luck {written(state.observation(None))}".encode()).digest())


def _short(figure: float) -> float:
    return round(figure, 6) + 0.0
