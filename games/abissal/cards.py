"""The cards of Ambiente Abissal, what can be played with them, and what beats what (D3-D7).

Card *i* has suit ``i // 6`` and number ``i % 6 + 1``; a set of cards is a mask with bit *i* for card *i*. The game for
two uses the same numbering and leaves out the gray cards and the sixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

SUITS: Final = "GOYTBP"
"""From weak to strong."""

SUIT_NAMES: Final = {"G": "gray", "O": "orange", "Y": "yellow", "T": "teal", "B": "blue", "P": "purple"}
NUMBERS: Final = 6
CARDS: Final = tuple(f"{suit}{number}" for suit in SUITS for number in range(1, NUMBERS + 1))
"""By suit from weak to strong, then by number: the order in which hands are written."""

HAND_SIZE: Final = 11

_INDEX: Final = {card: index for index, card in enumerate(CARDS)}


def cards_of(mask: int) -> tuple[str, ...]:
    """The names of a set of cards, in the order of `CARDS`."""
    return tuple(CARDS[index] for index in indices(mask))


def mask_of(names: Iterable[str]) -> int:
    """The set of the cards `names`. Raises KeyError for what is no card."""
    mask = 0
    for name in names:
        mask |= 1 << _INDEX[name]
    return mask


def indices(mask: int) -> Iterator[int]:
    """The numbers of the cards in a set, rising."""
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


class Strength(StrEnum):
    """What a trick is played for: pairs are by suit or by number from the start, single cards as D6 decides."""

    OPEN = "open"
    SUIT = "suit"
    NUMBER = "number"
    SUIT_PAIR = "suit pair"
    NUMBER_PAIR = "number pair"


PAIRS: Final = frozenset({Strength.SUIT_PAIR, Strength.NUMBER_PAIR})


class Play(NamedTuple):
    """The cards that a player lays, as a set; the empty set is a pass.

    `strength` is what the trick is played for when these cards lead it, ``None`` for a pass and for cards that D3 does
    not allow together. `rank` is what is compared: a single card's number in `CARDS`, a suit pair's suit
    (0 weakest), a number pair's number less one.
    """

    strength: Strength | None
    rank: int
    cards: int


PASS: Final = Play(None, 0, 0)

_OPEN, _SUIT, _NUMBER = Strength.OPEN, Strength.SUIT, Strength.NUMBER
_SUIT_PAIR, _NUMBER_PAIR = Strength.SUIT_PAIR, Strength.NUMBER_PAIR


def _subsets(cards: int) -> Iterator[int]:
    subset = cards
    while subset:
        yield subset
        subset = (subset - 1) & cards
    yield 0


def _pairs_of(lines: tuple[int, ...], strength: Strength) -> dict[int, Play]:
    return {
        1 << first | 1 << second: Play(strength, rank, 1 << first | 1 << second)
        for rank, line in enumerate(lines)
        for first, second in combinations(indices(line), 2)
    }


_PLAYS: Final[dict[int, Play]] = {
    0: PASS,
    **{1 << index: Play(_OPEN, index, 1 << index) for index in range(len(CARDS))},
    **_pairs_of(ROWS, _SUIT_PAIR),
    **_pairs_of(COLUMNS, _NUMBER_PAIR),
}
"""Every play of the game by its cards: the only objects that stand for them."""

# The plays that can be made of the cards of one suit, or of one number: a hand is read line by line from these.
_SINGLES_IN: Final = {
    subset: tuple(_PLAYS[1 << index] for index in indices(subset)) for row in ROWS for subset in _subsets(row)
}
_PAIRS_IN: Final = {
    subset: tuple(_PLAYS[1 << a | 1 << b] for a, b in combinations(indices(subset), 2))
    for line in (*ROWS, *COLUMNS)
    for subset in _subsets(line)
}


def _cards_above(lines: tuple[int, ...]) -> tuple[int, ...]:
    """For every card all cards of the lines above its own."""
    return tuple(
        sum(lines[next(rank for rank, line in enumerate(lines) if line >> index & 1) + 1 :])
        for index in range(len(CARDS))
    )


STRONGER_SUIT: Final = _cards_above(ROWS)
"""For every card the cards of a stronger suit."""

STRONGER_NUMBER: Final = _cards_above(COLUMNS)
"""For every card the cards of a higher number."""

STRONGER: Final = tuple(suit | number for suit, number in zip(STRONGER_SUIT, STRONGER_NUMBER, strict=True))
"""For every card the cards that are stronger in suit, in number or in both (D6)."""


def play_of(cards: int) -> Play:
    """The play that lays a set of cards, allowed or not."""
    return _PLAYS.get(cards) or Play(None, 0, cards)


def leads(hand: int) -> list[Play]:
    """Every play that can lead a trick from `hand` (D3)."""
    found = _singles(hand)
    for line in ROWS:
        found += _PAIRS_IN[hand & line]
    for line in COLUMNS:
        found += _PAIRS_IN[hand & line]
    return found


def followers(hand: int, strength: Strength, last: Play) -> list[Play]:
    """Every play from `hand` that beats `last` in a trick played for `strength` (D4-D7)."""
    rank = last.rank
    if strength is _OPEN:
        return _singles(hand & STRONGER[rank])
    if strength is _SUIT:
        return _singles(hand & STRONGER_SUIT[rank])
    if strength is _NUMBER:
        return _singles(hand & STRONGER_NUMBER[rank])
    found: list[Play] = []
    for line in (ROWS if strength is _SUIT_PAIR else COLUMNS)[rank + 1 :]:
        found += _PAIRS_IN[hand & line]
    return found


def _singles(hand: int) -> list[Play]:
    found: list[Play] = []
    for line in ROWS:
        found += _SINGLES_IN[hand & line]
    return found


def strength_after(strength: Strength, last: Play, play: Play) -> Strength:
    """What the trick is played for once `play` has beaten `last` (D6: the first one-sided advantage decides)."""
    if strength is not _OPEN:
        return strength
    by_suit, by_number = play.cards & STRONGER_SUIT[last.rank], play.cards & STRONGER_NUMBER[last.rank]
    if by_suit and by_number:
        return _OPEN
    return _SUIT if by_suit else _NUMBER


@lru_cache(maxsize=4096)
def laid(play: Play) -> tuple[str, ...]:
    """The cards of a play as the notation orders them: the higher number first, then the weaker suit."""
    order = sorted(indices(play.cards), key=lambda index: (-(index % NUMBERS), index))
    return tuple(CARDS[index] for index in order)


def play_to_string(play: Play) -> str:
    """As the notation writes it: the cards joined by ``+``, or ``pass``."""
    return "+".join(laid(play)) or "pass"


def string_to_play(text: str) -> Play | None:
    """Any cards joined by ``+``, or ``pass``; ``None`` where a part is no card or a card comes twice."""
    if text == "pass":
        return PASS
    names = text.split("+")
    if len(set(names)) < len(names) or not all(name in _INDEX for name in names):
        return None
    return play_of(mask_of(names))


def is_card(text: str) -> bool:
    """Whether `text` is the name of a card."""
    return text in _INDEX


def card_in_words(card: str) -> str:
    """``Blue 4`` for ``B4``."""
    return f"{SUIT_NAMES[card[0]].capitalize()} {card[1]}"
