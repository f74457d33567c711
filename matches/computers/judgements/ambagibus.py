"""Ambagibus: what open and closed sections are worth, and how sensible people play on (rules page ambagibus.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, sqrt, tanh
from operator import add, mul
from random import Random
from typing import Any, ClassVar, Final

from games.ambagibus.actions import Action
from games.ambagibus.components import ADVANCED, BASIC, BOMB, KIND, ROW_SIZE
from games.ambagibus.gaps import EDGES_AND_STEPS, OPENINGS, Gap, Place
from games.ambagibus.simulation import Simulation, worlds
from games.ambagibus.state import AmbagibusState
from games.core import CHANCE, Played
from matches.computers.judgement import SEED_BITS, Fork, Judgement, ahead
from matches.computers.levels import STRENGTHS, Level, Strength

_STOCKS: Final = 400
"""The number of worlds that are drawn for a decision. After that, worlds are drawn from these."""

CONSIDERED: Final = {BASIC: 5, ADVANCED: 8}
"""By variant, the most actions that are compared by samples."""

_MANY: Final = 60
"""More open passages than a section has."""


def _by_passages(*values: float) -> tuple[float, ...]:
    """Return a table by a section's number of open passages. The last value holds for all larger numbers."""
    return values + values[-1:] * _MANY


_PROSPECTS: Final = _by_passages(1.0, 0.35, 0.22, 0.1, 0.05, 0.0)
"""What a section is worth in a playout: the share of such sections that was closed at the end of random play."""


_OPEN: Final = 6
"""Sections with more open passages than this are worth as much as those with exactly this many."""
_LAST: Final = 5
_KINDS: Final = tuple(sorted(set(KIND.values())))

# The weights of `assets`, a row for each of its groups: closed sections; open sections by their passages; in the
# advanced game also cards by kind, in the row and in the deck. `python -m benchmarks fitting` finds such weights, and
# compares them with these.
_BASIC: Final = (
    *(0.85, 3.92, -0.54),
    *(0.255, 0.078, -0.03, -0.09, -0.15, -0.15),
)
_ADVANCED: Final = (
    *(0.633, 3.109, -0.049),
    *(0.320, 0.028, -0.143, -0.307, -0.411, -0.658),
    *(0.483, 0.115, 0.150, -0.029, -0.192, 0.339, 0.786),
    *(2.432, 0.063, 0.450, -0.858, -2.989, 5.633, 7.946),
)

_MARGIN: Final = 0.1
"""The share of the lead in closed sections in the value of an end. The result has the rest."""
_SCALE: Final = 3.0


def chances(simulation: Simulation) -> list[float]:
    """Return every seat's chance to end ahead of the best of the others, 0 to 1: a logistic regression of `assets`."""
    weights = _BASIC if _is_basic(simulation) else _ADVANCED
    counts = [sum(map(mul, weights, own)) for own in assets(simulation)]
    return [1 / (1 + exp(best - own)) for own, best in _with_best_other(counts)]


def assets(simulation: Simulation) -> list[list[float]]:
    """Return for every seat the numbers that tell how likely they are to win.

    In this order:

    * closed sections: divided by the root of the number of gaps, since near the end a lead lasts; divided by the root
      of the number of cards in the decks, and `_LAST` more; and their number;
    * the numbers of open sections with 1, 2, ... `_OPEN` or more open passages;
    * in the advanced game the number of cards of each kind in the row, and about their share of the deck. In the basic
      game these numbers made the prediction no better.
    """
    sections = _of_sections(simulation)
    return sections if _is_basic(simulation) else list(map(add, sections, _of_cards(simulation)))


def _is_basic(simulation: Simulation) -> bool:
    return simulation.row_size == ROW_SIZE[BASIC]


def _of_sections(simulation: Simulation) -> list[list[float]]:
    near_end = 1 / sqrt(len(simulation.gaps) or 1)
    few_cards = 1 / sqrt(sum(map(len, simulation.decks)) + _LAST)
    opened = [[0.0] * (_OPEN + 1) for _ in simulation.closed]
    owners = simulation.owners
    for section, passages in simulation.passages.items():
        opened[owners[section]][min(passages, _OPEN)] += 1
    return [
        [closed * near_end, closed * few_cards, closed, *own[1:]]
        for closed, own in zip(simulation.closed, opened, strict=True)
    ]


def _of_cards(simulation: Simulation) -> list[list[float]]:
    found = []
    for held, deck, left in zip(simulation.rows, simulation.decks, simulation.counts, strict=True):
        row = dict.fromkeys(_KINDS, 0)
        for card in held:
            row[KIND[card]] += 1
        found.append([*row.values(), *((left[kind] - count) / (1 + len(deck)) for kind, count in row.items())])
    return found


def result(simulation: Simulation) -> list[float]:
    """Return every seat's value of the end of a match, 0 to 1."""
    winners = simulation.winners()
    return [
        (1 - _MARGIN) * (seat in winners) / len(winners) + _MARGIN * (0.5 + 0.5 * tanh((own - best) / _SCALE))
        for seat, (own, best) in enumerate(_with_best_other(simulation.closed))
    ]


def _with_best_other(counts: Sequence[float]) -> list[tuple[float, float]]:
    """Return every seat's count with the best of the others."""
    if len(counts) == 2:
        first, second = counts
        return [(first, second), (second, first)]
    return [(own, max([*counts[:seat], *counts[seat + 1 :]])) for seat, own in enumerate(counts)]


# How sensible people play on: they gain as much as they can at once. A gain is the increase in what their own sections
# are worth, plus the decrease in what the others' are worth.


def _gain_of_tunnel(simulation: Simulation, place: Place, gap: Gap, openings: int) -> float:
    """Return the gain from a tunnel card with this many openings. The way it lies makes no difference."""
    player, passages = simulation.current_player, simulation.passages
    if len(gap.joins) == 1:
        step, owner = gap.joins[0]
        count = passages[simulation.section(place + step)]
        if owner == player:
            return _PROSPECTS[count + openings - 2] - _PROSPECTS[count]
        return _PROSPECTS[openings - 1] - _PROSPECTS[count - 1] + _PROSPECTS[count]
    joined: dict[int, int] = {}
    for step, _ in gap.joins:
        section = simulation.section(place + step)
        joined[section] = joined.get(section, 0) + 1
    left, gain = openings - len(gap.joins), 0.0
    for section, times in joined.items():
        count = passages[section]
        gain -= _PROSPECTS[count]
        if simulation.owners[section] == player:
            left += count - times
        else:
            gain += 2 * _PROSPECTS[count] - _PROSPECTS[count - times]
    return gain + _PROSPECTS[left]


def _gain_of_bomb(simulation: Simulation, place: Place) -> float:
    """Return the approximate gain from a Bomb on one's own card: as if the rest of its section stayed connected."""
    player, passages, tiles = simulation.current_player, simulation.passages, simulation.tiles
    tile = tiles[place]
    is_tunnel = any(tile.faces)
    opened, joined, gain = 0, False, 0.0
    for edge, step, opposite in EDGES_AND_STEPS:
        beside = tiles.get(place + step)
        if beside is None:
            opened -= tile.faces[edge] > 0
        elif beside.faces[opposite]:
            if is_tunnel and beside.owner == player:
                opened, joined = opened + 1, True
            else:
                count = passages[simulation.section(place + step)]
                lost = _PROSPECTS[count] - _PROSPECTS[count + 1]
                gain += -lost if beside.owner == player else lost
    if is_tunnel:
        count = passages[simulation.section(place)]
        gain += (_PROSPECTS[count + opened] if joined else 0.0) - _PROSPECTS[count]
    return gain


def _gain_of_cave_in(simulation: Simulation, place: Place) -> float:
    """Return the approximate gain from a Cave-in.

    The cards beside it count as sections of their own if that closes all of them, else as one section.
    """
    tiles = simulation.tiles
    tile = tiles[place]
    count = left = simulation.passages[simulation.section(place)]
    joined = 0
    for edge, step, opposite in EDGES_AND_STEPS:
        if tile.faces[edge]:
            beside = tiles.get(place + step)
            if beside is None:
                left -= 1
            elif beside.owner == tile.owner and beside.faces[opposite]:
                joined += 1
    if not joined:
        return -_PROSPECTS[count]
    return (_PROSPECTS[left] if left else joined) - _PROSPECTS[count]


_CLOSING: Final = 10.0
"""The gain from closing the maze and winning."""
_LOOKS: Final = 6
"""The most own cards that are considered for a Bomb or a Cave-in in a playout."""
_TIE: Final = 1e-3
"""The most random noise on a gain, so that any of equal ones may be taken."""


def _gain_of_closing(simulation: Simulation, card: str, place: Place, gap: Gap) -> float:
    """Return the gain from a tunnel card that closes the maze: whether its player wins, alone or with others."""
    player, end = simulation.current_player, simulation.copy()
    end.lay(card, gap.ways(card, player)[0], place)
    winners = end.winners()
    return -_CLOSING if player not in winners else _CLOSING if len(winners) == 1 else 0.0


def play_on(simulation: Simulation, rng: Random) -> None:
    """Let the current player take the action with the greatest gain. A tunnel card lies in any way that fits."""
    player = simulation.current_player
    row, random = simulation.rows[player], rng.random
    if not row:
        simulation.end_turn()
        return
    held = row if len(row) == 1 else tuple(dict.fromkeys(row))
    kinds = 0
    for card in held:
        kinds |= KIND[card]
    cells = simulation.cells(kinds)
    if len(held) == 1 and len(cells) == 1 and held[0] in OPENINGS:
        place, gap = cells[0]
        _lay(simulation, held[0], place, gap, random())
        return
    last = len(simulation.gaps) == 1
    most = -2 * _CLOSING
    chosen: tuple[str, Place, Gap | None] | None = None
    for card in held:
        openings = OPENINGS.get(card)
        if openings is not None:
            kind = KIND[card]
            for place, gap in cells:
                if gap.kinds & kind:
                    if last and openings == len(gap.joins):
                        gain = _gain_of_closing(simulation, card, place, gap)
                    else:
                        gain = _gain_of_tunnel(simulation, place, gap, openings)
                    gain += _TIE * random()
                    if gain > most:
                        most, chosen = gain, (card, place, gap)
        else:
            bombs = card == BOMB
            places = simulation.places_of(player) if bombs else simulation.open_places_of(player)
            if len(places) > _LOOKS:
                places = [places[int(random() * len(places))] for _ in range(_LOOKS)]
            for place in places:
                gain = (_gain_of_bomb if bombs else _gain_of_cave_in)(simulation, place) + _TIE * random()
                if gain > most:
                    most, chosen = gain, (card, place, None)
    if chosen is None:
        simulation.bury(held[int(random() * len(held))])
        return
    card, place, there = chosen
    if there is not None:
        _lay(simulation, card, place, there, random())
    elif card == BOMB:
        simulation.bomb(place)
    else:
        simulation.cave_in(place)


def _lay(simulation: Simulation, card: str, place: Place, gap: Gap, chance: float) -> None:
    ways = gap.ways(card, simulation.current_player)
    simulation.lay(card, ways[int(chance * len(ways))], place)


class AmbagibusJudgement(Judgement[Any]):
    """Samples are played on in a `Simulation`. They end after a few lines, and then `chances` judges."""

    horizon: int = 14
    iterations: int = 3000
    strengths: ClassVar[Mapping[Level, Strength]] = {**STRENGTHS, Level.EXPERT: Strength(2.8, 0.0, horizon=8)}
    races: ClassVar[bool] = True
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
        """Return what makes a level. In the basic game fewer and longer samples are as good."""
        return STRENGTHS[level] if position.variant == BASIC else cls.strengths[level]

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
        worth = {
            action: (result(match) if match.is_terminal else chances(match))[player] for action, match in after.items()
        }
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

    def played_on(self, state: Simulation, rng: Random) -> Simulation:
        """Play on from `state`, which this changes, and return it."""
        for _ in range(self.horizon):
            if state.is_terminal:
                break
            play_on(state, rng)
        return state

    def values(self, state: Simulation) -> Sequence[float]:
        """Return every seat's result, or its chances at the horizon."""
        return result(state) if state.is_terminal else chances(state)

    def leads(self, state: Simulation) -> Sequence[float]:
        """Return the leads in closed sections. Before the end an open one counts by its probability of being closed."""
        if state.is_terminal:
            return ahead(state.closed)
        counts = [float(count) for count in state.closed]
        for section, passages in state.passages.items():
            if passages:
                counts[state.owners[section]] += _PROSPECTS[passages]
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
            return _to_the_end(Simulation(state), rng)
        return _to_the_end(state, rng)

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
        for _ in range(self.horizon - 2):
            if simulation.is_terminal:
                break
            play_on(simulation, rng)
        sooner = self.leads(simulation)
        if simulation.is_terminal:
            return sooner, sooner
        play_on(simulation, rng)
        return sooner, self.leads(simulation)


def _to_the_end(simulation: Simulation, rng: Random) -> list[float]:
    """Play on in place, and return every seat's lead in closed sections at the end."""
    for _ in range(AmbagibusState.info.max_game_length):
        if simulation.is_terminal:
            break
        play_on(simulation, rng)
    return ahead(simulation.closed)


JUDGEMENT: Final = AmbagibusJudgement
