"""How the yardsticks play Ambagibus without any search."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeVar

from games.ambagibus import AmbagibusState
from games.ambagibus.components import BOMB, KIND
from games.ambagibus.gaps import EDGES_AND_STEPS, OPENINGS, Gap, Place
from games.ambagibus.simulation import Simulation

T = TypeVar("T")

Worth = tuple[int, float]
"""What a habit looks at: by how many closed sections its player is ahead, then how many own passages are closed."""


def by_thumb(state: AmbagibusState, rng: Random) -> Any:
    """Rules of thumb: take the most closed sections at once, else leave as few own passages open as possible."""
    player = state.current_player

    def worth(action: Any) -> tuple[float, int, float]:
        after = state.child(player, action)
        points = after.returns()
        lead = points[player] - max(other for seat, other in enumerate(points) if seat != player)
        return lead, -len(after.maze.open_cells_of(player)), rng.random()

    return max(state.legal_actions(player), key=worth)


def sample(world: Simulation, action: Any, player: int, rng: Random) -> float:
    """The player's share of the win if they take this action and everybody plays on by habit; the lead breaks ties."""
    match = world.child(player, action)
    while not match.is_terminal:
        _play_on(match, rng)
    winners = match.winners()
    lead = match.closed[player] - max(other for seat, other in enumerate(match.closed) if seat != player)
    return (player in winners) / len(winners) + _LEAD * lead


_LEAD: Final = 0.02


def _play_on(match: Simulation, rng: Random) -> None:
    """Let the current player close a section if they can, and else leave as little open as they can."""
    player = match.current_player
    row = match.rows[player]
    if not row:
        match.end_turn()
        return
    cells = match.cells(sum({KIND[card] for card in row}))
    best: tuple[Worth, float] | None = None
    chosen: tuple[str, Place, Gap | None] | None = None
    for card in dict.fromkeys(row):
        openings = OPENINGS.get(card)
        if openings is not None:
            for place, gap in cells:
                if gap.kinds & KIND[card]:
                    found = _worth(match, place, gap, openings), rng.random()
                    if best is None or found > best:
                        best, chosen = found, (card, place, gap)
            continue
        places = match.open_places_of(player)
        if card == BOMB:
            # A Bomb breaks one's own card. So it's only played if nothing else can be, preferably on an open card.
            places = places or match.places_of(player)
            if best is None and places:
                chosen = card, _any(places, rng), None
        elif places:
            for place in places:
                found = _worth_of_cave_in(match, place), rng.random()
                if best is None or found > best:
                    best, chosen = found, (card, place, None)
    if chosen is None:
        match.bury(_any(row, rng))
        return
    card, place, there = chosen
    if there is not None:
        match.lay(card, _any(there.ways(card, player), rng), place)
    elif card == BOMB:
        match.bomb(place)
    else:
        match.cave_in(place)


def _any(values: Sequence[T], rng: Random) -> T:
    """One of the values; faster than `Random.choice`."""
    return values[int(rng.random() * len(values))]


def _worth(match: Simulation, place: Place, gap: Gap, openings: int) -> Worth:
    """The worth of a tunnel card with this many openings on a place."""
    player, passages = match.current_player, match.passages
    left = openings - len(gap.joins)
    joined: dict[int, int] = {}
    for step, _ in gap.joins:
        section = match.section(place + step)
        joined[section] = joined.get(section, 0) + 1
    closed, before = 0, 0
    for section, times in joined.items():
        if match.owners[section] == player:
            left += passages[section] - times
            before += passages[section]
        elif passages[section] == times:
            closed -= 1
    return closed + (left == 0), float(before - left)


def _worth_of_cave_in(match: Simulation, place: Place) -> Worth:
    """The worth of a Cave-in: it closes the section if nothing of it is open elsewhere, and it is more than a card."""
    section, tile = match.section(place), match.tiles[place]
    open_here = sum(tile.faces[edge] > 0 and place + step in match.gaps for edge, step, _ in EDGES_AND_STEPS)
    closes = open_here == match.passages[section] and match.sizes[section] > 1
    return int(closes), float(open_here)
