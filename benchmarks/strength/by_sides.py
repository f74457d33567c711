"""How often gold-diggers win in Saboteur, with experts and the yardstick by turns on either side of the same deals.

A deal is one round that has a saboteur. All ways to choose the sides have the same roles, cards and treasure. The goals
say by how much experts may win less than the yardstick on the same side. The 95 % interval is that of the differences,
deal by deal. A second table says what it brings saboteurs to bluff, against experts and against the yardstick: the same
experts also sabotage without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.page import Block, row
from benchmarks.players import SABOTEUR_TABLES, Chooser, Table, by_role, chooser, positions, question
from benchmarks.sequential import MISSED, Many, bounds, verdict
from benchmarks.strength import rule_player
from games.core import CHANCE, State
from games.saboteur import SaboteurState
from games.saboteur.components import DIGGER, SABOTEUR
from matches.computers.judgements.saboteur import SaboteurJudgement
from matches.computers.levels import Level

AS_DIGGERS: Final = 0.03
AS_SABOTEURS: Final = 0.05
"""The most that experts may win less than the yardstick in their place."""

DEALS: Final = 400


class Deal(NamedTuple):
    """The first round of a match, for which experts have a part (`effort`) of their iterations."""

    table: Table
    number: int
    effort: float


class Won(NamedTuple):
    """1 if the diggers won a deal, else 0, for each way to choose the sides. A name says who dug, then who sabotaged.

    The goals compare the first three. `plain` are experts that don't bluff.
    """

    rules_rules: float
    expert_rules: float
    rules_expert: float
    expert_expert: float = 0.0
    expert_plain: float = 0.0
    rules_plain: float = 0.0


class Plain(SaboteurJudgement):
    """An expert to whom it makes no difference what a turn tells the others."""

    bluffs = False


def deals(table: Table, effort: float) -> Iterator[Deal]:
    """The deals of a table, without end: all in whose first round somebody is a saboteur."""
    for number in count():
        turn = next(state for state in positions(table, number, _asked_too_early) if state.current_player != CHANCE)
        assert isinstance(turn, SaboteurState)
        if SABOTEUR in turn.roles[:-1]:
            yield Deal(table, number, effort)


def _asked_too_early(_state: State[Any], _player: int) -> Chooser:
    raise AssertionError("Nobody plays before the roles are dealt.")


def won(deal: Deal) -> Won:
    """Play a deal in all ways: yardstick or experts as diggers, yardstick, experts or plain ones as saboteurs."""
    return Won(*rounds(deal))


def rounds(deal: Deal) -> Iterator[float]:
    """Play a deal in all ways, in the order of `Won`. Yield after each 1 if the diggers won, else 0."""
    rng = Random(f"{deal}")
    expert, rules = chooser(Level.EXPERT, deal.effort, rng), yardstick(rng)

    def plain(state: State[Any], player: int, lines: list[tuple[int, Any]]) -> Any:
        default = state.default_action()
        if default is not None:
            return default
        asked = question(state, player, lines, Level.EXPERT, deal.effort, rng)
        assert isinstance(asked.position, SaboteurState)
        return Plain(asked.position, asked.lines).planned(rng)

    pairs: list[tuple[Chooser, Chooser]] = [(rules, rules), (expert, rules), (rules, expert), (expert, expert)]
    pairs += [(expert, plain), (rules, plain)]
    for diggers, saboteurs in pairs:
        yield played(deal, diggers, saboteurs)


def yardstick(rng: Random) -> Chooser:
    """The player by rules of thumb."""
    return lambda state, player, lines: rule_player.by_rules(state, player, lines, rng)


def advantages(found: Sequence[Won]) -> tuple[list[float], list[float]]:
    """Return for each deal how much more experts won than the yardstick in their place: as diggers, as saboteurs."""
    digging = [deal.expert_rules - deal.rules_rules for deal in found]
    return digging, [deal.rules_rules - deal.rules_expert for deal in found]


def verdicts(digging: Sequence[float], sabotaging: Sequence[float]) -> tuple[str, str]:
    """Return whether experts reach their goals as diggers and as saboteurs."""
    return verdict(digging, -AS_DIGGERS), verdict(sabotaging, -AS_SABOTEURS)


def played(deal: Deal, diggers: Chooser, saboteurs: Chooser) -> float:
    """Play a deal. Returns 1 if the diggers won it, else 0."""
    for state in positions(deal.table, deal.number, by_role(diggers, saboteurs)):
        assert isinstance(state, SaboteurState)
        if state.decided:
            return float(state.decided[0].winners == DIGGER)
    raise AssertionError("A match has three rounds.")


def table(
    many: Many, effort: float, number: int, tables: Sequence[Table] = SABOTEUR_TABLES
) -> tuple[tuple[Block, Block], bool]:
    """The table by sides and that of bluffing, and whether no interval lies below its goal."""
    rows, kept = [], True
    bluffing = {"against experts": list[list[float]](), "against rules": list[list[float]]()}
    for each in tables:
        found = list(many(won, list(islice(deals(each, effort), number))))
        digging, sabotaging = advantages(found)
        reached = verdicts(digging, sabotaging)
        kept &= MISSED not in reached
        shares = [f"{mean(column):.2f}" for column in list(zip(*found, strict=True))[:4]]
        bluffing["against experts"].append([deal.expert_plain - deal.expert_expert for deal in found])
        bluffing["against rules"].append([deal.rules_plain - deal.rules_expert for deal in found])
        rows.append(
            row(each, number, *shares, with_interval(digging), reached[0], with_interval(sabotaging), reached[1])
        )
        print(rows[-1], flush=True)
    above = (
        f"Rounds won by the diggers at {effort:.0%} of an expert's work in a match, by who digs and who sabotages. The "
        f"last columns say how much more experts win than rules do in their place, as diggers (goal: at least "
        f"-{AS_DIGGERS:.2f}) and as saboteurs (at least -{AS_SABOTEURS:.2f}), with the 95 % interval."
    )
    columns = " | ".join(f"{each.players} players" for each in tables)
    head = f"| how much more often saboteurs win if they bluff | {columns} | all |"
    bluffs = [
        row(against, *map(with_interval, found), with_interval([each for size in found for each in size]))
        for against, found in bluffing.items()
    ]
    print("\n".join(bluffs), flush=True)
    return (Block((above,), _HEAD, rows), Block(("On the same deals:",), head, bluffs, by_game=False)), kept


_HEAD: Final = (
    "| game | deals | rules dig, rules sabotage | experts dig, rules sabotage | rules dig, experts sabotage | "
    "experts both | more as diggers | | more as saboteurs | |"
)


def with_interval(differences: Sequence[float], digits: int = 2) -> str:
    """The mean of differences, and its 95 % interval, as text."""
    low, high = bounds(differences)
    return f"{mean(differences):+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"
