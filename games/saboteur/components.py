"""The components of Saboteur: the cards, how many there are, and how they can lie.

A *card* has its name in the orientation in which `PATH_CARDS` lists it. A *piece* is a path card as it lies on the
table. The names are the open edges in the order N E S W: in upper case if the edges are joined inside, in lower case
for a dead end. A path card has one piece, or two if turning it by 180 degrees changes it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.grid import EDGE_NAMES, EDGES, OPPOSITE, Cell

JOINED_CARDS: Final = {"NESW": 5, "NES": 5, "NEW": 5, "NS": 4, "EW": 3, "NW": 4, "NE": 5}
DEAD_ENDS: Final = dict.fromkeys(("nesw", "nes", "new", "ns", "ew", "nw", "ne", "n", "e"), 1)
PATH_CARDS: Final = JOINED_CARDS | DEAD_ENDS
BREAK_CARDS: Final = {"-P": 3, "-L": 3, "-W": 3}
REPAIR_CARDS: Final = {"+P": 2, "+L": 2, "+W": 2, "+PL": 1, "+PW": 1, "+LW": 1}
ROCK: Final = "rock"
MAP: Final = "map"
ACTION_CARDS: Final = BREAK_CARDS | REPAIR_CARDS | {ROCK: 3, MAP: 6}
DECK: Final = tuple(sorted(card for kind in (PATH_CARDS, ACTION_CARDS) for card, n in kind.items() for _ in range(n)))
"""All 67 path and action cards, sorted."""

TOOLS: Final = "PLW"
DIGGER: Final = "D"
SABOTEUR: Final = "S"
ROLE_NAMES: Final = {DIGGER: "gold-digger", SABOTEUR: "saboteur"}

ROUNDS: Final = 3

START: Final[Cell] = (0, 0)
START_CARD: Final = "NESW"
FINISH: Final[tuple[Cell, ...]] = ((8, 2), (8, 0), (8, -2))
FIXED: Final = frozenset((START, *FINISH))
"""Cells whose cards no rock-fall removes (S11)."""

TREASURE: Final = "T"
GOALS: Final = ("NE", "NW", TREASURE)
"""The finish cards, sorted: two stones, named by their curve, and the treasure."""
TREASURE_CARD: Final = "NESW"

HAND_SIZE: Final = {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
_DWARVES: Final = {3: (1, 3), 4: (1, 4), 5: (2, 4), 6: (2, 5), 7: (3, 5), 8: (3, 6), 9: (3, 7), 10: (4, 7)}
ROLES: Final = {players: DIGGER * diggers + SABOTEUR * saboteurs for players, (saboteurs, diggers) in _DWARVES.items()}
"""The role cards by number of players, sorted: one more than there are players (S1)."""


def turned(piece: str) -> str:
    """Return the piece turned by 180 degrees."""
    order = EDGES if piece.isupper() else EDGES.lower()
    return "".join(order[edge] for edge in range(4) if order[OPPOSITE[edge]] in piece)


PIECES_OF: Final = {card: tuple(dict.fromkeys((card, turned(card)))) for card in PATH_CARDS}
"""The pieces that a path card can become."""
PIECES: Final = tuple(piece for pieces in PIECES_OF.values() for piece in pieces)
"""All 26 ways in which a path card can lie. The number of a piece is its index here."""
CARD_OF: Final = {piece: card for card, pieces in PIECES_OF.items() for piece in pieces}


class Side(NamedTuple):
    """One edge of a piece: whether it is `open`, whether it is `joined` to the others inside, and what fits beside it.

    `fits` is a mask of pieces. Bit *i* is set if piece number *i*, laid beside this edge, meets it opening to opening
    or wall to wall (S6).
    """

    open: bool
    joined: bool
    fits: int


def _side(piece: str, edge: int) -> Side:
    is_open, facing = EDGES[edge] in piece.upper(), OPPOSITE[edge]
    fits = sum(1 << number for number, other in enumerate(PIECES) if (EDGES[facing] in other.upper()) == is_open)
    return Side(is_open, is_open and piece.isupper(), fits)


SIDES: Final = {piece: tuple(_side(piece, edge) for edge in range(4)) for piece in PIECES}
"""The four edges of every piece, in the order N E S W."""
ANY_PIECE: Final = (1 << len(PIECES)) - 1
"""The mask of all pieces."""
HELD: Final = dict.fromkeys(ACTION_CARDS, 0) | {
    card: sum(1 << PIECES.index(piece) for piece in pieces) for card, pieces in PIECES_OF.items()
}
"""The pieces that a card can become, as a mask."""


TOOL_NAMES: Final = {"P": "pick", "L": "lantern", "W": "wagon"}


def card_name(card: str) -> str:
    """Return a name for people of a card or a piece: ``fork``, ``dead end``, ``break pick``."""
    if card in (ROCK, MAP):
        return "rock-fall" if card == ROCK else "map"
    if card in BREAK_CARDS or card in REPAIR_CARDS:
        tools = " or ".join(TOOL_NAMES[tool] for tool in card[1:])
        return f"{'break' if card in BREAK_CARDS else 'repair'} {tools}"
    if card.islower():
        return "dead end"
    if len(card) == 2:
        return "straight tunnel" if turned(card) == card else "curve"
    return "crossing" if len(card) == 4 else "fork"


LABELS: Final = {
    **{card: card for card in JOINED_CARDS},
    **{card: f"{card} {card_name(card)}" for card in (*DEAD_ENDS, *BREAK_CARDS, *REPAIR_CARDS)},
    **{card: card_name(card) for card in (ROCK, MAP)},
}
"""The text of a card on a button: its name in the picture of the hand, and what it is if the name doesn't say that."""


def piece_label(piece: str) -> str:
    """Return one way in which a card can lie, for people: ``up, right and down``."""
    names = [EDGE_NAMES[edge] for edge in piece.upper()]
    return ", ".join(names[:-1]) + (" and " if names[:-1] else "") + names[-1]
