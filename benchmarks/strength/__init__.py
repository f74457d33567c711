"""How strong the computer players of the open games are, against a player who shares nothing with their search.

The yardstick is plain alpha-beta with rules of thumb of its own, by the clock: for a move it gets the CPU that the
level has used for its own moves of the match in the mean. Every deal is played from both seats. A level that has a goal
plays until Wald's sequential test can tell the goal from a score that is `LESS` below it, with an error of `ERROR`
either way, or until there are no more deals: then it is undecided, which is no failure. The other levels play a fixed
number of deals. Beside it stands how experts behave in Saboteur among themselves. The tables are printed, and stand in
``docs/computer-players.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import log
from multiprocessing import get_context
from random import Random
from statistics import mean, pvariance
from typing import Any, Final, NamedTuple

from benchmarks.measure import CLOCK
from benchmarks.players import Chooser, Table, chooser, interval, left_behind, positions, write
from benchmarks.strength import behaviour
from benchmarks.strength.alphabeta import Yardstick
from games.core import State
from matches.computers import Level

LESS: Final = 0.10
ERROR: Final = 0.05
SPREAD: Final = 0.02
"""The least variance of a deal's score that the test believes in: the first few deals may all end alike."""

FEWEST: Final = 6
"""Before so many deals nothing is decided."""

REACHED, MISSED, UNDECIDED = "reached", "missed", "undecided"
_WORKERS: Final = 2


class Trial(NamedTuple):
    """A level that plays the yardstick with a part (`effort`) of what it looks at in a match; `goal` 0 is none."""

    table: Table
    level: Level
    effort: float
    goal: float = 0.0


class Deal(NamedTuple):
    """One deal of a trial, which is played from both seats."""

    trial: Trial
    number: int


def trials(effort: float) -> list[Trial]:
    """All that is played, where the highest level has this part of what it looks at."""
    goals = {Table("ambush", 2): 0.60, Table("gambo", 2): 0.75}
    return [
        Trial(table, level, part, goal if level is Level.EXPERT else 0.0)
        for table, goal in goals.items()
        for level, part in ((Level.EASY, 1.0), (Level.NORMAL, 4 * effort), (Level.HARD, effort), (Level.EXPERT, effort))
    ]


def run(quick: bool) -> bool:
    """Play, print the table, write it into the document; whether no goal is missed."""
    effort, most, others = (0.05, 40, 6) if quick else (0.2, 120, 20)
    rows, kept = [], True
    with ProcessPoolExecutor(_WORKERS, get_context("spawn")) as pool:
        for trial in trials(effort):
            scores, verdict = played(trial, pool.map, most if trial.goal else others)
            kept &= verdict != MISSED
            rows.append(_row(trial, scores, verdict))
            print(rows[-1], flush=True)
        effort, deals = (0.03, 10) if quick else (0.2, 40)
        behaving, bounded = behaviour.table(pool.map, effort, deals)
    kept &= bounded
    text = "\n".join([*_head(), *rows, "", f"At {effort:.0%} of an expert's work in a match:", "", *behaving, ""])
    print(text)
    write("strength", text)
    return kept


def played(
    trial: Trial, many: Callable[[Callable[[Deal], float], list[Deal]], Iterator[float]], most: int
) -> tuple[list[float], str]:
    """The scores of the deals that were needed, two at a time, and what they say about the goal."""
    scores: list[float] = []
    verdict = None
    while verdict is None and len(scores) < most:
        scores += many(score, [Deal(trial, len(scores) + number) for number in range(_WORKERS)])
        verdict = decided(scores, trial.goal) if trial.goal else None
    return scores, verdict or (UNDECIDED if trial.goal else "")


def decided(scores: Sequence[float], goal: float) -> str | None:
    """What the sequential test says: the goal is reached or missed; ``None`` while it cannot tell.

    The logarithm of how much likelier the scores are with a mean of `goal` than of `goal` - `LESS`, as normal ones.
    """
    if len(scores) < FEWEST:
        return None
    likelier = LESS / max(pvariance(scores), SPREAD) * sum(each - (goal - LESS / 2) for each in scores)
    enough = log((1 - ERROR) / ERROR)
    return REACHED if likelier >= enough else MISSED if likelier <= -enough else None


def _head() -> list[str]:
    return [
        f"A goal is reached, or not, where scores of the goal and {LESS:.2f} less can be told apart with {ERROR:.0%} "
        "errors.",
        "",
        "| game | level | part of its work in a match | deals | score | 95 % interval | goal | |",
        "|---|---|---|---|---|---|---|---|",
    ]


def _row(trial: Trial, scores: Sequence[float], verdict: str) -> str:
    goal = f"{trial.goal:.2f}" if trial.goal else ""
    cells = (trial.table, trial.level, f"{trial.effort:.0%}", len(scores), *interval(scores), goal, verdict)
    return f"| {' | '.join(map(str, cells))} |"


def score(deal: Deal) -> float:
    """What the level scores in one deal, the mean of both seats."""
    return mean(_match(deal, seat) for seat in range(2))


def _match(deal: Deal, seat: int) -> float:
    trial, rng = deal.trial, Random(f"{deal} {seat}")
    player, spent = chooser(trial.level, trial.effort, rng), list[float]()

    def measured(state: State[Any], mover: int, lines: list[tuple[int, Any]]) -> Any:
        begun = CLOCK()
        action = player(state, mover, lines)
        spent.append(CLOCK() - begun)
        return action

    def held(state: State[Any], mover: int, lines: list[tuple[int, Any]]) -> Any:
        if not spent:
            # Who begins the match cannot know yet what the other one will need.
            measured(state, mover, lines)
        return Yardstick(state, mean(spent), rng).choose()

    choosers: dict[int, Chooser] = {seat: measured, 1 - seat: held}
    *_, end = positions(trial.table, deal.number, lambda _, mover: choosers[mover])
    return left_behind(end, seat)
