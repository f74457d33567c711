"""The cards of Ambiente Abissal, and what the cards of a trick are compared by (D1, D3-D7).

Card *i* has suit ``i // 6`` and number ``i % 6 + 1``. A set of cards is a mask with bit *i* for card *i*. The
two-player game uses the same numbering, without the gray cards and the sixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

SUITS: Final = "GOYTBP"
"""From weak to strong."""

SUIT_NAMES: Final = {"G": "gray", "O": "orange", "Y": "yellow", "T": "teal", "B": "blue", "P": "purple"}
NUMBERS: Final = 6
CARDS: Final = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, NUMBERS + 1))
"""By suit from weak to strong, then by number. Hands are written in this order."""

HAND_SIZE: Final = 11

_INDEX: Final = {card: index for index, card in enumerate(CARDS)}


def cards_of(mask: int) -> tuple[str, ...]:
    """Return the names of a set of cards, in the order of `CARDS`."""
    return tuple(CARDS[index] for index in indices(mask))


def mask_of(names: Iterable[str]) -> int:
    """Return the set of the cards `names`. Raises KeyError for a name that is no card."""
    mask = 0
    for name in names:
        mask |= 1 << _INDEX[name]
    return mask


def indices(mask: int) -> Iterator[int]:
    """Yield the numbers of the cards in a set, rising."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


ROWS: Final = tuple(mask_of(card for card in CARDS if card[0] == suit) for suit in SUITS)
"""All cards of each suit, from weak to strong."""

COLUMNS: Final = tuple(mask_of(card for card in CARDS if card[1] == str(n)) for n in range(1, NUMBERS + 1))
"""All cards of each number, rising."""

_ALL: Final = sum(ROWS)
DECKS: Final = {2: _ALL & ~ROWS[0] & ~COLUMNS[-1], 3: _ALL}
"""The cards in the game, by number of players."""


def is_card(text: str) -> bool:
    """Return whether `text` is the name of a card."""
    return text in _INDEX


def card_in_words(card: str) -> str:
    """Return ``Blue 4`` for ``B4``."""
    return f"{SUIT_NAMES[card[0]].capitalize()} {card[1]}"


class Strength(StrEnum):
    """What a trick is played for. Pairs are by suit or by number from the start; D6 decides for single cards."""

    OPEN = "open"
    SUIT = "suit"
    NUMBER = "number"
    SUIT_PAIR = "suit pair"
    NUMBER_PAIR = "number pair"


PAIRS: Final = frozenset({Strength.SUIT_PAIR, Strength.NUMBER_PAIR})
