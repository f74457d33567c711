"""Saboteur: how near a path is to the finish cards, who seems to be a saboteur (rules page saboteur.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, combinations
from math import exp, log
from random import Random
from typing import Any, ClassVar, Final

from games.core import Played
from games.grid import OPPOSITE, Cell, neighbours
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall, Roles, numbers
from games.saboteur.board import NEW_MAZE, Maze, fitting
from games.saboteur.components import (
    BREAK_CARDS,
    DEAD_ENDS,
    DIGGER,
    FINISH,
    JOINED_CARDS,
    MAP,
    PIECES,
    REPAIR_CARDS,
    ROCK,
    ROLES,
    SABOTEUR,
    SIDES,
    TREASURE,
)
from matches.computers.judgement import Judgement
from matches.computers.levels import Level, Strength

FAR: Final = 20
"""The distance where no path can go on."""

_TOO_FAR: Final = 12.0
"""Beyond this a distance says nothing more about who wins."""

_THREATS: Final = frozenset((*BREAK_CARDS, ROCK))


class _Odds:
    """By how much everything moves the logarithm of the odds of the gold-diggers: a logistic regression.

    Fitted to 12300 positions of rounds for three to ten in which everybody followed his first opinion. The loss is
    0.45 on others of that kind, where knowing nothing has 0.69.
    """

    START: Final = -9.17
    DISTANCE: Final = -0.865
    SQUARE: Final = 0.032
    CARDS: Final = 3.21
    DIGGER: Final = 0.57
    SABOTEUR: Final = -0.99
    READY: Final = 0.33
    THREAT: Final = -0.74


_JOINED: Final = {
    piece: sum(1 << edge for edge, side in enumerate(sides) if side.joined) for piece, sides in SIDES.items()
}
"""The edges to which a path leads on inside each piece, as a mask."""


class Front:
    """How far the paths of a maze are from `goals`, and how far each path card would bring them.

    The distance is the number of cards that are missing on the shortest way, and a little more where the second best
    end of a path is farther: who has but one way on is easily stopped. An end counts from where the next card can
    lead, as far as its neighbours allow any.
    """

    def __init__(self, maze: Maze, goals: tuple[Cell, ...]) -> None:
        self._cards = maze.cards
        self._goals = goals
        ends = [(self._missing(cell, fits), cell) for cell, fits in maze.frontier.items() if fits]
        self._ends = sorted(ends)[:3]
        self.distance = _in_all([missing for missing, _ in self._ends])
        self._ways: dict[Cell, tuple[list[int], list[int]]] = {}
        self._after: dict[tuple[Cell, int], float] = {}

    def after(self, dig: Dig) -> float:
        """The distance once a path card lies."""
        cell, joined = dig.cell, _JOINED[dig.piece]
        found = self._after.get((cell, joined))
        if found is None:
            others, ways = self._around(cell)
            found = _in_all([*others, *(way for edge, way in enumerate(ways) if joined >> edge & 1)])
            self._after[cell, joined] = found
        return found

    def _around(self, cell: Cell) -> tuple[list[int], list[int]]:
        """What is missing at the other ends, and at each edge of `cell` if a path should lead out there."""
        found = self._ways.get(cell)
        if found is None:
            ways = []
            for edge, beside in enumerate(neighbours(cell)):
                fits = 0 if beside in self._cards else fitting(self._cards, beside) & _LEADING_IN[edge]
                ways.append(self._missing(beside, fits) if fits else FAR)
            found = [missing for missing, other in self._ends if other != cell], ways
            self._ways[cell] = found
        return found

    def _missing(self, cell: Cell, fits: int) -> int:
        """How many cards are missing from a path that opens into `cell`, where the pieces `fits` can lie."""
        exits = _exits(fits)
        for edge, beside in enumerate(neighbours(cell)):
            if beside in self._cards:
                exits &= ~(1 << edge)
        return _cards_missing(cell, exits, self._goals)


_LEADING_IN: Final = tuple(
    sum(1 << number for number, piece in enumerate(PIECES) if SIDES[piece][OPPOSITE[edge]].joined) for edge in range(4)
)
"""By edge the pieces, as a mask, that go on with a path that leaves a card there."""


@lru_cache(maxsize=1 << 14)
def _exits(fits: int) -> int:
    """The edges to which a path may lead on by one of these pieces."""
    exits = 0
    for number in numbers(fits):
        exits |= _JOINED[PIECES[number]]
    return exits


@lru_cache(maxsize=1 << 16)
def _cards_missing(cell: Cell, exits: int, goals: tuple[Cell, ...]) -> int:
    """How many cards are missing between a path that opens into `cell`, and may leave it there, and a goal."""
    if cell in goals:
        return 0
    ways = [beside for edge, beside in enumerate(neighbours(cell)) if exits >> edge & 1]
    return 1 + min((abs(x - gx) + abs(y - gy) for x, y in ways for gx, gy in goals), default=FAR - 1)


def _in_all(ends: list[int]) -> float:
    """The distance from what is missing at each end of a path."""
    best = second = FAR
    for missing in ends:
        if missing < best:
            best, second = missing, best
        elif missing < second:
            second = missing
    return best + 0.15 * min(second - best, 2)


class SaboteurJudgement(Judgement[SaboteurState]):
    """Looks at what an action leads to at once; what people did tells which roles are likely."""

    exploration: ClassVar[float] = 0.15
    confidence: ClassVar[float] = 4.0
    horizon: ClassVar[int] = 0
    iterations: ClassVar[int] = 2400
    strengths: ClassVar[Mapping[Level, Strength]] = {
        # More iterations hardly tell levels apart here, mistakes do: below hard, what was visited at all may be done.
        Level.EASY: Strength(0.0125, 3.0, slips=0.2),
        Level.NORMAL: Strength(0.04, 3.0),
        Level.HARD: Strength(0.25, 0.0),
        Level.EXPERT: Strength(1.0, 0.0),
    }
    remembers: ClassVar[bool] = True

    def __init__(self, position: SaboteurState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self._rounds = len(position.decided)
        suspicion = suspicions(position, self.player, lines)
        self._roles, weights = possible_roles(position, self.player, suspicion)
        self._weights = list(accumulate(weights))
        total = self._weights[-1]
        self.suspected = [
            sum(weight for roles, weight in zip(self._roles, weights, strict=True) if roles[seat] == SABOTEUR) / total
            for seat in range(position.players)
        ]
        """By seat, how likely the player thinks that it is a saboteur."""

    def world(self, rng: Random) -> SaboteurState:
        """Cards as they may be, roles by what everybody has done."""
        roles = rng.choices(self._roles, cum_weights=self._weights)[0]
        return super().world(rng).evolve(roles=roles)

    def is_decided(self, state: SaboteurState) -> bool:
        """The end of the round."""
        return len(state.decided) > self._rounds

    def values(self, state: SaboteurState) -> Sequence[float]:
        """How likely the own side wins the round; who reaches the treasure himself takes gold first (S18)."""
        if self.is_decided(state):
            past = state.decided[-1]
            if past.winners == DIGGER:
                return [
                    (1.0 if seat == past.reached_by else 0.9) if role == DIGGER else 0.0
                    for seat, role in enumerate(state.roles[:-1])
                ]
            return [float(role == SABOTEUR) for role in state.roles[:-1]]
        chance = self._chance_of_diggers(state)
        return [0.9 * chance if role == DIGGER else 1 - chance for role in state.roles[:-1]]

    def _chance_of_diggers(self, state: SaboteurState) -> float:
        """From the distance to the treasure, the cards that are left, and who holds what for or against it."""
        goal = FINISH[state.goals.index(TREASURE)]
        distance = min(Front(state.maze, (goal,)).distance, _TOO_FAR)
        cards = len(state.stock) - state.drawn + sum(map(len, state.hands))
        if not cards:
            return 0.0
        blocked = state.broken[0] | state.broken[1] | state.broken[2]
        diggers = saboteurs = ready = threats = 0
        for seat, role in enumerate(state.roles[:-1]):
            hand = state.hands[seat]
            if role == DIGGER:
                diggers += 1
                if not blocked >> seat & 1:
                    ready += sum(card in JOINED_CARDS for card in hand)
            else:
                saboteurs += 1
                threats += sum(card in _THREATS for card in hand)
        turns = cards / state.players**2
        slack = (
            _Odds.START
            + (_Odds.DISTANCE + _Odds.SQUARE * distance) * distance
            + _Odds.CARDS * log(1 + cards)
            + (_Odds.DIGGER * diggers + _Odds.SABOTEUR * saboteurs) * turns
            + _Odds.READY * ready / max(diggers, 1)
            + _Odds.THREAT * threats / state.players
        )
        return 1 / (1 + exp(-slack))

    def opinions(self, state: SaboteurState, actions: Sequence[Any]) -> Sequence[float]:
        """What an action does for the side of the player on turn, as far as he can know."""
        view = _View(state, self._foes(state))
        return [view.opinion(action) for action in actions]

    def _foes(self, state: SaboteurState) -> list[float]:
        """By seat, how likely the player on turn thinks that it is on the other side.

        Nobody knows the others' roles: all of them suspect alike, but for the player himself who is searching.
        """
        player = state.current_player
        digs = state.roles[player] == DIGGER
        foes = [chance if digs else 1 - chance for chance in self.suspected]
        foes[self.player] = 0.5
        foes[player] = 0.0
        return foes

    def reply(self, state: SaboteurState, rng: Random) -> Any:
        """What seems best, more or less."""
        actions = state.legal_actions(state.current_player)
        opinions = self.opinions(state, actions)
        best, chosen = -1.0, actions[0]
        for action, opinion in zip(actions, opinions, strict=True):
            opinion += 0.02 * rng.random()
            if opinion > best:
                best, chosen = opinion, action
        return chosen


class _View:
    """A turn as the player on turn sees it: which side he is on, where he digs to, whom he trusts.

    Opinions are set against discarding something useless, which is worth 0.35.
    """

    def __init__(self, state: SaboteurState, foes: Sequence[float]) -> None:
        self._maze = state.maze
        self._player = state.current_player
        self._digs = state.roles[self._player] == DIGGER
        self._foes = foes
        self._goals = believed(state, self._player)
        self._front = Front(state.maze, self._goals)
        self._blocked = state.broken[0] | state.broken[1] | state.broken[2]

    def opinion(self, action: Any) -> float:
        """What the action seems worth, 0 to 1."""
        match action:
            case Dig():
                return self._of_dig(action)
            case Break(_, seat):
                return self._of_break(seat)
            case Repair(_, seat):
                return 0.7 if seat == self._player else 0.55 - 0.6 * self._foes[seat]
            case RockFall(cell):
                return self._of_rock_fall(cell)
            case LookAt(cell):
                return 0.5 if cell in self._goals and len(self._goals) > 1 else 0.1
            case Drop(card):
                return 0.35 - 0.25 * self._use(card)
            case _:
                return 0.5

    def _of_dig(self, dig: Dig) -> float:
        """Diggers want the path nearer to the treasure, and no dead ends or detours; saboteurs want it farther away."""
        gain = max(min(self._front.distance - self._front.after(dig), 3.0), -3.0)
        if not self._digs:
            return 0.38 - 0.12 * gain
        if dig.piece.islower():
            return 0.1
        return 0.36 + 0.12 * gain if gain > 0 else 0.28 + 0.12 * gain

    def _of_break(self, seat: int) -> float:
        """The tools of a foe, rather of one who still has them all."""
        if seat == self._player:
            return 0.0
        return (0.0 if self._blocked >> seat & 1 else 0.1) + 0.5 * self._foes[seat]

    def _of_rock_fall(self, cell: Cell) -> float:
        """Diggers clear dead ends away, saboteurs the path, rather far from its beginning."""
        if self._maze.cards[cell].islower():
            return 0.45 if self._digs else 0.1
        if self._digs:
            return 0.05
        return 0.3 if cell in self._maze.stranded else 0.3 + 0.03 * cell[0]

    def _use(self, card: str) -> float:
        """How useful a card may still be to the player, 0 to 1."""
        if card == MAP:
            return 0.7 if len(self._goals) > 1 else 0.0
        if card in JOINED_CARDS:
            along = 0.8 if "E" in card or "W" in card else 0.5
            return along if self._digs else 0.0
        if card in REPAIR_CARDS:
            return 0.5
        if card in DEAD_ENDS:
            return 0.0 if self._digs else 0.8
        return 0.4 if self._digs else 0.9


def believed(state: SaboteurState, player: int) -> tuple[Cell, ...]:
    """The cells where, as far as `player` has seen, the treasure may be (S12)."""
    cells = []
    for number, cell in enumerate(FINISH):
        if cell in state.maze.cards:
            continue
        if state.seen[number] >> player & 1:
            if state.goals[number] == TREASURE:
                return (cell,)
        else:
            cells.append(cell)
    return tuple(cells)


def possible_roles(position: SaboteurState, player: int, suspicion: Sequence[float]) -> tuple[list[str], list[float]]:
    """All ways in which the roles can lie as `player` knows his own, and how likely they are relative to each other.

    `suspicion` is by seat the logarithm of how much likelier its behaviour is for a saboteur than for a digger.
    """
    places = range(position.players + 1)
    own = position.roles[player]
    possible, weights = [], []
    for saboteurs in combinations(places, ROLES[position.players].count(SABOTEUR)):
        if (player in saboteurs) == (own == SABOTEUR):
            possible.append("".join(SABOTEUR if place in saboteurs else DIGGER for place in places))
            weights.append(exp(sum(suspicion[seat] for seat in saboteurs if seat < position.players)))
    return possible, weights


def suspicions(position: SaboteurState, player: int, lines: Sequence[Played[Any]]) -> list[float]:
    """How much likelier what every seat did in this round is for a saboteur, as logarithms.

    What is done to somebody counts by what that one seemed to be at the time; `player` knows what he is himself.
    """
    suspicion = [0.0] * position.players
    certain = 3.0 if position.roles[player] == SABOTEUR else -3.0
    maze = NEW_MAZE
    for seat, action in _of_this_round(lines):
        if isinstance(action, Dig):
            front = Front(maze, tuple(cell for cell in FINISH if cell not in maze.cards))
            gain = max(min(front.distance - front.after(action), 2), -2)
            suspicion[seat] += 1.2 if action.piece.islower() else 0.2 - 0.5 * gain
            maze = _with_finish_cards(maze.lay(action.cell, action.piece), position)
        elif isinstance(action, RockFall):
            suspicion[seat] += -0.8 if maze.cards[action.cell].islower() else 1.0
            maze = maze.remove(action.cell)
        elif isinstance(action, (Break, Repair)) and action.seat != seat:
            helps = isinstance(action, Repair)
            odds = certain if action.seat == player else suspicion[action.seat]
            trust = 1 - 2 / (1 + exp(-odds))
            suspicion[seat] += (-0.6 if helps else 0.9) * trust
    suspicion[player] = 0.0
    return suspicion


def _of_this_round(lines: Sequence[Played[Any]]) -> Sequence[Played[Any]]:
    """What was done since roles were dealt the last time."""
    begin = max((number for number, line in enumerate(lines) if isinstance(line.action, Roles)), default=0)
    return lines[begin:]


def _with_finish_cards(maze: Maze, position: SaboteurState) -> Maze:
    """The maze with the finish cards that its paths have reached, as they lie today (S14)."""
    reached = [cell for cell in FINISH if cell in maze.frontier and cell in position.maze.cards]
    for cell in reached:
        maze = maze.lay(cell, position.maze.cards[cell])
    return _with_finish_cards(maze, position) if reached else maze
