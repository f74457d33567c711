"""A figure of the table about reviews, with its 95 % interval and its floor."""

from __future__ import annotations

from math import sqrt
from typing import Final, NamedTuple

from benchmarks.measure import UNDER
from benchmarks.page import row
from benchmarks.players import Table

HEAD: Final = "| game | what | n | found | 95 % interval | floor | | measured |"

_Z: Final = 1.96


class Figure(NamedTuple):
    """What was found at a table in `n` cases, as text, and whether it kept its floor."""

    table: Table
    what: str
    n: int
    found: str
    interval: str
    floor: str
    kept: bool

    @property
    def cells(self) -> tuple[object, ...]:
        """The cells of its row. The last one says whether it is under its floor."""
        verdict = "" if self.kept else UNDER.lower()
        return (self.table, self.what, self.n, self.found, self.interval, self.floor, verdict)

    def __str__(self) -> str:
        return row(*self.cells)


def share(table: Table, what: str, hits: int, n: int, floor: float) -> Figure:
    """A share of the cases, as a figure. It is under its floor if the whole interval is."""
    low, high = wilson(hits, n)
    found = f"{hits / n:.0%}" if n else "none"
    return Figure(table, what, n, found, f"{low:.0%}-{high:.0%}", f"{floor:.0%}", high >= floor)


def rate(table: Table, what: str, count: int, n: int, cases: int) -> Figure:
    """How many events so many cases have, as a figure, of which `count` were in `n` cases. At most one is allowed.

    It is beyond that if the whole interval is.
    """
    found, low, high = (each * cases / max(n, 1) for each in (count, *poisson(count)))
    return Figure(table, what, n, f"{found:.2f}", f"{low:.2f}-{high:.2f}", "<= 1", low <= 1)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The ends of Wilson's 95 % interval of a share."""
    if not n:
        return 0.0, 1.0
    found, square = hits / n, _Z * _Z
    middle = found + square / (2 * n)
    margin = _Z * sqrt(found * (1 - found) / n + square / (4 * n * n))
    return max(0.0, (middle - margin) / (1 + square / n)), min(1.0, (middle + margin) / (1 + square / n))


def poisson(count: int) -> tuple[float, float]:
    """The ends of Byar's 95 % interval of an expected number of which `count` were seen."""
    more = count + 1
    low = count * (1 - 1 / (9 * count) - _Z / (3 * sqrt(count))) ** 3 if count else 0.0
    return max(0.0, low), more * (1 - 1 / (9 * more) + _Z / (3 * sqrt(more))) ** 3
