"""Why an action of Ambagibus is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from games.ambagibus.actions import Action, Bury, Pass, Play, Shuffle
from games.ambagibus.board import FOREIGN, ORIGIN, priority_of_rank, survey
from games.ambagibus.components import BOMB, CARD_OF, CAVE, ROMAN, ROW_SIZE, card_label, openings
from games.ambagibus.observation import AmbagibusObservation
from games.core import Refusal
from games.grid import EDGE_NAMES, EDGES, cell_to_string


def why_illegal(seen: AmbagibusObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    if isinstance(action, Shuffle):
        return Refusal("A2", "Only chance shuffles.")
    row = seen.rows[seen.current_player]
    if not row:
        return Refusal("A10", "You have no cards left, so you can only pass.")
    if isinstance(action, Pass):
        return Refusal("A10", "You can only pass when you have no cards left.")
    card = CARD_OF[action.card]
    if card not in row:
        if ROW_SIZE[seen.variant] == 1:
            return Refusal("A7", f"You've turned up {_named(row[0])}, so that's the card to play.")
        return Refusal("A11", f"{_named(card)} isn't one of your face-up cards.")
    if isinstance(action, Bury):
        return _why_not_buried(seen, card)
    if card == BOMB:
        return Refusal("A8", "A Bomb goes on a card of your own in the maze.")
    if card == CAVE:
        return Refusal("A9", "A Cave-in goes on a tunnel card of your own that has an open passage.")
    return _why_not_there(seen, action)


def _why_not_buried(seen: AmbagibusObservation, card: str) -> Refusal:
    if ROW_SIZE[seen.variant] > 1:
        return Refusal(
            "A14", "A card goes to the bottom of the deck only when none of your face-up cards can be played."
        )
    if card == BOMB:
        return Refusal("A8", "You have a card in the maze, so you must play the Bomb on one.")
    if card == CAVE:
        return Refusal("A9", "One of your tunnel cards has an open passage, so you must play the Cave-in on one.")
    return Refusal("A7", "This card can be played, so it can't go to the bottom of the deck.")


def _why_not_there(seen: AmbagibusObservation, play: Play) -> Refusal:
    """Return why a tunnel card of the viewer can't lie there, or not in this rotation."""
    cell, maze, player = play.cell, survey(seen.maze), seen.current_player
    place = cell_to_string(cell)
    if cell in maze.tiles:
        return Refusal("A3", f"A {'Cave-in' if maze.tiles[cell].card == CAVE else 'card'} already lies at {place}.")
    space = maze.spaces.get(cell)
    if space is None:
        if not maze.tiles:
            return Refusal("A15", f"The maze is empty: the next card is laid at {cell_to_string(ORIGIN)}.")
        return Refusal("A3", f"A card must join an open passage, and none leads to {place}.")
    open_edges = openings(play.card)
    if space.needed & ~open_edges or space.closed & open_edges:
        wanted = f"an opening {_edges(space.needed)}" + (f" and a wall {_edges(space.closed)}" if space.closed else "")
        return Refusal("A3", f"At {place} a card needs {wanted}.")
    rank = space.ranks[player]
    _, alone = maze.placements(player, (CARD_OF[play.card],))
    if alone < rank:
        if alone <= FOREIGN < rank:
            return Refusal("A4", "This card can be joined to an open passage of your own, so it must be.")
        return Refusal(
            "A5", f"This card can be laid on a lower passage, {ROMAN[priority_of_rank(alone)]}, so it must be."
        )
    _, lowest = maze.placements(player, seen.rows[player])
    if lowest <= FOREIGN < rank:
        return Refusal(
            "A12", "Another of your face-up cards can be joined to an open passage of your own; this one can't."
        )
    passage = ROMAN[priority_of_rank(lowest)]
    return Refusal("A12", f"Another of your face-up cards can be laid on a lower passage, {passage}; this one can't.")


def _edges(mask: int) -> str:
    names = [EDGE_NAMES[letter] for edge, letter in enumerate(EDGES) if mask >> edge & 1]
    return " and ".join(names)


def _named(card: str) -> str:
    return f"{card_label(card)} (`{card}`)"
