"""Ambagibus: samples of sensible play, and for experts in matches of two best play (rules page ambagibus.md).

Best play is how well a player does if both play best for a few lines, and know the order of the decks: alpha-beta in
one world. On each turn only the options that gain most at once are tried, since a Bomb may go to many places. A tunnel
card lies in the first way that fits. `odds` judges the position at the horizon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from math import inf
from operator import itemgetter
from random import Random
from typing import Any, ClassVar, Final

from games.ambagibus.actions import Action
from games.ambagibus.components import ADVANCED, BASIC
from games.ambagibus.simulation import Simulation, worlds
from games.ambagibus.state import AmbagibusState
from games.core import CHANCE, Played
from matches.computers.judgement import SEED_BITS, Fork, Judgement, ahead
from matches.computers.judgements.ambagibus.habits import PROSPECTS, held_by, options, play_on, take
from matches.computers.judgements.ambagibus.odds import values
from matches.computers.levels import STRENGTHS, Level, Strength

WIDTH: Final = 4
"""The number of options that are tried on each turn."""

_gain = itemgetter(0)


class TooMuch(Exception):
    """The search has used up its positions."""


class BestPlay:
    """A search that may look at a number of positions.

    Attributes:
        left: how many positions it may still look at.
    """

    def __init__(self, positions: int) -> None:
        self.left = positions

    def value(self, simulation: Simulation, lines: int, low: float = 0.0, high: float = 1.0) -> float:
        """Return the current player's value after this many lines of best play, 0 to 1.

        A value of at most `low` is an upper bound, one of at least `high` a lower bound. Raises TooMuch.
        """
        if simulation.is_terminal or not lines:
            return values(simulation)[simulation.current_player]
        best = 0.0
        for after in _afterwards(simulation):
            if not self.left:
                raise TooMuch
            self.left -= 1
            value = 1 - self.value(after, lines - 1, 1 - high, 1 - max(low, best))
            if value > best:
                best = value
                if best >= high:
                    break
        return best


def _afterwards(simulation: Simulation) -> Iterator[Simulation]:
    """Yield the positions after the current player's best options, the most promising first."""
    held, cells = held_by(simulation)
    tried = nlargest(WIDTH, options(simulation, held, cells), key=_gain)
    for _, card, place, gap in tried:
        after = simulation.copy()
        take(after, card, place, gap)
        yield after
    if not held:
        after = simulation.copy()
        after.end_turn()
        yield after
    elif not tried:
        for card in held:
            after = simulation.copy()
            after.bury(card)
            yield after


_STOCKS: Final = 400
"""The number of worlds that are drawn for a decision. After that, worlds are drawn from these."""

CONSIDERED: Final = {BASIC: 5, ADVANCED: 8}
"""By variant, the most actions that are compared by samples."""

FEWEST_WORLDS, MOST_WORLDS = 16, 64
"""In how many worlds experts search for best play. They look less far ahead if the work isn't enough for the fewest."""

FAR, NEAR = 6, 4
"""How many lines they look ahead after their own."""

_POSITIONS: Final = 260
"""About how many positions that takes for an action in a world, if they look far ahead."""

AMONG_MORE: Final = Strength(2.8, 0.0, horizon=8)
"""An expert in the advanced game for three or four."""


class AmbagibusJudgement(Judgement[Any]):
    """Samples are played on in a `Simulation`. They end after a few lines, and then `chances` judges."""

    horizon: int = 14
    iterations: int = 3000
    strengths: ClassVar[Mapping[Level, Strength]] = {
        **STRENGTHS,
        Level.EXPERT: Strength(0.4, 0.0, nodes=25_000, horizon=8),
    }
    races: ClassVar[bool] = True
    finalists: ClassVar[int] = 4
    unit: ClassVar[str] = "section"
    has_luck: ClassVar[bool] = True

    @classmethod
    def levels(cls, options: Mapping[str, str], players: int) -> tuple[Level, ...]:
        """Return fewer than four levels: luck decides most of the game, and nearly all of the basic one."""
        if options.get("variant") == BASIC:
            return Level.EASY, Level.EXPERT
        return Level.EASY, Level.NORMAL, Level.EXPERT

    @classmethod
    def strength(cls, level: Level, position: AmbagibusState) -> Strength:
        """Return what makes a level. In the basic game fewer and longer samples are as good as anything else."""
        if position.variant == BASIC:
            return STRENGTHS[level]
        return AMONG_MORE if level is Level.EXPERT and position.players > 2 else cls.strengths[level]

    def __init__(self, position: AmbagibusState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self._draw = worlds(position)
        self._worlds: list[Simulation] = []
        self._most_worlds = _STOCKS

    def candidates(self, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the actions after which the player's chances are best. Samples tell more about a few than about many.

        Bombs can be played on any own card, and what they split or open is known at once.
        """
        most = CONSIDERED[self.position.variant]
        if len(actions) <= most:
            return actions
        before, player = Simulation(self.position), self.player
        after = {action: before.child(player, action) for action in actions}
        worth = {action: values(match)[player] for action, match in after.items()}
        return sorted(actions, key=worth.__getitem__, reverse=True)[:most]

    def world(self, rng: Random) -> Simulation:
        """Return newly shuffled decks, and later one of the earlier worlds: playouts draw only a few cards."""
        if len(self._worlds) >= self._most_worlds:
            return self._worlds[int(rng.random() * len(self._worlds))]
        world = self._draw(rng)
        self._worlds.append(world)
        return world

    def keep(self, worlds: int, rng: Random) -> None:
        """Let `world` draw new worlds until there are this many."""
        self._most_worlds = max(self._most_worlds, worlds)

    def kept(self) -> float:
        """Return how many worlds there are once draws come from them."""
        return len(self._worlds) if len(self._worlds) >= self._most_worlds else inf

    def ends(self, actions: Sequence[Action], rng: Random) -> Iterator[tuple[float, Sequence[float]]]:
        """Yield for some worlds, all equally likely, what these actions are worth if both players then play best.

        Both look some lines ahead. Yield nothing without `positions`: only an expert in a match of two has any.
        """
        is_far = self.positions >= FEWEST_WORLDS * len(actions) * _POSITIONS
        search, lines = BestPlay(self.positions), FAR if is_far else NEAR
        for _ in range(MOST_WORLDS if self.positions else 0):
            world = self._draw(rng)
            try:
                yield 1.0, [1 - search.value(world.child(self.player, action), lines) for action in actions]
            except TooMuch:
                return

    def played_on(self, state: Simulation, rng: Random) -> Simulation:
        """Play on from `state`, which this changes, and return it."""
        return _further(state, self.horizon, rng)

    def values(self, state: Simulation) -> Sequence[float]:
        """Return every seat's result, or its chances at the horizon."""
        return values(state)

    def leads(self, state: Simulation) -> Sequence[float]:
        """Return the leads in closed sections. Before the end an open one counts by its probability of being closed."""
        if state.is_terminal:
            return ahead(state.closed)
        counts = [float(count) for count in state.closed]
        for section, passages in state.passages.items():
            if passages:
                counts[state.owners[section]] += PROSPECTS[passages]
        return ahead(counts)

    def prospects(self, state: AmbagibusState | Simulation, rng: Random) -> Sequence[float]:
        """Play on from a position of the match or from a world, and return the leads at the end."""
        world = Simulation(state) if isinstance(state, AmbagibusState) else state.copy()
        return super().prospects(world, rng)

    def known_to_all(self, state: AmbagibusState, rng: Random) -> AmbagibusState | Simulation:
        """Return a world that fits what everybody knows at the judgement's position: the decks are shuffled."""
        return self._draw(rng) if state is self.position and state.current_player >= 0 else state

    def fortune(self, state: AmbagibusState | Simulation, rng: Random) -> Sequence[float]:
        """Play on from a position, at which chance may be next, or a world, to the end, and return the leads there."""
        if isinstance(state, AmbagibusState):
            while state.current_player == CHANCE:
                state = state.child(CHANCE, state.sample_chance(rng))
            state = Simulation(state)
        return ahead(_further(state, AmbagibusState.info.max_game_length, rng).closed)

    def forked(self, world: Simulation, action: Action, rng: Random) -> Fork:
        """Play on from a world to the horizon, once by habit and once after this action of the player."""
        usual, other = world.copy(), world.child(self.player, action)
        play_on(usual, rng)
        seed = rng.getrandbits(SEED_BITS)
        same = usual.tiles == other.tiles and usual.rows == other.rows and usual.decks == other.decks
        sooner, found = self._ahead(usual, Random(seed))
        return Fork(sooner, found, found if same else self._ahead(other, Random(seed))[1])

    def _ahead(self, simulation: Simulation, rng: Random) -> tuple[Sequence[float], Sequence[float]]:
        """Play on in place to the horizon. The first line is already played.

        Return the leads one line before the horizon, and at the horizon. After the end they no longer change.
        """
        sooner = self.leads(_further(simulation, self.horizon - 2, rng))
        if simulation.is_terminal:
            return sooner, sooner
        play_on(simulation, rng)
        return sooner, self.leads(simulation)


def _further(simulation: Simulation, lines: int, rng: Random) -> Simulation:
    """Play on in place, by at most so many lines, and return the simulation."""
    for _ in range(lines):
        if simulation.is_terminal:
            break
        play_on(simulation, rng)
    return simulation


JUDGEMENT: Final = AmbagibusJudgement
