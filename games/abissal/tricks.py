"""What can be played to a trick of Ambiente Abissal, what beats what, and whose turn is next (D3-D9)."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import combinations
from typing import Final

from games.abissal.actions import Play, play_of
from games.abissal.components import CARDS, COLUMNS, DECKS, ROWS, Strength, indices

_OPEN, _SUIT, _NUMBER = Strength.OPEN, Strength.SUIT, Strength.NUMBER
_SUIT_PAIR = Strength.SUIT_PAIR


def _subsets(cards: int) -> Iterator[int]:
    subset = cards
    while subset:
        yield subset
        subset = (subset - 1) & cards
    yield 0


# The plays that the cards of one suit, or of one number, allow. A hand's plays are looked up line by line.
_SINGLES_IN: Final = {
    subset: tuple(play_of(1 << index) for index in indices(subset)) for row in ROWS for subset in _subsets(row)
}
_PAIRS_IN: Final = {
    subset: tuple(play_of(1 << a | 1 << b) for a, b in combinations(indices(subset), 2))
    for line in (*ROWS, *COLUMNS)
    for subset in _subsets(line)
}


def _cards_above(lines: tuple[int, ...]) -> tuple[int, ...]:
    """Return for every card the cards of the lines above its own."""
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


def leads(hand: int) -> list[Play]:
    """Return every play that can lead a trick from `hand` (D3)."""
    found = _singles(hand)
    for line in ROWS:
        found += _PAIRS_IN[hand & line]
    for line in COLUMNS:
        found += _PAIRS_IN[hand & line]
    return found


_ROWS_ABOVE: Final = tuple(sum(ROWS[rank + 1 :]) for rank in range(len(ROWS)))
_COLUMNS_ABOVE: Final = tuple(sum(COLUMNS[rank + 1 :]) for rank in range(len(COLUMNS)))


def beating(strength: Strength, last: Play) -> int:
    """Return the cards that beat `last` in a trick for `strength` (D5-D7).

    In a trick of pairs, return the cards from which a pair that beats `last` can be made.
    """
    if strength is _OPEN:
        return STRONGER[last.rank]
    if strength is _SUIT:
        return STRONGER_SUIT[last.rank]
    if strength is _NUMBER:
        return STRONGER_NUMBER[last.rank]
    return (_ROWS_ABOVE if strength is _SUIT_PAIR else _COLUMNS_ABOVE)[last.rank]


def followers(hand: int, strength: Strength, last: Play) -> list[Play]:
    """Return every play from `hand` that beats `last` in a trick played for `strength` (D4-D7)."""
    if strength is _OPEN or strength is _SUIT or strength is _NUMBER:
        return _singles(hand & beating(strength, last))
    rank = last.rank
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
    """Return what the trick is played for after `play` has beaten `last`.

    The first card that is stronger in suit only, or in number only, decides that (D6).
    """
    if strength is not _OPEN:
        return strength
    by_suit, by_number = play.cards & STRONGER_SUIT[last.rank], play.cards & STRONGER_NUMBER[last.rank]
    if by_suit and by_number:
        return _OPEN
    return _SUIT if by_suit else _NUMBER


CLOCKWISE: Final = {
    players: tuple(tuple((seat + step) % players for step in range(1, players)) for seat in range(players))
    for players in DECKS
}
"""By number of players and seat: the other seats in turn order."""


def turn_after(player: int, holder: int, hands: Sequence[int], passed: Container[int]) -> tuple[int, bool]:
    """Return whose turn is next after `player`'s, and whether they lead a new trick (D8, D9).

    `holder` made the last play.
    """
    clockwise = CLOCKWISE[len(hands)]
    for seat in clockwise[player]:
        if seat != holder and hands[seat] and seat not in passed:
            return seat, False
    return next(seat for seat in (holder, *clockwise[holder]) if hands[seat]), True
