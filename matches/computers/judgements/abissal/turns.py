"""The fewest turns in which a hand of Ambiente Abissal can be played, and what the strength of a play costs."""

from __future__ import annotations

from typing import Final

from games.abissal.components import NUMBERS, indices


def strength_of(cards: int) -> int:
    """Return the strength of a play: the sum of the suits and numbers of its cards, both counted from 0."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


_Groups = tuple[tuple[int, int], ...]
"""The groups of cards that are connected by suits and numbers: for each its numbers (a mask) and its size modulo 2."""

_GROUPS: Final[list[_Groups]] = [()]
"""All groups seen so far. Their index in this list stands for them."""

_PLACE: Final[dict[_Groups, int]] = {(): 0}
_ODD: Final[list[int]] = [0]
"""By index, how many of the groups have an odd size."""

_AFTER: Final[dict[int, int]] = {}
"""The index of the groups after the cards of one more suit. The key is the index before, then the cards as low bits."""

_SUIT: Final = (1 << NUMBERS) - 1


def _joined(step: int) -> int:
    """Return the value for a key that `_AFTER` doesn't have yet, and add it there."""
    groups, cards = _GROUPS[step >> NUMBERS], step & _SUIT
    numbers, count, apart = cards, cards.bit_count(), list[tuple[int, int]]()
    for group, odd in groups:
        if group & cards:
            numbers |= group
            count += odd
        else:
            apart.append((group, odd))
    found = tuple(sorted([*apart, (numbers, count & 1)])) if cards else groups
    place = _PLACE.setdefault(found, len(_GROUPS))
    if place == len(_GROUPS):
        _GROUPS.append(found)
        _ODD.append(sum(odd for _, odd in found))
    _AFTER[step] = place
    return place


def turns(hand: int) -> int:
    """Return the fewest leads with which a hand can be played, at most two cards of a suit or of a number each (D3).

    All cards of a connected group can be paired, except for one if their number is odd: a connected graph without claws
    has a matching that leaves out at most one vertex (Sumner, 1974). So each group counts half its cards, rounded up.
    The hand is read suit by suit. Only the numbers of each group and its parity matter for the next suit. So few
    different groups exist that all are cached.
    """
    groups, rest = 0, hand
    while rest:
        step = groups << NUMBERS | rest & _SUIT
        known = _AFTER.get(step)
        groups = _joined(step) if known is None else known
        rest >>= NUMBERS
    return (hand.bit_count() + _ODD[groups]) // 2
