"""The yardstick of Saboteur: an expert that follows rules, without search and without hiding its role.

It only uses what its seat may know: its own cards and role, what it has looked at, and what was done openly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import exp
from random import Random
from typing import Any, Final

from games.core import CHANCE, State
from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall, Roles, numbers
from games.saboteur.board import NEW_MAZE, Maze, fitting
from games.saboteur.components import DIGGER, FINISH, JOINED_CARDS, MAP, PIECES, ROCK, SIDES, TREASURE

_SUSPECT: Final = 2
"""A player who has done this much more against the diggers than for them has to be stopped."""

_FAR: Final = 15
"""The number of missing cards if there is no way."""

_WAYS: Final = {
    piece: tuple(edge for edge in range(4) if SIDES[piece][edge].joined) for piece in PIECES if piece.isupper()
}
_SPARED: Final = 4
"""The most new cards that a way is thought to save by leading through cards that are cut off."""

_MOST: Final = 150
"""Most places that are looked at for the shortest way."""


@lru_cache(maxsize=1 << 12)
def _exits(fits: int, entered: int) -> tuple[int, ...]:
    """The edges to which one of these pieces leads from the edge `entered`."""
    pieces = [PIECES[number] for number in numbers(fits)]
    return tuple({edge for piece in pieces if entered in _WAYS.get(piece, ()) for edge in _WAYS[piece]} - {entered})


def _apart(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def way(maze: Maze, goal: Cell, starts: Iterable[tuple[Cell, int]]) -> tuple[Cell, ...] | None:
    """The empty cells of the shortest way to `goal`; ``None`` if there is none.

    It starts in a cell that is entered at an edge, and leads through cells where a card fits, and cards that are cut
    off.
    """
    spared = min(len(maze.stranded), _SPARED)
    # Of equally long ways the one that is further on comes first.
    ways = [(max(_apart(cell, goal) - spared, 0), 0, cell, edge, tuple[Cell, ...]()) for cell, edge in starts]
    heapify(ways)
    seen = set[tuple[Cell, int]]()
    for _ in range(_MOST):
        if not ways:
            break
        *_, cell, edge, laid = heappop(ways)
        if cell == goal:
            return laid
        if (cell, edge) in seen:
            continue
        seen.add((cell, edge))
        exits = _onwards(maze, cell, edge)
        if cell not in maze.cards:
            laid = (*laid, cell)
        beside = neighbours(cell)
        for each in exits:
            onto = beside[each], OPPOSITE[each]
            if onto not in seen:
                length = len(laid) + max(_apart(onto[0], goal) - spared, 0)
                heappush(ways, (length, -len(laid), *onto, laid))
    return None


def _onwards(maze: Maze, cell: Cell, entered: int) -> tuple[int, ...]:
    """The edges at which a way can leave a cell."""
    card = maze.cards.get(cell)
    if card is None:
        return () if cell in FINISH else _exits(fitting(maze.cards, cell), entered)
    if cell not in maze.stranded or not SIDES[card][entered].joined:
        return ()
    return tuple(edge for edge in range(4) if edge != entered and SIDES[card][edge].joined)


def ends(maze: Maze) -> list[tuple[Cell, int]]:
    """The cells into which the paths open, with the edges that they enter at."""
    return [(cell, edge) for cell in maze.frontier for edge in maze.ways_in(cell)]


def missing(maze: Maze, goal: Cell, starts: Iterable[tuple[Cell, int]]) -> int:
    """The number of cards that the shortest way needs."""
    found = way(maze, goal, starts)
    return _FAR if found is None else min(len(found), _FAR)


class Turn:
    """What the player whose turn it is knows, and what follows from it."""

    def __init__(self, state: SaboteurState, player: int, lines: Sequence[tuple[int, Any]]) -> None:
        self.state, self.player, self.hand = state, player, state.hands[player]
        self.harmful, told = read(state, lines)
        self.blocked = state.broken[0] | state.broken[1] | state.broken[2]
        self.goals = self._goals(told)
        self.ends = ends(state.maze)
        self.ways = {goal: way(state.maze, goal, self.ends) for goal in FINISH if goal not in state.maze.cards}
        self.missing = {goal: _FAR if way is None else min(len(way), _FAR) for goal, way in self.ways.items()}
        self.nearest = min(self.missing.values(), default=_FAR)
        self.need = self.cost(self.missing)
        self._found: dict[tuple[Cell, int, Cell], int] = {}
        self.along = {
            beside for way in self.ways.values() for cell in way or () for beside in (cell, *neighbours(cell))
        }

    def _goals(self, told: Sequence[float]) -> dict[Cell, float]:
        """How likely the treasure is at each finish card."""
        state, odds = self.state, dict[Cell, float]()
        for number, cell in enumerate(FINISH):
            if cell in state.maze.cards:
                continue
            if state.seen[number] >> self.player & 1:
                if state.goals[number] == TREASURE:
                    return {cell: 1.0}
            else:
                odds[cell] = exp(max(min(told[number], 3.0), -3.0))
        total = sum(odds.values())
        return {cell: each / total for cell, each in odds.items()}

    def cost(self, away: Mapping[Cell, int]) -> float:
        """The number of missing cards, weighted by how likely the treasure is at each finish card."""
        if not self.goals:
            return 0.0
        first = min(away[goal] + 3 * (1 - chance) for goal, chance in self.goals.items())
        return first + 0.15 * sum(chance * away[goal] for goal, chance in self.goals.items())

    def after(self, maze: Maze) -> dict[Cell, int]:
        """The missing cards by finish card in another maze."""
        starts = ends(maze)
        return {goal: missing(maze, goal, starts) for goal in self.ways}

    def after_dig(self, dig: Dig) -> dict[Cell, int]:
        """The missing cards after a path card, if it doesn't lie in another path's way."""
        beside = neighbours(dig.cell)
        openings = [(beside[edge], OPPOSITE[edge]) for edge in range(4) if SIDES[dig.piece][edge].joined]
        return {
            goal: min(self.missing[goal], *(self._from(goal, *opening) for opening in openings)) for goal in self.ways
        }

    def _from(self, goal: Cell, cell: Cell, edge: int) -> int:
        key = goal, edge, cell
        if key not in self._found:
            stranded = len(self.state.maze.stranded)
            if (cell in self.state.maze.cards and not stranded) or _apart(cell, goal) - stranded >= self.missing[goal]:
                self._found[key] = _FAR
            else:
                self._found[key] = missing(self.state.maze, goal, [(cell, edge)])
        return self._found[key]


def read(state: SaboteurState, lines: Sequence[tuple[int, Any]]) -> tuple[list[int], list[float]]:
    """By seat how much more it has done against the diggers than for them; by finish card what diggers' paths tell."""
    begin = max((number for number, (_, action) in enumerate(lines) if isinstance(action, Roles)), default=0)
    harmful, told = [0] * state.players, [0.0] * len(FINISH)
    seen = [[False] * len(FINISH) for _ in range(state.players)]
    maze, dead = NEW_MAZE, set()
    hints = list[tuple[int, int, int]]()
    broken = list[tuple[int, int]]()
    for player, action in lines[begin:]:
        if player == CHANCE:
            continue
        match action:
            case Dig(piece, cell):
                edges = [edge for edge in range(4) if SIDES[piece][edge].joined]
                openings = [(neighbours(cell)[edge], OPPOSITE[edge]) for edge in edges]
                gains = [0] * len(FINISH)
                for number, goal in enumerate(FINISH):
                    if goal not in maze.cards:
                        near = min((_apart(each, goal) for each, _ in openings if each not in maze.cards), default=_FAR)
                        gains[number] = max(min(_apart(cell, goal) - near, 2), -2)
                for number, gain in enumerate(gains):
                    if seen[player][number]:
                        rest = max(other for rival, other in enumerate(gains) if rival != number)
                        hints.append((player, number, gain - rest))
                if piece.islower():
                    harmful[player] += 2
                    dead.add(cell)
                else:
                    harmful[player] -= 1 if max(gains) > 0 else -1
                maze = maze.lay(cell, piece)
                for goal in FINISH:
                    if goal in maze.frontier and goal in state.maze.cards:
                        maze = maze.lay(goal, state.maze.cards[goal])
            case RockFall(cell):
                harmful[player] += -2 if cell in dead else 2
                maze = maze.remove(cell)
            case Break(_, seat) if seat != player:
                harmful[player] += -1 if harmful[seat] >= _SUSPECT else 1
                broken.append((player, seat))
            case Repair(_, seat) if seat != player:
                harmful[player] += 1 if harmful[seat] >= _SUSPECT else -1
            case LookAt(cell):
                seen[player][FINISH.index(cell)] = True
    for player, seat in broken:
        harmful[seat] -= harmful[player] >= _SUSPECT
    for player, number, gain in hints:
        told[number] += (0.5 if harmful[player] < 0 else -0.3 if harmful[player] >= _SUSPECT else 0.1) * gain
    return harmful, told


def by_rules(state: State[Any], player: int, lines: Sequence[tuple[int, Any]], rng: Random) -> Any:
    """The action that the expert's rules value most; one of the best at random."""
    assert isinstance(state, SaboteurState)
    actions = state.legal_actions(player)
    default = state.default_action()
    if default is not None or len(actions) == 1:
        return default or actions[0]
    turn = Turn(state, player, lines)
    value = _digger if state.roles[player] == DIGGER else _saboteur
    worth = {action: value(turn, action) for action in actions}
    best = max(worth.values())
    return rng.choice([action for action in actions if worth[action] >= best - 1e-9])


def _digger(turn: Turn, action: Any) -> float:
    state, player, harmful = turn.state, turn.player, turn.harmful
    match action:
        case Repair(card, seat):
            if seat == player:
                return 90 - len(card)
            last = sum(seats >> seat & 1 for seats in state.broken) == 1
            return (55 if harmful[seat] < 0 else 45 if harmful[seat] < _SUSPECT else 5) + last - len(card)
        case Dig(piece):
            if piece.islower():
                return 1
            away = turn.after_dig(action)
            if any(not away[goal] and turn.missing[goal] for goal in turn.goals):
                return 95 + max(chance for goal, chance in turn.goals.items() if not away[goal])
            gain = turn.need - turn.cost(away)
            return 70 + 5 * gain + 0.1 * len(piece) if gain > 0.01 else 1
        case LookAt(cell):
            return 80 - turn.missing[cell] if len(turn.goals) > 1 and cell in turn.goals else 3
        case Break(_, seat):
            blocked = turn.blocked >> seat & 1
            return 0 if seat == player else 77 + harmful[seat] if harmful[seat] >= _SUSPECT and not blocked else 4
        case RockFall(cell):
            if state.maze.cards[cell].isupper():
                return 2
            gain = turn.need - turn.cost(turn.after(state.maze.remove(cell)))
            return 65 + 5 * gain if gain > 0.5 else 2
        case Drop(card):
            return _useless(turn, card)
        case _:
            return 0


def _useless(turn: Turn, card: str) -> float:
    """How gladly a digger discards a card: 10 to 40."""
    held = turn.hand.count(card)
    if card in JOINED_CARDS:
        through = "E" in card and "W" in card
        return 10 + held if through else 32 if card == "NS" else 24 + 3 * (held > 1) - len(card)
    if card.islower() and card not in (MAP, ROCK):
        return 38
    if card == MAP:
        return 40 if len(turn.goals) == 1 else 10
    if card[0] == "+":
        return 20 + 6 * (held > 1) - len(card)
    return 28 if card[0] == "-" else 21


def _saboteur(turn: Turn, action: Any) -> float:
    state, player, harmful = turn.state, turn.player, turn.harmful
    match action:
        case Break(_, seat):
            return 0 if seat == player or turn.blocked >> seat & 1 else 60 - harmful[seat]
        case RockFall(cell):
            if turn.nearest > 4:
                return 3
            gain = turn.need - turn.cost(turn.after(state.maze.remove(cell)))
            return 70 - gain if gain < 0 else 3
        case Dig():
            if action.cell not in turn.along:
                return 15
            maze = state.maze.lay(action.cell, action.piece)
            if any(goal in maze.frontier for goal in turn.ways):
                return 0
            gain = turn.need - turn.cost(turn.after(maze))
            return 0 if gain > 0 else 65 - gain if gain < 0 else 15
        case LookAt():
            return 25 if len(turn.goals) > 1 else 4
        case Repair(_, seat):
            return 35 if seat == player else 1
        case Drop(card):
            return 20 if card in JOINED_CARDS or card == MAP or card[0] == "+" else 10
        case _:
            return 0
