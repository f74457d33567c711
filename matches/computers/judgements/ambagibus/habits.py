"""Ambagibus: how sensible people play on, without any search. They gain as much as they can at once.

A gain is the increase in what their own sections are worth, plus the decrease in what the others' are worth.
"""

from __future__ import annotations

from random import Random
from typing import Final

from games.ambagibus.components import BOMB, KIND
from games.ambagibus.gaps import EDGES_AND_STEPS, OPENINGS, Gap, Place
from games.ambagibus.simulation import Simulation

_MANY: Final = 60
"""More open passages than a section has."""


def _by_passages(*values: float) -> tuple[float, ...]:
    """Return a table by a section's number of open passages. The last value holds for all larger numbers."""
    return values + values[-1:] * _MANY


PROSPECTS: Final = _by_passages(1.0, 0.35, 0.22, 0.1, 0.05, 0.0)
"""What a section with this many open passages is worth: the share of such sections closed at the end of random play."""


def _gain_of_tunnel(simulation: Simulation, place: Place, gap: Gap, openings: int) -> float:
    """Return the gain from a tunnel card with this many openings. The way it lies makes no difference."""
    player, passages = simulation.current_player, simulation.passages
    if len(gap.joins) == 1:
        step, owner = gap.joins[0]
        count = passages[simulation.section(place + step)]
        if owner == player:
            return PROSPECTS[count + openings - 2] - PROSPECTS[count]
        return PROSPECTS[openings - 1] - PROSPECTS[count - 1] + PROSPECTS[count]
    joined: dict[int, int] = {}
    for step, _ in gap.joins:
        section = simulation.section(place + step)
        joined[section] = joined.get(section, 0) + 1
    left, gain = openings - len(gap.joins), 0.0
    for section, times in joined.items():
        count = passages[section]
        gain -= PROSPECTS[count]
        if simulation.owners[section] == player:
            left += count - times
        else:
            gain += 2 * PROSPECTS[count] - PROSPECTS[count - times]
    return gain + PROSPECTS[left]


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
                lost = PROSPECTS[count] - PROSPECTS[count + 1]
                gain += -lost if beside.owner == player else lost
    if is_tunnel:
        count = passages[simulation.section(place)]
        gain += (PROSPECTS[count + opened] if joined else 0.0) - PROSPECTS[count]
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
        return -PROSPECTS[count]
    return (PROSPECTS[left] if left else joined) - PROSPECTS[count]


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
