"""The cards of Ambagibus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.ambagibus.components import CARD_OF
from games.ambagibus.state import AmbagibusState


def material(state: AmbagibusState) -> Counter[str]:
    """Count every card, with the seat whose deck it comes from."""
    return Counter(f"{seat} {CARD_OF[card]}" for seat, card in _all_cards(state))


def _all_cards(state: AmbagibusState) -> Iterator[tuple[int, str]]:
    yield from state.gone
    for seat, own in enumerate(state.cards):
        yield from ((seat, card) for card in own.row + own.deck)
    for tile in state.maze.tiles.values():
        yield tile.owner, tile.card
        if tile.under is not None:
            yield tile.owner, tile.under
