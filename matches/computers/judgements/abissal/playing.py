"""How everybody plays on to the end of a round of Ambiente Abissal in a sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

from games.abissal import AbissalState
from games.abissal.actions import PASS, Play
from games.abissal.components import CARDS, mask_of
from games.abissal.components import Strength as Kind
from games.abissal.tricks import CLOCKWISE, beating, followers, leads, strength_after
from matches.computers.judgements.abissal.exact import Ends
from matches.computers.judgements.abissal.turns import PRICES, turns

PASSING: Final = 0.12
"""The probability of a pass although the player could follow: strong cards are worth keeping."""

WANDERING: Final = 0.2
"""The probability of any play instead of the best one."""

_SUIT_PAIR: Final = Kind.SUIT_PAIR

_NEXT: Final = {
    players: tuple(
        tuple(next((seat for seat in others if able >> seat & 1), -1) for able in range(1 << players))
        for others in clockwise
    )
    for players, clockwise in CLOCKWISE.items()
}
"""By number of players, seat and the seats that may follow, as bits: whose turn is next, -1 for a new trick (D8)."""

_LEADER: Final = {
    players: tuple(
        tuple(next((seat for seat in (holder, *others) if able >> seat & 1), -1) for able in range(1 << players))
        for holder, others in enumerate(clockwise)
    )
    for players, clockwise in CLOCKWISE.items()
}
"""By number of players, holder of the trick and the seats that have cards, as bits: who leads next (D8, D9)."""

_WEAKEST_FIRST: Final = sorted(leads(mask_of(CARDS)), key=lambda play: PRICES[play.cards])
_FOLLOWING: Final = tuple(
    [play for play in _WEAKEST_FIRST if play.strength is kind] for kind in (Kind.OPEN, Kind.SUIT_PAIR, Kind.NUMBER_PAIR)
)

NEARLY_OUT: Final = 3
"""Somebody with so few cards is nearly out."""

DEAR: Final = {2: 0.78, 3: 0.88}
"""By the number of players: the price of plays that are kept for later while nobody is nearly out."""

EXACT: Final = 8
"""With so many cards or fewer, exact ends take hardly longer than to play on."""

_KEPT: Final = 1 << 15
"""How many choices are kept for the next time that they are met."""


@lru_cache(maxsize=_KEPT)
def _lead(hand: int) -> Play:
    """Return the weakest cards that save a turn."""
    fewer, missing = turns(hand) - 1, ~hand
    for play in _WEAKEST_FIRST:
        if not play.cards & missing and turns(hand & ~play.cards) == fewer:
            return play
    raise AssertionError


@lru_cache(maxsize=_KEPT)
def _follow(cards: int, pairs: int) -> Play:
    """Return the weakest play of these cards: a single card, or a pair by suit (1) or by number (2), else a pass."""
    for play in _FOLLOWING[pairs]:
        if play.cards & cards == play.cards:
            return play
    return PASS


def _nearly_out(hands: Sequence[int], player: int) -> bool:
    """Return whether one of the others has few cards left."""
    return any(seat != player and 0 < hand.bit_count() <= NEARLY_OUT for seat, hand in enumerate(hands))


def reply_from(hands: Sequence[int], player: int, strength: Kind | None, last: Play, rng: Random) -> Play:
    """Return the play of a sample for a player, in a trick for `strength` in which `last` must be beaten.

    They lead the weakest cards that save a turn, and follow with the weakest. They pass where that is too dear while
    nobody is nearly out, sometimes without a reason, and sometimes they play anything.
    """
    hand = hands[player]
    random = rng.random
    if strength is None:
        play = _lead(hand)
        if play.cards == hand or random() >= WANDERING:
            return play
        plays = leads(hand)
        return plays[int(random() * len(plays))]
    cards = hand & beating(strength, last)
    if not cards:
        return PASS
    play = _follow(cards, 0 if not last.cards & last.cards - 1 else 1 if strength is _SUIT_PAIR else 2)
    if play.cards == hand or play is PASS:
        return play
    if PRICES[play.cards] >= DEAR[len(hands)] and not _nearly_out(hands, player):
        return PASS
    chance = random()
    if chance >= PASSING + WANDERING:
        return play
    if chance < PASSING:
        return PASS
    plays = followers(hand, strength, last)
    return plays[int(random() * len(plays))]


def played_on(state: AbissalState, play: Play, ends: Ends | None, rng: Random) -> list[int]:
    """Return the order in which the seats go out if the current player makes this play.

    Everybody plays on by `reply_from`, until `ends` tells who wins: from a lead on, if two players are left who have
    `EXACT` cards or fewer together. The last seat isn't in the order. It makes no position for each line, which would
    take most of the time (D4-D9).
    """
    players, player, strength = state.players, state.current_player, state.strength
    hands, out = list(state.hands), list(state.out)
    holder, last = state.trick[-1] if state.trick else (player, PASS)
    # The seats that have cards, and of these the ones that have passed, as bits.
    able = sum(1 << seat for seat, hand in enumerate(hands) if hand)
    passed = sum(1 << seat for seat in state.passed)
    follows, leader = _NEXT[players], _LEADER[players]
    while True:
        cards = play.cards
        if cards:
            strength = play.strength if strength is None else strength_after(strength, last, play)
            holder, last = player, play
            left = hands[player] = hands[player] & ~cards
            if not left:
                out.append(player)
                if len(out) + 1 == players:
                    return out
                able ^= 1 << player
        else:
            passed |= 1 << player
        player = follows[player][able & ~passed & ~(1 << holder)]
        if player < 0:
            player, strength, passed = leader[holder][able], None, 0
            if ends is not None and len(out) + 2 == players and sum(hands).bit_count() <= EXACT:
                other = (able & ~(1 << player)).bit_length() - 1
                return [*out, player if ends.leader_wins(hands[player], hands[other]) else other]
        play = reply_from(hands, player, strength, last, rng)
