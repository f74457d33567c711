"""The actions of Ambiente Abissal, their notation, and other ways in which people type them.

There is one shared object for every play: search meets the same plays millions of times.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from games.abissal.components import (
    CARDS,
    COLUMNS,
    HAND_SIZE,
    NUMBERS,
    ROWS,
    Strength,
    cards_of,
    indices,
    is_card,
    mask_of,
)
from games.core import HIDDEN, reader
from games.typed import fold


class Deal(NamedTuple):
    """Chance deals the hands of a round (D1). `hands` are sets of cards by seat, `HIDDEN_HAND` for a hidden one."""

    hands: tuple[int, ...]


class First(NamedTuple):
    """Chance names the leader of the first round (D2)."""

    seat: int


class Play(NamedTuple):
    """The set of cards that a player lays. The empty set is a pass.

    `strength` is what the trick is played for if these cards lead it. It is ``None`` for a pass, and for cards that D3
    doesn't allow together. `rank` is what plays are compared by: the number of a single card in `CARDS`, the suit of a
    suit pair (0 weakest), the number of a number pair less one.
    """

    strength: Strength | None
    rank: int
    cards: int


Action = Play | Deal | First

PASS: Final = Play(None, 0, 0)

HIDDEN_HAND: Final = 0
"""Another player's hand in a deal as a viewer may see it. Its size is public: everybody gets the same number."""

# What people type for a card: "b4", "blue 4", "4 blue", after `fold` has removed the spaces.
_SUIT: Final = r"(?:gray|grey|orange|yellow|teal|blue|purple|[goytbp])"
_TYPED_CARD: Final = re.compile(rf"({_SUIT})([1-9])|([1-9])({_SUIT})", re.ASCII)
_TYPED: Final = re.compile(rf"(?:play|lead|lay)?((?:(?:^|\+|,|&|/|and|with)?(?:{_SUIT}[1-9]|[1-9]{_SUIT}))+)", re.ASCII)
_TYPED_PASS: Final = frozenset({"pass", "skip", "nothing", "none"})


def _pairs_of(lines: tuple[int, ...], strength: Strength) -> dict[int, Play]:
    return {
        1 << first | 1 << second: Play(strength, rank, 1 << first | 1 << second)
        for rank, line in enumerate(lines)
        for first, second in combinations(indices(line), 2)
    }


_PLAYS: Final[dict[int, Play]] = {
    0: PASS,
    **{1 << index: Play(Strength.OPEN, index, 1 << index) for index in range(len(CARDS))},
    **_pairs_of(ROWS, Strength.SUIT_PAIR),
    **_pairs_of(COLUMNS, Strength.NUMBER_PAIR),
}
"""The shared object of every play, by its cards."""


def play_of(cards: int) -> Play:
    """Return the play that lays a set of cards, allowed or not."""
    return _PLAYS.get(cards) or Play(None, 0, cards)


@lru_cache(maxsize=4096)
def laid(play: Play) -> tuple[str, ...]:
    """Return the cards of a play in the order of the notation: the higher number first, then the weaker suit."""
    order = sorted(indices(play.cards), key=lambda index: (-(index % NUMBERS), index))
    return tuple(CARDS[index] for index in order)


def action_to_string(action: Action) -> str:
    """Return the canonical text: ``B4``, ``O4+O2``, ``pass``, ``deal …/…``, ``first 2``."""
    if isinstance(action, Play):
        return "+".join(laid(action)) or "pass"
    if isinstance(action, First):
        return f"first {action.seat}"
    hands = (cards_of(hand) or (HIDDEN,) * HAND_SIZE for hand in action.hands)
    return "deal " + "/".join(map(",".join, hands))


def _play(text: str) -> Play | None:
    """Return a pass, or the play of any cards joined by ``+``; ``None`` for what is no card, and for a card twice."""
    if text == "pass":
        return PASS
    names = text.split("+")
    return play_of(mask_of(names)) if len(set(names)) == len(names) and all(map(is_card, names)) else None


def _deal(text: str) -> Deal | None:
    hands = [hand.split(",") for hand in text.split("/")]
    return Deal(tuple(map(mask_of, hands))) if all(is_card(card) for hand in hands for card in hand) else None


string_to_action: Final = reader(
    "isn't a move: write cards joined by +, or pass.",
    {"(.+)": _play},
    {"first ([0-2])": lambda seat: First(int(seat)), "deal (.+)": _deal},
)


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return the notation for what somebody typed, or the text itself if nothing fits.

    People may write suits in full, before or after the number. Verbs are ignored.
    """
    typed = fold(text)
    if typed in _TYPED_PASS:
        return "pass"
    match = _TYPED.fullmatch(typed)
    if match is None:
        return text
    found = _TYPED_CARD.findall(match[1])
    names = {f"{(suit or late)[:1].upper()}{number or early}" for suit, number, early, late in found}
    if len(names) < len(found) or not all(map(is_card, names)):
        return text
    return action_to_string(play_of(mask_of(names)))
