"""Saboteur's experts against those that searched: by turns on either side of the deals of `by_sides`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from benchmarks.page import Block, row
from benchmarks.players import SABOTEUR_TABLES, Table, chooser
from benchmarks.sequential import MISSED, REACHED, Many, bounds
from benchmarks.strength.by_sides import Deal, deals, played, with_interval, yardstick
from benchmarks.strength.other_commit import Expert, code_of
from matches.computers.levels import Level

COMMIT: Final = "395909a8"
"""The last commit whose experts search."""

BETTER: Final = 0.05
"""How much more often saboteurs should win against experts than those that searched did in their place."""


class Won(NamedTuple):
    """1 if the diggers won a deal, else 0, for each way to choose the sides.

    A name says who dug, then who sabotaged.
    """

    expert_expert: float
    expert_searching: float
    rules_expert: float
    rules_searching: float
    searching_expert: float
    searching_searching: float

    @property
    def advantages(self) -> tuple[float, ...]:
        """How much more experts won than those that searched in their place, in the order of `ROWS`."""
        sabotaging = (
            self.expert_searching - self.expert_expert,
            self.rules_searching - self.rules_expert,
            self.searching_searching - self.searching_expert,
        )
        digging = self.expert_expert - self.searching_expert, self.expert_searching - self.searching_searching
        return *sabotaging, *digging


ROWS: Final = (
    "saboteurs, against experts",
    "saboteurs, against rules",
    "saboteurs, against experts that searched",
    "diggers, against experts",
    "diggers, against experts that searched",
)


def won(code: Path, deal: Deal) -> Won:
    """Play a deal in all ways, with the experts of the code in a folder as those that search."""
    rng = Random(f"{deal}")
    expert, rules = chooser(Level.EXPERT, deal.effort, rng), yardstick(rng)
    searching = [Expert(code, deal.table, deal.effort, f"{deal}") for _ in range(4)]
    return Won(
        played(deal, expert, expert),
        played(deal, expert, searching[0]),
        played(deal, rules, expert),
        played(deal, rules, searching[1]),
        played(deal, searching[2], expert),
        played(deal, searching[3], searching[3]),
    )


def compared(found: Sequence[Sequence[Won]]) -> tuple[list[str], bool]:
    """The rows of the table from the deals by number of players, and whether the goals are reached.

    On the first row, the mean of all must be at least `BETTER`, and its interval above 0. On the others, no interval of
    a number of players may be below 0.
    """
    columns = [[list(column) for column in zip(*(deal.advantages for deal in size), strict=True)] for size in found]
    rows, kept = list[str](), True
    for name, *sizes in zip(ROWS, *columns, strict=True):
        pooled = [each for size in sizes for each in size]
        reached = all(bounds(size)[1] >= 0 for size in sizes)
        if name == ROWS[0]:
            reached &= mean(pooled) >= BETTER and bounds(pooled)[0] > 0
        kept &= reached
        rows.append(row(name, *map(with_interval, sizes), with_interval(pooled, 3), REACHED if reached else MISSED))
    return rows, kept


def table(many: Many, effort: float, number: int, tables: Sequence[Table] = SABOTEUR_TABLES) -> tuple[Block, bool]:
    """The table of how much more experts win than those that searched, and whether the goals are reached."""
    with code_of(COMMIT) as code:
        play = partial(won, code)
        rows, kept = compared([list(many(play, list(islice(deals(each, effort), number)))) for each in tables])
    print("\n".join(rows), flush=True)
    above = (
        f"How much more often experts win than those that searched (commit {COMMIT}) do in their place, on the same "
        f"deals: {number} for each number of players, at {effort:.0%} of an expert's work in a match. The goals: "
        f"saboteurs against experts at least +{BETTER:.2f} in all, by the mean, with an interval above 0; no number of "
        "players with an interval below 0."
    )
    head = f"| experts as | {' | '.join(f'{each.players} players' for each in tables)} | all | |"
    return Block((above,), head, rows, by_game=False), kept
