"""The pieces of Gambo, and the results of their duels (G6, G7)."""

from __future__ import annotations

from typing import Final

KINDS: Final = "ECM"
"""Each kind beats the next one, and the last beats the first (G6)."""

KIND_NAMES: Final = {"E": "Elephant", "C": "Cat", "M": "Mouse"}
PIECE_NAMES: Final = {
    f"{kind}{strength}": f"{name} {strength}" for kind, name in KIND_NAMES.items() for strength in "123"
}
PIECES: Final = tuple(PIECE_NAMES)
"""The pieces of one side, in the order in which a swap names them."""

DUELS_IN_A_MATCH: Final = len(PIECES)
BONUS: Final = 4
"""Points for the winner of the last duel (G12)."""


def result(attacker: str, target: str) -> tuple[bool, int]:
    """Return whether the attacker wins the duel (G6), and how many points the duel is worth (G7)."""
    lead = (KINDS.index(target[0]) - KINDS.index(attacker[0])) % len(KINDS)
    wins = lead == 1 or (lead == 0 and attacker[1] >= target[1])
    return wins, int(attacker[1]) * int(target[1])


def name_of(piece: str) -> str:
    """Return a piece's name for people, ``Elephant 2``, or the text itself if it is no piece."""
    return PIECE_NAMES.get(piece, piece)
