"""What an expert does on a turn of Saboteur: rules of thumb that weigh all actions in path cards.

A search sees too few lines ahead here to beat them. The unit is a path card that brings the paths nearer by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache, reduce
from math import exp
from operator import or_
from random import Random
from typing import Any, Final

from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall, numbers
from games.saboteur.board import Maze
from games.saboteur.components import BREAK_CARDS, DEAD_ENDS, FINISH, MAP, PIECES, REPAIR_CARDS, ROCK, SIDES
from matches.computers.judgements.saboteur.conduct import Conduct, Rank
from matches.computers.judgements.saboteur.paths import FAR, LEADING_IN, cards_of
from matches.computers.judgements.saboteur.roles import Beliefs
from matches.computers.judgements.saboteur.turns import unseen

_AREA: Final = range(-2, 11), range(-5, 6)
"""The columns and rows through which a way is thought to lead."""

_TRIED: Final = 3
"""How many cards are tried until one of them has to fit. If none does, that costs as much as a path card."""

_OTHERS: Final = 0.15
"""What the mean distance to the finish cards counts, beside the distance to the best one."""

_WRONG: Final = 3.0
"""How many cards it costs to have gone to the wrong finish card."""

_LEAST: Final = 0.25
"""A path card that brings the paths nearer by no more than this is no help, and one that does so is no harm."""

FOUND: Final = 3.0
"""What it is worth to a digger to reach the treasure for certain."""

LOOKED: Final = 0.9
"""What it is worth to a digger to look at a finish card: less than a path card that brings the paths nearer."""

FREED: Final = 2.2
"""What it is worth to free a friend of their last broken tool. A saboteur who is found out has friends, too."""

STOPPED: Final = 1.5
"""What it is worth to a digger that a saboteur can lay no path cards."""

HELD_UP, _AGAIN = 1.2, 0.8
"""What it is worth to a saboteur to break a digger's first tool, and another one."""

_SOONER: Final = 0.4
"""How much less it is worth to break a tool of who has just had their turn than of who comes next."""

CUT, _FARTHER = 2.4, 0.4
"""What it is worth to a saboteur to remove a card of the path, and what each further card counts that it costs."""

_SEEN, _FAR_AWAY = 0.2, 0.5
"""What a path card is worth to a saboteur while the path is far from its goals, and how much each card of harm adds."""

BLUFF: Final = 3
"""What it costs a saboteur that everybody takes them for one, while all is to come."""

UNNOTICED: Final = 0.3
"""Up to this probability it doesn't matter to a saboteur."""

_NEAR, _FAR = 3, 6
"""That costs nothing when so few cards are missing, and all of it when so many are."""

_TURNS: Final = 12
"""It costs all of it if a player has at least so many turns to come."""

_SEEMING: Final = 0.5
"""What it costs a digger that everybody takes them for a saboteur."""


@lru_cache(maxsize=1 << 12)
def _field(taken: frozenset[Cell], goal: Cell) -> dict[Cell, int]:
    """Return by empty cell how many cards a path there needs to `goal`, with its own, around the `taken` cells."""
    found, row, step = {goal: 0}, [goal], 0
    columns, rows = _AREA
    while row:
        step += 1
        beside = [each for cell in row for each in neighbours(cell)]
        row = []
        for cell in beside:
            inside = cell[0] in columns and cell[1] in rows
            if inside and cell not in found and cell not in taken and cell not in FINISH:
                found[cell] = step
                row.append(cell)
    return found


@lru_cache(maxsize=1 << 14)
def _onwards(fits: int, ways: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return for each way on how many cards it needs where these pieces fit, and which of them (a mask) lead there.

    `ways` says by edge how many cards are needed from there on.
    """
    found = []
    for edge, way in enumerate(ways):
        leading = fits & LEADING_IN[OPPOSITE[edge]]
        if way < FAR and leading:
            found.append((1 + way, leading))
    return found


def _ends(maze: Maze, goal: Cell, *, whole: bool = False) -> list[tuple[int, int]]:
    """Return for each way from an end how many cards it needs to `goal`, and which pieces (a mask) lead there.

    `whole`: cards that are cut off stay so.
    """
    far, found = _field(frozenset(maze.cards), goal), []
    for cell, fits in maze.frontier.items():
        if cell == goal:
            return [(0, 0)]
        if not fits or cell in FINISH:
            continue
        beside = neighbours(cell)
        found += _onwards(fits, tuple([far.get(each, FAR) for each in beside]))
        if maze.stranded and not whole:
            cut_off = [edge for edge, each in enumerate(beside) if each in maze.stranded]
            for number in numbers(fits) if cut_off else ():
                if any(SIDES[PIECES[number]][edge].joined for edge in cut_off):
                    after = _ends(maze.lay(cell, PIECES[number]), goal, whole=True)
                    found += [(min(1 + needed, FAR), 1 << number) for needed, _ in after]
    return found


class Plan(Conduct):
    """What an expert does on a turn. Saboteurs mend and look first, by the conduct."""

    def __init__(
        self, state: SaboteurState, foes: Sequence[float], exposed: float, own: Sequence[Any], beliefs: Beliefs
    ) -> None:
        super().__init__(state, foes, exposed, own)
        self._beliefs = beliefs
        chances = {FINISH[treasure]: chance for treasure, chance in beliefs.treasures()}
        total = sum(chances[goal] for goal in self._goals)
        self._likely = {goal: chances[goal] / total for goal in self._goals}
        self._unseen = unseen(state) - Counter(state.hands[self._player])
        self._now = self._away(state.maze)

    @cached_property
    def away(self) -> int:
        """The number of missing cards, also across a gap that a rock-fall has left."""
        closed = (cell for cell in FINISH if cell not in self._state.maze.cards)
        return min((each for goal in closed for each, _ in _ends(self._state.maze, goal)), default=super().away)

    def best(self, actions: Sequence[Any], rng: Random, *, bluffs: bool = True) -> Any:
        """Return the legal action that is worth most. `bluffs`: what it tells everybody has a price."""
        if not self._digs:
            considered = self.candidates(actions)
            if min(map(self.rank, actions)) <= Rank.LOOK:
                actions = considered
            elif not self._own and not self.strikes:
                actions = [*considered, *(each for each in actions if isinstance(each, Drop))]
        weigh = self._for_digger if self._digs else self._for_saboteur
        price = self._price if bluffs else 0.0
        told = self._beliefs.told(self._player, actions) if price else dict.fromkeys(actions, 0.0)
        worth = {
            action: weigh(action) - price * self._noticed(told[action]) + 0.001 * rng.random() for action in actions
        }
        return max(worth, key=worth.__getitem__)

    def _noticed(self, told: float) -> float:
        """Return how much the others suspect the player, 0 to 1, if something adds `told` to the log odds."""
        odds = self._exposed * exp(told)
        least = 0.0 if self._digs else UNNOTICED
        return max(odds / (1 - self._exposed + odds) - least, 0.0) / (1 - least)

    @property
    def _price(self) -> float:
        """What it costs that everybody takes the player for a saboteur: the more, the more is to come."""
        if self._digs:
            return _SEEMING
        state = self._state
        turns = (len(state.stock) - state.drawn + sum(map(len, state.hands))) / state.players
        far = (self.away - _NEAR) / (_FAR - _NEAR)
        return BLUFF * min(max(far, 0.0), 1.0) * min(turns / _TURNS, 1.0)

    def _away(self, maze: Maze) -> float:
        """Return how many cards the paths still need, wherever the treasure may be."""
        if not self._goals:
            return 0.0
        away = {goal: self._away_from(goal, maze) for goal in self._goals}
        first = min(each + _WRONG * (1 - self._likely[goal]) for goal, each in away.items())
        others = sum(each * self._likely[goal] for goal, each in away.items())
        return (first + _OTHERS * others) / (1 + _OTHERS)

    def _away_from(self, goal: Cell, maze: Maze) -> float:
        """Return how many cards the paths still need to `goal`, and how long one that fits is waited for."""
        ends = _ends(maze, goal)
        best = min([needed for needed, _ in ends], default=FAR)
        fitting = cards_of(reduce(or_, [pieces for needed, pieces in ends if needed == best], 0))
        share = sum([self._unseen[card] for card in fitting]) / max(self._unseen.total(), 1)
        return best + (1 - share) ** _TRIED if best else 0.0

    def _nearer(self, maze: Maze) -> float:
        """Return by how many cards the paths are nearer in this maze."""
        return self._now - self._away(maze)

    def _for_digger(self, action: Any) -> float:
        match action:
            case Dig(piece, cell):
                maze = self._state.maze.lay(cell, piece)
                gain = self._nearer(maze)
                if piece.islower() or gain <= _LEAST:
                    return min(gain, 0.0) - 0.5
                found = sum(chance for goal, chance in self._likely.items() if goal in maze.frontier)
                return gain + 0.05 * len(piece) + FOUND * found
            case LookAt():
                return LOOKED if action.cell in self._worth_a_look else -0.6
            case Repair():
                return self._of_repair(action)
            case Break(_, seat):
                worth = STOPPED * (2 * self._foes[seat] - 1)
                return 0.3 * worth if self._blocked >> seat & 1 else worth
            case RockFall(cell):
                gain = self._nearer(self._state.maze.remove(cell))
                return gain - 0.1 if gain > 0.7 else -1.0
            case Drop(card):
                return 0.3 - 0.5 * self.use(card)
            case _:
                return 0.0

    def _for_saboteur(self, action: Any) -> float:
        match action:
            case Dig(piece, cell):
                maze = self._state.maze.lay(cell, piece)
                harm = -self._nearer(maze)
                if not maze.frontier.keys().isdisjoint(self._goals):
                    return -9.0
                if self.away > self.near:
                    return _SEEN + _FAR_AWAY * harm
                return harm if harm > _LEAST else harm - 0.5
            case LookAt():
                return 1.0 if action.cell in self._worth_a_look else -0.6
            case Repair():
                return self._of_repair(action)
            case Break(tool, seat):
                worth = _AGAIN if self._blocked >> seat & 1 else HELD_UP
                worth *= 2 * self._foes[seat] - 1
                return worth - 0.05 * self._mends_left(tool) - _SOONER * self._turns_until(seat)
            case RockFall(cell):
                harm = -self._nearer(self._state.maze.remove(cell))
                worth = CUT * min(harm, 1.0) + _FARTHER * max(harm - 1.0, 0.0)
                return worth if harm > _LEAST and self._state.maze.cards[cell].isupper() else -1.0
            case Drop(card):
                return 0.3 - 0.5 * self._use_to_saboteur(card)
            case _:
                return 0.0

    def _of_repair(self, action: Repair) -> float:
        worth = FREED * (1 - 2 * self._foes[action.seat]) - 0.05 * len(action.card)
        return worth if self._is_freed(action) else 0.3 * worth

    def _mends_left(self, tool: str) -> int:
        """Return how many cards that repair this tool were not yet played openly."""
        pile = self._state.pile
        return sum(count - pile.count(card) for card, count in REPAIR_CARDS.items() if tool in card)

    def _turns_until(self, seat: int) -> float:
        """Return how far away the turn of a seat is, as a share of a round of turns."""
        return (seat - self._player) % self._state.players / self._state.players

    def _use_to_saboteur(self, card: str) -> float:
        if card == ROCK or card in BREAK_CARDS:
            return 1.0
        if card in DEAD_ENDS:
            return 0.8
        if card == MAP:
            return 0.4
        if card in REPAIR_CARDS:
            return 0.3
        return 0.0 if "E" in card and "W" in card else 0.1
