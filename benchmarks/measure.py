"""How everything is measured: all subjects by turns in one run, so that a busy machine slows them alike.

What counts are ratios: each round gives one for every subject, against its peer in the same round, and the median of
the rounds stands in the table.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from statistics import median
from time import process_time
from types import ModuleType
from typing import Final

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
