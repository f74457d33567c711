"""Ambagibus: how sensible people play on, without any search. They gain as much as they can at once.

A gain is the increase in what their own sections are worth, plus the decrease in what the others' are worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


Option = tuple[float, str, Place, Gap | None]
"""A way to play a card of the row: the gain, the card, the place, and for a tunnel card the gap there."""

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


def options(
    simulation: Simulation, held: Sequence[str], cells: Sequence[tuple[Place, Gap]], rng: Random | None = None
) -> Iterator[Option]:
    """Yield how the current player may play these cards of the row, tunnel cards in these cells.

    With `rng`, a Bomb or a Cave-in is considered in a few random places only.
    """
    last = len(simulation.gaps) == 1
    for card in held:
        openings = OPENINGS.get(card)
        if openings is not None:
            kind = KIND[card]
            for place, gap in cells:
                if gap.kinds & kind:
                    if last and openings == len(gap.joins):
                        yield _gain_of_closing(simulation, card, place, gap), card, place, gap
                    else:
                        yield _gain_of_tunnel(simulation, place, gap, openings), card, place, gap
            continue
        player, is_bomb = simulation.current_player, card == BOMB
        places = simulation.places_of(player) if is_bomb else simulation.open_places_of(player)
        if rng and len(places) > _LOOKS:
            places = [places[int(rng.random() * len(places))] for _ in range(_LOOKS)]
        for place in places:
            yield (_gain_of_bomb if is_bomb else _gain_of_cave_in)(simulation, place), card, place, None


def held_by(simulation: Simulation) -> tuple[Sequence[str], list[tuple[Place, Gap]]]:
    """Return the different cards in the current player's row, and where the tunnel cards among them may be laid."""
    row = simulation.rows[simulation.current_player]
    held = row if len(row) == 1 else tuple(dict.fromkeys(row))
    kinds = 0
    for card in held:
        kinds |= KIND[card]
    return held, simulation.cells(kinds)


def take(simulation: Simulation, card: str, place: Place, gap: Gap | None, chance: float = 0.0) -> None:
    """Play a card of the row on a place. A tunnel card lies in one of the ways that fit, drawn by `chance`, 0 to 1."""
    if gap is not None:
        ways = gap.ways(card, simulation.current_player)
        simulation.lay(card, ways[int(chance * len(ways))], place)
    elif card == BOMB:
        simulation.bomb(place)
    else:
        simulation.cave_in(place)


def play_on(simulation: Simulation, rng: Random) -> None:
    """Let the current player take the option with the greatest gain."""
    random = rng.random
    held, cells = held_by(simulation)
    if not held:
        simulation.end_turn()
        return
    if len(held) == 1 and len(cells) == 1 and held[0] in OPENINGS:
        take(simulation, held[0], *cells[0], random())
        return
    most = -2 * _CLOSING
    chosen: Option | None = None
    for option in options(simulation, held, cells, rng):
        gain = option[0] + _TIE * random()
        if gain > most:
            most, chosen = gain, option
    if chosen is None:
        simulation.bury(held[int(random() * len(held))])
        return
    _, card, place, gap = chosen
    take(simulation, card, place, gap, 0.0 if gap is None else random())
