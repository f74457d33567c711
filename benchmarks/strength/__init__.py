"""How strong the computer players are against *yardsticks*: players that share nothing with their search.

A yardstick that searches gets a time limit for each move: the mean CPU time of the level's own moves in the match so
far. Every deal is played from every seat. The 95 % interval of the score decides about a level's goal, from
`sequential.ENOUGH` deals on. Saboteur has a table by sides (`by_sides`). Further tables show how experts behave there
among themselves, and the mistakes of a beginner. The tables are printed, and stand in ``docs/computer-players.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from math import ceil, log2
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.measure import CLOCK, Length
from benchmarks.page import Block, row, write
from benchmarks.players import SABOTEUR_TABLES, Chooser, Table, chooser, left_behind, positions
from benchmarks.sequential import BY_INTERVAL, ENOUGH, MISSED, interval, verdict, workers
from benchmarks.strength import (
    abissal_habits,
    ambagibus_habits,
    behaviour,
    by_sides,
    mistakes,
    plain_alphabeta,
    searching,
)
from games import GAMES
from games.abissal import AbissalState
from games.ambagibus import AmbagibusState, simulation
from games.core import State
from matches.computers.levels import Level

Habit = Callable[[Any, Random], Any]
"""A player without any search."""

Sample = Callable[[Any, Any, int, Random], float]
"""What a player gains if they take this action in this world and everybody plays on by habit."""

_BY_THUMB: Final[dict[type[State[Any]], Habit]] = {
    AbissalState: abissal_habits.by_thumb,
    AmbagibusState: ambagibus_habits.by_thumb,
}
"""Rules of thumb by game."""

_SAMPLES: Final[dict[type[State[Any]], Sample]] = {
    AbissalState: abissal_habits.sample,
    AmbagibusState: ambagibus_habits.sample,
}


def _worlds(state: State[Any]) -> Callable[[Random], Any]:
    """Return a function that draws positions that the current player could be in."""
    if isinstance(state, AmbagibusState):
        return simulation.worlds(state)
    return partial(state.resample_from_infostate, state.current_player)


def flat(state: State[Any], seconds: float, rng: Random) -> Any:
    """The action with the best mean result for its player, in as many worlds as fit into the CPU time.

    Flat Monte Carlo draws positions and plays on, without any tree. The worlds are common to all actions: each is drawn
    once, and every action that is still in the race is tried in it. So good cards in one world favour no action. The
    race is sequential halving: the time is divided into equal parts, and after each part the worse half of the actions
    drops out. So most samples compare the best few.
    """
    player, begun = state.current_player, CLOCK()
    left, sample, draw = list(state.legal_actions(player)), _SAMPLES[type(state)], _worlds(state)
    parts = ceil(log2(len(left)))
    total = dict.fromkeys(left, 0.0)
    for part in range(1, parts + 1):
        until = begun + seconds * part / parts
        while True:
            world = draw(rng)
            for action in left:
                total[action] += sample(world, action, player, rng)
            if CLOCK() >= until:
                break
        left = sorted(left, key=total.__getitem__, reverse=True)[: (len(left) + 1) // 2]
    return left[0]


Timed = Callable[[State[Any], int, list[tuple[int, Any]], float, Random], Any]
"""A player with a limit of CPU seconds for the move."""

ALPHA_BETA, FLAT, THUMBS = "alpha-beta", "flat Monte Carlo", "rules of thumb"

YARDSTICKS: Final[Mapping[str, Timed]] = {
    ALPHA_BETA: lambda state, _player, _lines, seconds, rng: plain_alphabeta.Yardstick(state, seconds, rng).choose(),
    FLAT: lambda state, _player, _lines, seconds, rng: flat(state, seconds, rng),
    THUMBS: lambda state, _player, _lines, _seconds, rng: _BY_THUMB[type(state)](state, rng),
}

GOALS: Final = (
    (Table("ambush", 2), ALPHA_BETA, 0.60),
    (Table("gambo", 2), ALPHA_BETA, 0.75),
    (Table("abissal", 2), FLAT, 0.58),
    (Table("abissal", 2), THUMBS, 0.70),
    (Table("abissal", 3), FLAT, 0.58),
    (Table("abissal", 3), THUMBS, 0.70),
    (Table("ambagibus", 2, "basic"), FLAT, 0.55),
    (Table("ambagibus", 2, "advanced"), FLAT, 0.65),
    (Table("ambagibus", 2, "advanced"), THUMBS, 0.65),
)
"""The goals of the expert: the table, the yardstick, the least score."""


class Trial(NamedTuple):
    """A level that plays a yardstick with a part (`effort`) of its iterations. Without a goal, `goal` is 0."""

    table: Table
    level: Level
    effort: float
    goal: float = 0.0
    against: str = ALPHA_BETA


class Deal(NamedTuple):
    """One deal of a trial, played from every seat."""

    trial: Trial
    number: int


FEW: Final = 0.05
"""The part of its iterations that an expert gets in each row of these tables."""

MORE: Final = 0.30
"""The part that it gets in further rows of a whole run, where a faster search is a weaker advantage."""


def trials(effort: float, whole: bool) -> list[Trial]:
    """All trials. The highest levels have this part of their iterations.

    In a `whole` run, experts play flat Monte Carlo once more with a larger part. Otherwise, the lower levels of the
    games with hidden information are left out.
    """
    levels = (Level.EASY, 1.0), (Level.NORMAL, 4 * effort), (Level.HARD, effort), (Level.EXPERT, effort)
    return [
        Trial(table, level, part, goal if level is Level.EXPERT else 0.0, against)
        for table, against, goal in GOALS
        for level, part in (*levels, *([(Level.EXPERT, MORE)] if whole and against == FLAT else ()))
        if level in table.levels and (level is Level.EXPERT or against == ALPHA_BETA or whole)
    ]


def run(length: Length, games: Collection[str] = GAMES) -> bool:
    """Play, print the tables, and write them into the document. Returns whether no goal was missed.

    A tiny run plays two deals against each yardstick, and writes nothing.
    """
    whole, tiny = length is Length.WHOLE, length is Length.TINY
    effort, most, others = length.of((FEW, 2 * ENOUGH, 20), (FEW, ENOUGH, 6), (0.0005, 2, 2))
    rows, kept = list[str](), True
    with workers() as pool:
        # It comes first, since it needs a commit that the clone may not have.
        former = [searching.table(pool.map, effort, by_sides.DEALS)] if whole and "saboteur" in games else []
        kept &= all(level for _, level in former)
        for trial in _one_of_each(trials(effort, whole)) if tiny else trials(effort, whole):
            if trial.table.game in games:
                number = others if not trial.goal else min(most, ENOUGH) if trial.effort == MORE else most
                scores = list(pool.map(score, [Deal(trial, deal) for deal in range(number)]))
                kept &= verdict(scores, trial.goal) != MISSED
                rows.append(_row(trial, scores))
                print(rows[-1], flush=True)
        blocks = [Block((BY_INTERVAL,), _HEAD, rows)]
        if "saboteur" in games:
            sided, level = by_sides.table(
                pool.map, effort, 1 if tiny else by_sides.DEALS, SABOTEUR_TABLES[: 1 if tiny else None]
            )
            kept &= level
            blocks += sided
            blocks += [block for block, _ in former]
            part, matches = length.of((0.2, 40), (0.03, 10), (0.0005, 1))
            behaving, bounded = behaviour.table(pool.map, part, matches)
            kept &= bounded
            blocks.append(behaving)
        if beginners := [table for table in mistakes.TABLES if table.game in games]:
            part, matches = length.of((1.0, 20), (0.2, 6), (0.002, 1))
            erring, plain = mistakes.table(pool.map, beginners, part, matches)
            kept &= plain
            blocks.append(erring)
    print("\n\n".join(map(str, blocks)))
    if not tiny:
        write("strength", blocks, games)
    return kept


def _one_of_each(every: Sequence[Trial]) -> list[Trial]:
    """The first trial with a goal against each yardstick."""
    return list({trial.against: trial for trial in reversed(every) if trial.goal}.values())


_HEAD: Final = "| game | level | against | part of its work in a match | deals | score | 95 % interval | goal | |"


def _row(trial: Trial, scores: Sequence[float]) -> str:
    goal = f"{trial.goal:.2f}" if trial.goal else ""
    cells = (trial.table, trial.level, trial.against, f"{trial.effort:.0%}", len(scores))
    return row(*cells, *interval(scores), goal, verdict(scores, trial.goal))


def score(deal: Deal) -> float:
    """Play a deal. Returns the level's mean score over all seats."""
    return mean(_match(deal, seat) for seat in range(deal.trial.table.players))


def _match(deal: Deal, seat: int) -> float:
    trial, rng = deal.trial, Random(f"{deal} {seat}")
    level, spent = _measured(trial, rng)
    yardstick = _held(trial, level, spent, rng)
    *_, end = positions(trial.table, deal.number, lambda _, mover: level if mover == seat else yardstick)
    return left_behind(end, seat)


def _measured(trial: Trial, rng: Random) -> tuple[Chooser, list[float]]:
    """The player of a trial's level, and a list to which it adds the CPU seconds of each of its moves."""
    player, spent = chooser(trial.level, trial.effort, rng), list[float]()

    def measured(state: State[Any], mover: int, lines: list[tuple[int, Any]]) -> Any:
        begun = CLOCK()
        action = player(state, mover, lines)
        spent.append(CLOCK() - begun)
        return action

    return measured, spent


def _held(trial: Trial, level: Chooser, spent: list[float], rng: Random) -> Chooser:
    """The yardstick of a trial, limited to the mean CPU time of the level's moves so far."""
    yardstick = YARDSTICKS[trial.against]

    def held(state: State[Any], mover: int, lines: list[tuple[int, Any]]) -> Any:
        if not spent:
            # The yardstick makes the first move. So the level thinks about it too, to set the limit.
            level(state, mover, lines)
        return yardstick(state, mover, lines, mean(spent), rng)

    return held
