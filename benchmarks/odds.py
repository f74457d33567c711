"""How often gold-diggers win a round of Saboteur, by number of players, among computers of one level.

The figures go into ``games/rules/odds.json``, from which `games/odds.py` reads them for the rules page and profiles,
and into two documents. A quick run measures experts, and keeps what was measured of normal computers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from benchmarks.measure import Length
from benchmarks.page import Block, row, write
from benchmarks.players import Table, chooser, positions
from benchmarks.review.figures import wilson
from benchmarks.sequential import Many, workers
from games.odds import FILE, Odds, measured
from games.saboteur import SaboteurState
from games.saboteur.components import DIGGER, ROLE_NAMES, ROLES, SABOTEUR
from matches.computers.levels import Level

GAME: Final = "saboteur"
EFFORT: Final = 0.05
"""The part of their work that the computers do."""

ROUNDS: Final = {Level.NORMAL: 2000, Level.EXPERT: 300}
"""The least number of rounds with a saboteur for each number of players."""

_BATCH: Final = 50
_RATINGS: Final = Path(__file__).parent.parent / "docs" / "ratings.md"


class Task(NamedTuple):
    """The first round of a match among computers of a level."""

    level: str
    players: int
    deal: int


class Ended(NamedTuple):
    """A round: the role of each player, and whether the gold-diggers won."""

    roles: str
    won: bool


def played(task: Task) -> Ended:
    """Play a round, until it is decided or it is proven that nobody can reach the treasure."""
    everybody = chooser(task.level, EFFORT, Random(f"{task}"))
    for state in positions(Table(GAME, task.players), task.deal, lambda *_: everybody):
        assert isinstance(state, SaboteurState)
        if state.decided:
            return Ended("".join(state.decided[0].roles[:-1]), state.decided[0].winners == DIGGER)
        if state.is_lost:
            return Ended("".join(state.roles[:-1]), won=False)
    raise AssertionError("A match has three rounds.")


def found(many: Many, level: str, players: int, rounds: int) -> Odds:
    """Play at least so many rounds with a saboteur, and those without one that are dealt on the way."""
    ended = list[Ended]()
    while sum(SABOTEUR in each.roles for each in ended) < rounds:
        batch = range(len(ended), len(ended) + min(_BATCH, rounds))
        ended += many(played, [Task(level, players, deal) for deal in batch])
    return counted(level, players, ended)


def counted(level: str, players: int, ended: Sequence[Ended]) -> Odds:
    """Count what rounds show."""
    opposed = [each.won for each in ended if SABOTEUR in each.roles]
    low, high = (round(end, 3) for end in wilson(sum(opposed), len(opposed)))
    shares = {
        name: round(fmean((role == DIGGER) == each.won for each in ended for has in each.roles if has == role), 2)
        for role, name in ROLE_NAMES.items()
    }
    return Odds(level, players, len(opposed), round(fmean(opposed), 3), low, high, shares)


def run(length: Length) -> bool:
    """Measure, print, and write the figures wherever they stand. A tiny run plays one round, and writes nothing."""
    levels = length.of([Level.NORMAL, Level.EXPERT], [Level.EXPERT], [Level.EXPERT])
    kept = {(each.level, each.players): each for each in measured(GAME)}
    with workers() as pool:
        for level in levels:
            for players in length.of([*ROLES], [*ROLES], [5]):
                each = found(pool.map, level, players, 1 if length is Length.TINY else ROUNDS[level])
                kept[level, players] = each
                print(*each, flush=True)
    if length is not Length.TINY:
        rows = sorted(kept.values(), key=lambda each: (list(ROUNDS).index(Level(each.level)), each.players))
        Path(str(FILE)).write_text(f"{json.dumps({GAME: rows})}\n", "ascii")
        write("odds", [of_sides(rows)])
        write("roles", [of_roles(rows)], document=_RATINGS)
    return True


def of_sides(rows: Sequence[Odds]) -> Block:
    """The table of how often the gold-diggers win."""
    text = f"Rounds with a saboteur that the gold-diggers win, at {EFFORT:.0%} of the computers' work in a match."
    cells = [
        row(each.players, each.level, each.rounds, f"{each.won:.3f}", f"{each.low:.3f}-{each.high:.3f}")
        for each in rows
    ]
    return Block([text], "| players | level | rounds | won | 95 % interval |", cells, by_game=False)


def of_roles(rows: Sequence[Odds]) -> Block:
    """The table of how often each role wins among normal computers."""
    names = list(ROLE_NAMES.values())
    cells = [
        row(each.players, *(f"{each.shares[name]:.2f}" for name in names))
        for each in rows
        if each.level == Level.NORMAL
    ]
    return Block([], f"| players | {' | '.join(names)} |", cells, by_game=False)
