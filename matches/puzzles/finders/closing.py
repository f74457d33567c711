"""Ambagibus: the play that leaves the player with the most closed sections. Every play is tried."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from games.ambagibus import AmbagibusState
from games.ambagibus.actions import Action, Play
from games.ambagibus.components import CARD_OF
from matches.puzzles.finders.found import Dropped, Found, least, share_of
from matches.puzzles.puzzle import Step, Way

FEWEST_ACTIONS: Final = 6
LARGEST_SHARE: Final = 0.2
FEWEST_CARDS: Final = 12
"""Smaller mazes are seen at a glance."""
FEWEST_CELLS: Final = 2
"""If only one section can be closed, its card must be able to lie on this many cells, at least."""
WIDEST: Final = 9
"""Mazes that are wider or higher don't fit into a picture."""


def find(state: AmbagibusState) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    check_size(state)
    actions, values = state.legal_actions(state.current_player), gains(state)
    most = max(values.values())
    if most <= 0:
        raise Dropped("nothing can be closed")
    right = [action for action in actions if values[action] == most]
    share = share_of(right, actions, LARGEST_SHARE, "many actions are best")
    if most == 1 and not _hidden(right, actions):
        raise Dropped("easily seen")
    ways = tuple(Way(state.action_to_string(action)) for action in right)
    return Found("sections", Step(ways), symmetry(state), share, most)


def check_size(state: AmbagibusState) -> None:
    """Raise Dropped if there is little to choose from, or the maze is too small or too large to read."""
    if len(state.legal_actions(state.current_player)) < FEWEST_ACTIONS:
        raise Dropped("few actions")
    if len(state.maze.tiles) < FEWEST_CARDS:
        raise Dropped("a small maze")
    for axis in (0, 1):
        line = [cell[axis] for cell in state.maze.tiles]
        if max(line) - min(line) >= WIDEST:
            raise Dropped("a large maze")


def _hidden(right: Sequence[Action], actions: Sequence[Action]) -> bool:
    """Return whether a single closed section is hard to see: one card does it, and could lie on several cells."""
    used = {CARD_OF[action.card] for action in right if isinstance(action, Play)}
    cells = {action.cell for action in actions if isinstance(action, Play) and CARD_OF[action.card] in used}
    return len(used) == 1 and len(cells) >= FEWEST_CELLS


def gains(state: AmbagibusState) -> dict[Action, int]:
    """Return how many more closed sections each action gives the player."""
    player = state.current_player
    before = len(state.maze.closed_sections(player))
    return {
        action: len(state.child(player, action).maze.closed_sections(player)) - before
        for action in state.legal_actions(player)
    }


def symmetry(state: AmbagibusState) -> Hashable:
    """Return a key that is the same for positions that differ only in names, a shift, or a turn of the maze."""
    player = state.current_player
    seats = [(seat - player) % state.players for seat in range(state.players)]
    tiles, alike = [(*cell, tile.card, seats[tile.owner]) for cell, tile in state.maze.tiles.items()], []
    for _ in range(4):
        # A clockwise quarter turn. A card is named by its edges N E S W, if it isn't a Bomb or a Cave-in.
        tiles = [(y, -x, card[-1] + card[:-1] if card.isdigit() else card, owner) for x, y, card, owner in tiles]
        left, low = min(tile[0] for tile in tiles), min(tile[1] for tile in tiles)
        alike.append(tuple(sorted((x - left, y - low, card, owner) for x, y, card, owner in tiles)))
    return repr((least(alike), sorted(state.cards[player].row)))
