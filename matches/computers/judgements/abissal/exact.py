"""Who wins the end of a round of Ambiente Abissal between two players if both know all cards and play perfectly."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.abissal.actions import Play
from games.abissal.components import CARDS
from games.abissal.components import Strength as Kind
from games.abissal.tricks import beating, followers, leads, strength_after
from matches.engine.workers import go_on

UNBOUNDED: Final = 1 << 62

REMEMBERED: Final = 1 << 17
"""How many positions are remembered, in some 25 MB. Then all are forgotten."""

_ASKING: Final = 1000
"""After how many positions the search checks whether it was cancelled, and whether it remembers too many."""


class TooLarge(Exception):
    """The end has more positions than may be looked at."""


@lru_cache(maxsize=1 << 14)
def _leads(hand: int) -> tuple[Play, ...]:
    """Return every lead, pairs first: they bring the end nearer, so most searches end with them."""
    return tuple(sorted(leads(hand), key=lambda play: -play.cards.bit_count()))


class Ends:
    """The winners of ends, found by trying everything until a win. Positions met before are remembered.

    Hands that differ in few cards have most of their ends in common. `looked` counts positions, up to `most`.
    """

    def __init__(self) -> None:
        self.looked = 0
        self.most = UNBOUNDED
        self._led: dict[int, bool] = {}
        self._followed: dict[tuple[int, str, int], bool] = {}

    def allow(self, positions: int) -> None:
        """Allow this many more positions to be looked at. Without a call there is no limit."""
        self.most = self.looked + positions

    def leader_wins(self, hand: int, other: int) -> bool:
        """Return whether the player who leads a trick from `hand` wins against the hand `other`."""
        key = hand << len(CARDS) | other
        known = self._led.get(key)
        if known is None:
            known = self._led[key] = self._lead(hand, other)
        return known

    def follower_wins(self, hand: int, other: int, strength: Kind, last: Play) -> bool:
        """Return whether the player who may follow `last` from `hand` wins. If they pass, the opponent leads."""
        key = hand << len(CARDS) | other, strength._value_, last.cards
        known = self._followed.get(key)
        if known is None:
            known = self._followed[key] = self._follow(hand, other, strength, last)
        return known

    def _lead(self, hand: int, other: int) -> bool:
        self._look()
        plays = _leads(hand)
        if plays[0].cards == hand:
            return True
        beaten = []
        for play in plays:
            strength = play.strength
            assert strength is not None
            if other & beating(strength, play) and followers(other, strength, play):
                beaten.append((play, strength))
            elif self.leader_wins(hand & ~play.cards, other):
                return True
        return any(not self.follower_wins(other, hand & ~play.cards, kind, play) for play, kind in beaten)

    def _follow(self, hand: int, other: int, strength: Kind, last: Play) -> bool:
        self._look()
        plays = followers(hand, strength, last)
        for play in plays:
            if play.cards == hand:
                return True
        for play in plays:
            if not self.follower_wins(other, hand & ~play.cards, strength_after(strength, last, play), play):
                return True
        return not self.leader_wins(other, hand)

    def _look(self) -> None:
        self.looked += 1
        if self.looked > self.most:
            raise TooLarge
        if not self.looked % _ASKING:
            go_on()
            if len(self._led) + len(self._followed) > REMEMBERED:
                self._led.clear()
                self._followed.clear()
