"""How everything is measured: all subjects by turns in one run, so that a busy machine slows them alike.

What counts are ratios: each round gives one for every subject, against its peer in the same round, and the median of
the rounds stands in the table.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from statistics import median, quantiles
from time import process_time
from types import ModuleType
from typing import Final, TypeVar

Counts = tuple[int, ...]
"""How much of each thing that a subject counts (moves, matches, calls …) was done."""

Sample = tuple[Counts, float]
"""What was done, and in how many seconds."""

Subject = Callable[[], Sample]
"""One piece of work; it holds the watch itself, so that it can prepare something untimed."""

Rates = Mapping[str, list[tuple[float, ...]]]
"""By subject, round by round, the counts per second."""

CLOCK: Final = process_time
"""Seconds of this process alone, so that a machine shared with others does not count."""

UNDER: Final = "UNDER ITS FLOOR"
NO_VERDICT: Final = "no verdict: the sample is too small"
T = TypeVar("T")


class Length(Enum):
    """How long a benchmark runs: whole, roughly, or with one tiny round that only shows that it runs."""

    WHOLE = "whole"
    QUICK = "quick"
    TINY = "tiny"

    def of(self, whole: T, quick: T, tiny: T) -> T:
        """The one of the three that belongs to this length."""
        return {Length.WHOLE: whole, Length.QUICK: quick, Length.TINY: tiny}[self]


class Report:
    """Tables with aligned columns, printed row by row; `kept`: every row with a verdict has kept its floor so far.

    A tiny run says nothing about floors.
    """

    def __init__(self, length: Length, title: int = 34) -> None:
        self.kept = True
        self._judged = length is not Length.TINY
        self._title = title
        self._widths: list[int] = []

    def head(self, title: str, *names: str) -> None:
        """Print the names of the columns, which are as wide as they need to be."""
        self._widths = [max(9, len(name) + 2) for name in names]
        print(f"\n{self._line(title, names)}", flush=True)

    def row(self, title: str, *cells: str, kept: bool | None = None, enough: bool = True) -> None:
        """Print a row: with a verdict where its floor was not `kept`, or the reason why the sample allows none."""
        verdict = ""
        if kept is not None and not (enough and self._judged):
            verdict = f"  {NO_VERDICT}"
        elif kept is False:
            verdict, self.kept = f"  {UNDER}", False
        print(f"{self._line(title, cells)}{verdict}", flush=True)

    def _line(self, title: str, cells: Sequence[str]) -> str:
        """The cells under the names of their columns; there may be fewer cells than names."""
        aligned = (f"  {cell:>{width - 2}}" for cell, width in zip(cells, self._widths, strict=False))
        return f"{title:{self._title}}{''.join(aligned)}".rstrip()


class PeerMissing(Exception):
    """A library to measure against is not installed; the message is a sentence that says what to do."""


def peer(module: str, package: str) -> ModuleType:
    """The module of a benchmark-only dependency. Raises PeerMissing."""
    find_peer(module, package)
    return importlib.import_module(module)


def find_peer(module: str, package: str) -> None:
    """Look whether it is there, without importing it. Raises PeerMissing."""
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        raise PeerMissing(
            f"This benchmark measures against {package}, which is not installed: `make bench` installs it."
        )


def timed(work: Callable[[], Counts]) -> Subject:
    """A subject all of whose work counts."""

    def subject() -> Sample:
        begun = CLOCK()
        counts = work()
        return counts, CLOCK() - begun

    return subject


def interleaved(subjects: Mapping[str, Subject], rounds: int, seconds: float) -> Rates:
    """Run every subject for at least `seconds`, one after the other, `rounds` times over, after one run to warm up."""
    rates: dict[str, list[tuple[float, ...]]] = {name: [] for name in subjects}
    for subject in subjects.values():
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


def middle(rates: Rates, subject: str, count: int = 0) -> float:
    """The median of what `subject` did a second, in its count number `count`."""
    return median(rate[count] for rate in rates[subject])


def ratio(rates: Rates, subject: str, against: str, count: int = 0) -> float:
    """The median over the rounds of `subject` against `against`."""
    return median(mine[count] / theirs[count] for mine, theirs in zip(rates[subject], rates[against], strict=True))


def quantile_of(figures: Sequence[float], part: int) -> float:
    """What `part` of 100 figures do not exceed."""
    return quantiles(figures if len(figures) > 1 else [*figures, *figures], n=100, method="inclusive")[part - 1]
