"""How computers behave in Saboteur when they play each other: whether they act like sensible people.

The definitions share nothing with the computers' judgement. A path card is *for nothing* if it turns nothing up and
brings no end of a path nearer to a place where its player may think the treasure is. An action is *openly hostile* if
it breaks somebody else's tool, removes a card of a path, lays a dead end, or leads the paths away from every finish
card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.page import Block, row
from benchmarks.players import Table, chooser, positions
from benchmarks.sequential import Many
from games.grid import Cell
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, LookAt, Repair, RockFall
from games.saboteur.board import Maze
from games.saboteur.components import DIGGER, FINISH, MAP, REPAIR_CARDS, SABOTEUR, TOOLS, TREASURE
from matches.computers.levels import Level

PLAYERS: Final = (3, 4, 5, 8)


class Bound(NamedTuple):
    """The allowed share of `counted` in `of`, two of the names that `behaviour` counts: from `low` to `high`."""

    what: str
    counted: str
    of: str
    low: float
    high: float


BOUNDS: Final = (
    Bound("saboteurs who are openly hostile on their first turn", "first hostile", "first", 0.0, 0.25),
    Bound("diggers' path cards for nothing", "for nothing", "dug", 0.0, 0.10),
    Bound("turns with a map that tells something, and a look or a path card for something", "looked", "map", 0.85, 1.0),
    Bound("turns with a broken tool that could be repaired, and was", "mended", "broken", 0.95, 1.0),
    Bound("rounds with a saboteur won by the diggers", "won", "rounds", 0.25, 0.75),
)
WON_BY_FOUR: Final = 0.90
"""The largest share of rounds that the diggers may win among four players: there is often one saboteur, or none."""


def high(bound: Bound, players: int) -> float:
    """The upper bound at a table of this many players."""
    return WON_BY_FOUR if bound.counted == "won" and players == 4 else bound.high


class Match(NamedTuple):
    """A match among computers of one level, with a part (`effort`) of their iterations."""

    players: int
    deal: int
    level: Level
    effort: float


def behaviour(match: Match) -> Counter[str]:
    """Play a match and count what the computers do, by the names in `BOUNDS`."""
    computer = chooser(match.level, match.effort, Random(f"{match}"))
    counts: Counter[str] = Counter()
    begun: set[tuple[int, int]] = set()
    struck: set[tuple[int, int]] = set()

    def counting(state: Any, player: int, lines: list[tuple[int, Any]]) -> Any:
        action = computer(state, player, lines)
        if state.due == "turn":
            turn = len(state.decided), player
            _count(counts, state, action, first=turn not in begun)
            begun.add(turn)
            if state.roles[player] == SABOTEUR and turn not in struck and _is_hostile(state, action):
                struck.add(turn)
                counts["strikes"] += 1
                counts["missing at a strike"] += missing(state.maze, open_goals(state))
        return action

    *_, end = positions(Table("saboteur", match.players), match.deal, lambda *_: counting)
    assert isinstance(end, SaboteurState)
    for past in end.decided:
        if SABOTEUR in past.roles[:-1]:
            counts["rounds"] += 1
            counts["won"] += past.winners == DIGGER
    return counts


def _count(counts: Counter[str], state: SaboteurState, action: Any, *, first: bool) -> None:
    player, hand = state.current_player, state.hands[state.current_player]
    goals = possible_goals(state, player)
    helps = isinstance(action, Dig) and _helps(state, action, goals)
    if MAP in hand and len(goals) > 1:
        counts["map"] += 1
        counts["looked"] += action.cell in goals if isinstance(action, LookAt) else helps
    broken = {tool for tool, seats in zip(TOOLS, state.broken, strict=True) if seats >> player & 1}
    if any(broken & set(card[1:]) for card in hand if card in REPAIR_CARDS):
        counts["broken"] += 1
        counts["mended"] += isinstance(action, Repair) and action.seat == player
    if state.roles[player] == SABOTEUR:
        counts["first"] += first
        counts["first hostile"] += first and _is_hostile(state, action)
    elif isinstance(action, Dig):
        counts["dug"] += 1
        counts["for nothing"] += not helps


def _helps(state: SaboteurState, action: Dig, goals: Sequence[Cell]) -> bool:
    after = state.child(state.current_player, action)
    return bool(after.effect.turned_up) or missing(after.maze, goals) < missing(state.maze, goals)


def _is_hostile(state: SaboteurState, action: Any) -> bool:
    match action:
        case Break(_, seat):
            return seat != state.current_player
        case RockFall(cell):
            return state.maze.cards[cell].isupper()
        case Dig(piece):
            after = state.child(state.current_player, action)
            away = missing(after.maze, open_goals(state)) > missing(state.maze, open_goals(state))
            return piece.islower() or (away and not after.effect.turned_up)
        case _:
            return False


def open_goals(state: SaboteurState) -> tuple[Cell, ...]:
    return tuple(cell for cell in FINISH if cell not in state.maze.cards)


def possible_goals(state: SaboteurState, player: int) -> tuple[Cell, ...]:
    """The places where the treasure may be, as far as the player has seen."""
    seen = [cell for cell, seats in zip(FINISH, state.seen, strict=True) if seats >> player & 1]
    found = FINISH[state.goals.index(TREASURE)]
    return (found,) if found in seen else tuple(cell for cell in open_goals(state) if cell not in seen)


def missing(maze: Maze, goals: Sequence[Cell]) -> int:
    """The number of cards missing between the nearest end of a path and the nearest of `goals`, as the crow flies."""
    ends = [cell for cell, fits in maze.frontier.items() if fits or cell in goals]
    return min((abs(x - gx) + abs(y - gy) for x, y in ends for gx, gy in goals), default=99)


def table(many: Many, effort: float, deals: int) -> tuple[Block, bool]:
    """The table of what experts do among themselves, and whether every share is within its bounds."""
    rows, found = [], []
    for players in PLAYERS:
        counts: Counter[str] = Counter()
        for each in many(behaviour, [Match(players, deal, Level.EXPERT, effort) for deal in range(deals)]):
            counts.update(each)
        found.append(counts)
    kept = True
    for bound in BOUNDS:
        cells = []
        for players, counts in zip(PLAYERS, found, strict=True):
            share = counts[bound.counted] / max(counts[bound.of], 1)
            keeps = bound.low <= share <= high(bound, players)
            kept &= keeps
            cells.append(f"{share:.2f} of {counts[bound.of]}{'' if keeps else ' out of bounds'}")
        rows.append(row(bound.what, *cells, f"{bound.low:.2f} to {bound.high:.2f}"))
    distances = [f"{counts['missing at a strike'] / max(counts['strikes'], 1):.1f}" for counts in found]
    rows.append(row("cards missing at a saboteur's first open strike", *distances, ""))
    above = f"At {effort:.0%} of an expert's work in a match, {deals} matches each:"
    columns = " | ".join(f"{each} players" for each in PLAYERS)
    head = f"| in Saboteur, experts among themselves | {columns} | |"
    return Block((above,), head, rows, by_game=False), kept
