"""The clock, interleaved rounds, ratios, and the tables that benchmarks print.

All subjects take turns in one run, so that a busy machine slows them alike. The figures that count are ratios: in each
round, every subject is compared with its peer in the same round. The tables show the median of the rounds.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import Callable, Coroutine, Mapping, Sequence
from enum import Enum
from statistics import median, quantiles
from time import process_time, thread_time
from types import ModuleType
from typing import Any, Final, TypeVar, cast

Counts = tuple[int, ...]
"""How many of each thing a subject did: moves, matches, calls …"""

Sample = tuple[Counts, float]
"""Counts, and the seconds that they took."""

Subject = Callable[[], Sample]
"""A piece of work that times itself, so that it can prepare something untimed."""

Rates = Mapping[str, list[tuple[float, ...]]]
"""By subject: for every round, the counts per second."""

CLOCK: Final = process_time
"""CPU seconds of this process. The time in which other processes have the processor doesn't count."""

UNDER: Final = "UNDER ITS FLOOR"
NO_VERDICT: Final = "no verdict: the sample is too small"
T = TypeVar("T")


class Length(Enum):
    """How long a benchmark runs: in full, quickly for a rough table, or one tiny round that only shows that it runs."""

    WHOLE = "whole"
    QUICK = "quick"
    TINY = "tiny"

    def of(self, whole: T, quick: T, tiny: T) -> T:
        """The value for this length."""
        return {Length.WHOLE: whole, Length.QUICK: quick, Length.TINY: tiny}[self]


class Report:
    """Prints tables with aligned columns, row by row. `kept`: no row has missed its floor so far.

    A tiny run has no verdicts.
    """

    def __init__(self, length: Length, title: int = 34) -> None:
        self.kept = True
        self._judged = length is not Length.TINY
        self._title = title
        self._widths: list[int] = []

    def head(self, title: str, *names: str) -> None:
        """Print the names of the columns. A column is as wide as its name needs."""
        self._widths = [max(9, len(name) + 2) for name in names]
        print(f"\n{self._line(title, names)}", flush=True)

    def row(self, title: str, *cells: str, kept: bool | None = None, enough: bool = True) -> None:
        """Print a row, and a verdict if its floor wasn't `kept`, or if the sample isn't large `enough` for one."""
        verdict = ""
        if kept is not None and not (enough and self._judged):
            verdict = f"  {NO_VERDICT}"
        elif kept is False:
            verdict, self.kept = f"  {UNDER}", False
        print(f"{self._line(title, cells)}{verdict}", flush=True)

    def _line(self, title: str, cells: Sequence[str]) -> str:
        """The cells aligned below the names of their columns. There may be fewer cells than names."""
        aligned = (f"  {cell:>{width - 2}}" for cell, width in zip(cells, self._widths, strict=False))
        return f"{title:{self._title}}{''.join(aligned)}".rstrip()


class PeerMissing(Exception):
    """A library to measure against isn't installed. The message says what to do."""


def peer(module: str, package: str) -> ModuleType:
    """Import a module that only benchmarks need. Raises PeerMissing."""
    find_peer(module, package)
    return importlib.import_module(module)


def find_peer(module: str, package: str) -> None:
    """Raise PeerMissing if such a module isn't installed. Doesn't import it."""
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        raise PeerMissing(
            f"This benchmark measures against {package}, which is not installed: `make bench` installs it."
        )


def timed(work: Callable[[], Counts]) -> Subject:
    """A subject that times all of `work`."""

    def subject() -> Sample:
        begun = CLOCK()
        counts = work()
        return counts, CLOCK() - begun

    return subject


def interleaved(subjects: Mapping[str, Subject], rounds: int, seconds: float) -> Rates:
    """Run all subjects by turns for `rounds` rounds, each for at least `seconds` a round.

    Every subject runs once before, to warm up, unless `seconds` is 0, as in a tiny run.
    """
    rates: dict[str, list[tuple[float, ...]]] = {name: [] for name in subjects}
    for subject in subjects.values() if seconds else ():
        subject()
    for _ in range(rounds):
        for name, subject in subjects.items():
            rates[name].append(_rate(subject, seconds))
    return rates


def _rate(subject: Subject, seconds: float) -> tuple[float, ...]:
    total, passed = subject()
    while passed < seconds:
        counts, more = subject()
        total = tuple(map(sum, zip(total, counts, strict=True)))
        passed += more
    return tuple(count / passed for count in total)


async def longest_stretch(work: Coroutine[Any, Any, Any]) -> float:
    """Run this, and return the longest CPU time in seconds for which the loop's thread kept others waiting meanwhile.

    The time is measured from one call of the loop's selector to the next, which adds no work to the loop. A callback
    that schedules itself again and again would: it would run between all steps of the store's threads.
    """
    selector = cast(Any, asyncio.get_running_loop())._selector
    look, stretches = selector.select, [0.0]
    last = thread_time()

    def select(timeout: float | None = None) -> Any:
        nonlocal last
        stretches.append(thread_time() - last)
        ready = look(timeout)
        last = thread_time()
        return ready

    selector.select = select
    try:
        await work
    finally:
        selector.select = look
    return max(stretches)


QUIET: Final = 0.0076
"""CPU seconds of the yardstick on the machine of the tables when nothing else runs: the median of 600 times."""

_YARDSTICKS: Final = 8
"""How often the yardstick is timed before some work, and after it."""


def quiet_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes on a quiet machine, by how slow this one is before and after it."""
    before, spent = slowness(), cpu_seconds(work)
    return spent * 2 / (before + slowness())


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes now."""
    begun = process_time()
    work()
    return process_time() - begun


def slowness() -> float:
    """Return how many times as long the yardstick takes now as on a quiet machine."""
    begun = process_time()
    for _ in range(_YARDSTICKS):
        yardstick()
    return (process_time() - begun) / (_YARDSTICKS * QUIET)


def yardstick() -> object:
    """Do the same work each time, of the kind that thinking consists of: tuples, a table of them, a sort."""
    table: dict[object, int] = {}
    for number in range(20_000):
        key = number % 7, number * 31 % 1009, (number & 3, number % 11)
        table[key] = table.get(key, 0) + 1
    return sorted(table, key=table.__getitem__)[0]


def middle(rates: Rates, subject: str, count: int = 0) -> float:
    """The median over the rounds of a subject's count number `count` per second."""
    return median(rate[count] for rate in rates[subject])


def ratio(rates: Rates, subject: str, against: str, count: int = 0) -> float:
    """The median over the rounds of a subject's rate divided by that of `against` in the same round."""
    return median(mine[count] / theirs[count] for mine, theirs in zip(rates[subject], rates[against], strict=True))


def quantile_of(figures: Sequence[float], part: int) -> float:
    """The percentile number `part` of the figures."""
    return quantiles(figures if len(figures) > 1 else [*figures, *figures], n=100, method="inclusive")[part - 1]
