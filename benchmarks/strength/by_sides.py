"""How often gold-diggers win in Saboteur, with experts and the yardstick by turns on either side of the same deals.

A round without a saboteur counts half. The goals say by how much experts may win less than the yardstick on the same
side. The 95 % interval is that of the differences, deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.page import Block, row
from benchmarks.players import Chooser, Table, Task, chooser, sides
from benchmarks.sequential import MISSED, bounds, verdict
from benchmarks.strength import rule_player
from games.core import State
from matches.computers.levels import Level

TABLES: Final = (Table("saboteur", 3), Table("saboteur", 5), Table("saboteur", 8))

AS_DIGGERS: Final = 0.03
AS_SABOTEURS: Final = 0.05
"""The most that experts may win less than the yardstick in their place."""

DEALS: Final = 200


class Match(NamedTuple):
    """A deal for which experts have a part (`effort`) of their iterations."""

    table: Table
    number: int
    effort: float


class Won(NamedTuple):
    """The share of rounds that the diggers won in a deal, named by who dug and who sabotaged."""

    rules_rules: float
    expert_rules: float
    rules_expert: float
    expert_expert: float


def won(match: Match) -> Won:
    """Play a deal four times: yardstick or experts as diggers, yardstick or experts as saboteurs."""
    rng = Random(f"{match}")
    expert = chooser(Level.EXPERT, match.effort, rng)

    def rules(state: State[Any], player: int, lines: list[tuple[int, Any]]) -> Any:
        return rule_player.by_rules(state, player, lines, rng)

    task = Task(match.table, Level.EXPERT, "rules", match.number, match.effort, 1.0)
    pairs: list[tuple[Chooser, Chooser]] = [(rules, rules), (expert, rules), (rules, expert), (expert, expert)]
    return Won(*(mean(sides(task, diggers, saboteurs)) for diggers, saboteurs in pairs))


def table(
    many: Callable[[Callable[[Match], Won], list[Match]], Iterable[Won]],
    effort: float,
    deals: int,
    tables: Sequence[Table] = TABLES,
) -> tuple[Block, bool]:
    """The table by sides, and whether no interval lies below its goal."""
    rows, kept = [], True
    for each in tables:
        found = list(many(won, [Match(each, number, effort) for number in range(deals)]))
        digging = [deal.expert_rules - deal.rules_rules for deal in found]
        sabotaging = [deal.rules_rules - deal.rules_expert for deal in found]
        verdicts = verdict(digging, -AS_DIGGERS), verdict(sabotaging, -AS_SABOTEURS)
        kept &= MISSED not in verdicts
        shares = [f"{mean(column):.2f}" for column in zip(*found, strict=True)]
        rows.append(row(each, deals, *shares, _range(digging), verdicts[0], _range(sabotaging), verdicts[1]))
        print(rows[-1], flush=True)
    above = (
        f"Rounds won by the diggers at {effort:.0%} of an expert's work in a match, by who digs and who sabotages. The "
        f"last columns say how much more experts win than rules do in their place, as diggers (goal: at least "
        f"-{AS_DIGGERS:.2f}) and as saboteurs (at least -{AS_SABOTEURS:.2f}), with the 95 % interval."
    )
    return Block((above,), _HEAD, rows), kept


_HEAD: Final = (
    "| game | deals | rules dig, rules sabotage | experts dig, rules sabotage | rules dig, experts sabotage | "
    "experts both | more as diggers | | more as saboteurs | |"
)


def _range(differences: Sequence[float]) -> str:
    low, high = bounds(differences)
    return f"{mean(differences):+.2f} ({low:+.2f} to {high:+.2f})"
