"""Trials that are measured in parts: the results stand in a file, and a later run goes on after them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from benchmarks.players import Table
from benchmarks.sequential import in_time
from matches.analysis.progress import VERSIONS

FILE: Final = Path(__file__).with_name("trials.jsonl")
"""A line for each trial: its text, the version of judging, and the result."""


class OfTable(Protocol):
    """A trial at a table. Its text names it, so that a trial with other numbers is another one."""

    @property
    def table(self) -> Table:
        """The table."""


def numbered(most: Mapping[str, int], tables: Sequence[Table]) -> Iterator[tuple[Table, int]]:
    """Yield each table with the numbers 0, 1, …: as many as `most` has for its game. The tables take turns."""
    for number in range(max(most.values())):
        yield from ((table, number) for table in tables if number < most[table.game])


D = TypeVar("D", bound=OfTable)
R = TypeVar("R")


def in_parts(
    do: Callable[[D], R],
    tasks: Iterable[D],
    minutes: float | None,
    read: Callable[[Any], R],
    file: Path | None = FILE,
) -> Iterator[tuple[D, R]]:
    """Yield each task with its result: first those that the file has, then those that are done now.

    The file gets these at once. A result of another version of judging doesn't count. `read` makes a result of what
    JSON has left of it. Without a file, all is done now.
    """
    lines = file.read_text("ascii").splitlines() if file is not None and file.exists() else []
    kept = {(said["trial"], said["version"]): said["found"] for said in map(json.loads, lines)}
    left = []
    for task in tasks:
        key = str(task), VERSIONS[task.table.game]
        if key in kept:
            yield task, read(kept[key])
        else:
            left.append(task)
    for task, found in in_time(do, left, minutes):
        if file is not None:
            said = {"trial": str(task), "version": VERSIONS[task.table.game], "found": found}
            with file.open("a", encoding="ascii") as opened:
                opened.write(f"{json.dumps(said)}\n")
        yield task, found
