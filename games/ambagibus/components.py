"""The cards of Ambagibus, and how its tunnel cards can be turned.

A tunnel card is written by its edges N E S W: the priority 1-4 of an opening, or ``0`` for a wall. In decks and rows it
has its name in `TUNNELS`. In the maze it has up to four texts, one for each rotation.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from games.grid import EDGE_NAMES, EDGES

BASIC: Final = "basic"
ADVANCED: Final = "advanced"

ROW_SIZE: Final = {BASIC: 1, ADVANCED: 3}
"""The number of face-up cards to which a player draws, at the start of their turn (A7) or at its end (A11)."""

BOMB: Final = "bomb"
CAVE: Final = "cave"

# The author's list of cards isn't published with the rules. This one is ours: 20 openings of each priority. Another
# list works too, if no two of its cards are rotations of each other.
TUNNELS: Final = {
    **dict.fromkeys(("1000", "2000", "3000", "4000"), 2),
    **dict.fromkeys(("1020", "3040", "1030", "2040"), 1),
    **dict.fromkeys(("1040", "2030"), 2),
    **dict.fromkeys(("1200", "3400", "1300", "2400"), 1),
    **dict.fromkeys(("4100", "3200"), 2),
    **dict.fromkeys(("2340", "1340", "1240", "1230", "4320", "4310", "4210", "3210"), 1),
    **dict.fromkeys(("1234", "1324", "1243", "1432"), 1),
}
SPECIALS: Final = {BOMB: 2, CAVE: 2}
DECK: Final = tuple(sorted(card for kind in (TUNNELS, SPECIALS) for card, count in kind.items() for _ in range(count)))
"""The 40 cards of one player, sorted."""


ROTATIONS: Final = {card: tuple(dict.fromkeys(card[-turns:] + card[:-turns] for turns in range(4))) for card in TUNNELS}
"""The ways in which a tunnel card can lie, turned clockwise step by step."""

CARD_OF: Final = {
    **{turned: card for card, rotations in ROTATIONS.items() for turned in rotations},
    **{card: card for card in SPECIALS},
}
"""The name in the deck of a card in the maze."""


def openings(card: str) -> int:
    """Return the edges with openings of a card as it lies, as a mask (bit 0 N, 1 E, 2 S, 3 W)."""
    return sum(1 << edge for edge, priority in enumerate(card) if priority != "0")


def total(card: str) -> int:
    """Return the sum of a card's priorities, 0 for special cards (A1)."""
    return 0 if card in SPECIALS else sum(map(int, card))


# Where a card fits depends on its kind only. A set of kinds is a mask.
_SHAPES: Final = {0b0001: "Dead end", 0b0101: "Straight", 0b0011: "Corner", 0b0111: "Junction", 0b1111: "Crossing"}
KIND: Final = {
    **{
        card: 1 << kind
        for card, rotations in ROTATIONS.items()
        for kind, shape in enumerate(_SHAPES)
        if shape in map(openings, rotations)
    },
    BOMB: 1 << len(_SHAPES),
    CAVE: 2 << len(_SHAPES),
}
"""The kind of every card of the deck: a shape of tunnel, Bomb or Cave-in."""


@cache
def ways(card: str, needed: int, closed: int) -> tuple[str, ...]:
    """Return the rotations of a tunnel card with openings at the edges `needed` and walls at the edges `closed`."""
    return tuple(
        turned for turned in ROTATIONS[card] if openings(turned) & needed == needed and not openings(turned) & closed
    )


@cache
def fitting_kinds(needed: int, closed: int) -> int:
    """Return the kinds of tunnel card that can have openings at the edges `needed` and walls at the edges `closed`."""
    return sum({KIND[card] for card in TUNNELS if ways(card, needed, closed)})


ROMAN: Final = ("", "I", "II", "III", "IV")
"""Priorities as people read them."""


def card_label(card: str) -> str:
    """Return a card of the deck for people: ``Corner IV-I`` with its openings clockwise, or ``Bomb``."""
    if card in SPECIALS:
        return "Bomb" if card == BOMB else "Cave-in"
    shape, name = next((shape, name) for shape, name in _SHAPES.items() if shape in map(openings, ROTATIONS[card]))
    lying = next(turned for turned in ROTATIONS[card] if openings(turned) == shape)
    return f"{name} {'-'.join(ROMAN[int(priority)] for priority in lying if priority != '0')}"


def lying_label(card: str) -> str:
    """Return a tunnel card as it lies for people: ``I up, IV right``."""
    return ", ".join(
        f"{ROMAN[int(priority)]} {EDGE_NAMES[edge]}"
        for edge, priority in zip(EDGES, card, strict=True)
        if priority != "0"
    )
