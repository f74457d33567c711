"""Decides whether a mean score reaches a goal: by a sequential test as soon as it can, or by its 95 % interval.

Wald's sequential test compares the goal with a score that is `LESS` below it, with an error of `ERROR` either way. It
stops as soon as the scores of whole deals decide between the two. If they still don't after all deals, the goal is
undecided, which isn't a failure. The interval can tell smaller differences, and needs `ENOUGH` deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from math import inf, log, sqrt
from multiprocessing import get_context
from statistics import mean, pvariance, stdev
from time import monotonic
from typing import Any, Final, TypeVar

LESS: Final = 0.10
ERROR: Final = 0.05
SPREAD: Final = 0.05
"""Least variance of a deal's score that the test assumes, because the first few deals may all end alike.

In games of luck for two most deals are won by the same cards from both seats, so six deals in a row often are.
"""

FEWEST: Final = 6
"""Least number of deals before a decision."""

REACHED, MISSED, UNDECIDED = "reached", "missed", "undecided"
WORKERS: Final = 2
"""Number of processes that play, and of deals given to them at a time."""

EXPLAINED: Final = (
    f"A goal is reached, or not, where scores of the goal and {LESS:.2f} less can be told apart with {ERROR:.0%} "
    "errors."
)

ENOUGH: Final = 100
"""Least number of deals before an interval decides."""

BY_INTERVAL: Final = (
    f"A goal is reached if the whole interval of {ENOUGH} deals or more is above it, and missed if it is below."
)

Many = Callable[..., Iterable[Any]]
"""Does something for each task, in several processes."""

D = TypeVar("D")
R = TypeVar("R")


def workers() -> ProcessPoolExecutor:
    """Start the processes that play."""
    return ProcessPoolExecutor(WORKERS, get_context("spawn"))


def in_time(do: Callable[[D], R], tasks: Iterable[D], minutes: float | None) -> Iterator[tuple[D, R]]:
    """Do tasks in order, as many as can be begun in this many minutes, and yield each with its result.

    Without `minutes` all are done. The results come as they are finished.
    """
    until = monotonic() + 60 * minutes if minutes else inf
    left, running = iter(tasks), dict[Future[R], D]()
    with workers() as pool:
        while True:
            while len(running) < WORKERS and monotonic() < until and (task := next(left, None)) is not None:
                running[pool.submit(do, task)] = task
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()


def decided(scores: Sequence[float], goal: float) -> str | None:
    """The result of the sequential test: the goal is reached or missed; ``None`` while that is undecided.

    Compares two normal distributions of the scores by their log-likelihood ratio, with means of `goal` and of
    `goal` - `LESS`.
    """
    if len(scores) < FEWEST:
        return None
    likelier = LESS / max(pvariance(scores), SPREAD) * sum(each - (goal - LESS / 2) for each in scores)
    enough = log((1 - ERROR) / ERROR)
    return REACHED if likelier >= enough else MISSED if likelier <= -enough else None


def played(
    many: Callable[[list[D]], Iterable[R]], deals: Sequence[D], score: Callable[[R], float], goal: float
) -> tuple[list[R], str]:
    """Play deals, some at a time, until the goal is decided. Returns their results and the verdict.

    A goal of 0 means that there is none.
    """
    results: list[R] = []
    verdict = None
    while verdict is None and len(results) < len(deals):
        results += many(list(deals[len(results) : len(results) + WORKERS]))
        verdict = decided([score(result) for result in results], goal) if goal else None
    return results, verdict or (UNDECIDED if goal else "")


def verdict(scores: Sequence[float], goal: float) -> str:
    """Whether a goal is reached or missed by the 95 % interval of enough deals. `goal` is 0 if there is none."""
    low, high = bounds(scores)
    if not goal or len(scores) < ENOUGH:
        return UNDECIDED if goal else ""
    return REACHED if low >= goal else MISSED if high < goal else UNDECIDED


def interval(scores: Sequence[float]) -> tuple[str, str]:
    """The mean of the scores of deals, and its 95 % interval, as text."""
    low, high = bounds(scores)
    return f"{mean(scores):.2f}", f"{max(low, 0.0):.2f}-{min(high, 1.0):.2f}"


def bounds(scores: Sequence[float]) -> tuple[float, float]:
    """The ends of the 95 % interval."""
    found, margin = mean(scores), 1.96 * stdev(scores) / sqrt(len(scores)) if len(scores) > 1 else 0.0
    return found - margin, found + margin
