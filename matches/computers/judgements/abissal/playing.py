"""How everybody plays on to the end of a round of Ambiente Abissal in a sample."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from random import Random
from typing import Final, NamedTuple

from games.abissal import AbissalState
from games.abissal.actions import PASS, Play, play_of
from games.abissal.components import CARDS, HAND_SIZE, indices, mask_of
from games.abissal.components import Strength as Kind
from games.abissal.tricks import CLOCKWISE, beating, leads, strength_after
from matches.computers.judgements.abissal.exact import Ends
from matches.computers.judgements.abissal.turns import strength_of, turns

PASSING: Final = 0.08
"""The probability of a pass although the habit says to follow: strong cards are worth keeping."""


def _first_able(orders: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Return, by these orders of seats and by the seats that are able, as bits, the first one; -1 if there is none."""
    some = range(1 << len(orders))
    return tuple(tuple(next((seat for seat in order if able >> seat & 1), -1) for able in some) for order in orders)


_NEXT: Final = {players: _first_able(clockwise) for players, clockwise in CLOCKWISE.items()}
"""By number of players, seat and the seats that may follow, as bits: whose turn is next, -1 for a new trick (D8)."""

_LEADER: Final = {
    players: _first_able([(holder, *others) for holder, others in enumerate(clockwise)])
    for players, clockwise in CLOCKWISE.items()
}
"""By number of players, holder of the trick and the seats that have cards, as bits: who leads next (D8, D9)."""

NEARLY_OUT: Final = 4
"""Somebody with this many cards or fewer is nearly out."""


class _Habit(NamedTuple):
    """How a player weighs strength against turns. The strength of a play is the mean of its cards, 0 to 10 each.

    Attributes:
        alone: how much weaker a single card must be to be led rather than a pair.
        led: how much stronger a lead may be if it saves a turn.
        followed: how much stronger a card or pair to follow with may be if it saves a turn.
        dear: the least strength of single cards, and of pairs, that a player doesn't follow with while nobody is nearly
            out. `followed` is first taken off if they save a turn.
    """

    alone: float
    led: float
    followed: float
    dear: tuple[float, float]


_HABITS: Final = {2: _Habit(3.0, 2.0, 2.0, (8.0, 8.0)), 3: _Habit(1.5, 2.0, 3.0, (9.2, 5.1))}
"""By the number of players: what won most rounds among players without a search."""

_LATE: Final = {2: 0.0, 3: 0.4}
"""By the turns that a hand needs, how much strength counts in a lead. Elsewhere it is 1: strong cards are kept."""

_PLAYS: Final = leads(mask_of(CARDS))
_COSTS: Final = {play.cards: strength_of(play.cards) / play.cards.bit_count() for play in _PLAYS}


def _in_order(alone: float, counts: float) -> list[tuple[float, Play]]:
    """Return all leads with their costs, the cheapest first."""
    costs = {play: counts * _COSTS[play.cards] + alone * (play.cards.bit_count() < 2) for play in _PLAYS}
    return [(costs[play], play) for play in sorted(_PLAYS, key=costs.__getitem__)]


_LEADS: Final = {
    players: {left: _in_order(habit.alone, _LATE.get(left, 1.0)) for left in range(2, HAND_SIZE + 1)}
    for players, habit in _HABITS.items()
}
"""By the number of players and the turns that a hand needs."""

EXACT: Final = {2: 8, 3: 10}
"""By the number of players: with this many cards or fewer, exact ends are worth their time, as measured in matches.

In a match of three, two players are seldom left with that many cards. So few samples pay for these large ends.
"""

_KEPT: Final = 1 << 15
"""The size of each cache of choices."""


@lru_cache(maxsize=_KEPT)
def _lead(hand: int, players: int) -> Play:
    """Return the cheapest lead, where saving a turn makes up for some strength."""
    left = turns(hand)
    if left == 1:
        return play_of(hand)
    cheapest, most = PASS, inf
    for cost, play in _LEADS[players][left]:
        if cost >= most:
            break
        if play.cards & ~hand:
            continue
        if turns(hand & ~play.cards) < left:
            return play
        if not cheapest.cards:
            cheapest, most = play, cost + _HABITS[players].led
    return cheapest


_KINDS: Final = (Kind.OPEN, Kind.SUIT_PAIR, Kind.NUMBER_PAIR)
"""The strength that is asked for after a lead of a single card, and of either kind of pair.

Elsewhere their index here stands for them, because a number is hashed far faster.
"""


def _kind_of(strength: Kind) -> int:
    return 1 if strength is Kind.SUIT_PAIR else 2 if strength is Kind.NUMBER_PAIR else 0


def _able(cards: int, pairs: int) -> list[Play]:
    """Return the single cards, or the pairs of a kind, that these cards make, the weakest first."""
    if pairs:
        found = [play for play in leads(cards) if play.strength is _KINDS[pairs]]
    else:
        found = [play_of(1 << index) for index in indices(cards)]
    found.sort(key=lambda play: _COSTS[play.cards])
    return found


@lru_cache(maxsize=_KEPT)
def _follow(hand: int, cards: int, pairs: int, players: int) -> tuple[Play, bool]:
    """Return what to follow with, of `cards`, and whether it is too dear while nobody is nearly out.

    It is the cheapest, where saving a turn makes up for some strength. If only one turn would be left, it is the
    strongest: whoever takes the trick goes out next.
    """
    plays, left, habit = _able(cards, pairs), turns(hand), _HABITS[players]
    if left <= 2:
        for play in reversed(plays):
            if turns(hand & ~play.cards) <= 1:
                return play, False
    cheapest, most = PASS, inf
    for play in plays:
        cost = _COSTS[play.cards]
        if cost >= most:
            break
        if turns(hand & ~play.cards) < left:
            cheapest, most = play, cost
        elif not cheapest.cards:
            cheapest, most = play, cost + habit.followed
    return cheapest, most - habit.followed >= habit.dear[pairs > 0]


def _nearly_out(hands: Sequence[int], player: int) -> bool:
    """Return whether one of the others has few cards left."""
    for seat, hand in enumerate(hands):  # noqa: SIM110 - a generator takes twice the time
        if hand and seat != player and hand.bit_count() <= NEARLY_OUT:
            return True
    return False


def _followed(hands: Sequence[int], player: int, cards: int, pairs: int, rng: Random) -> Play:
    """Return what a player follows with, of `cards`, which are some of their hand."""
    hand = hands[player]
    play, dear = _follow(hand, cards, pairs, len(hands))
    if not play.cards or play.cards == hand:
        return play
    return PASS if (dear and not _nearly_out(hands, player)) or rng.random() < PASSING else play


def reply_from(hands: Sequence[int], player: int, strength: Kind | None, last: Play, rng: Random) -> Play:
    """Return the play of a sample for a player, in a trick for `strength` in which `last` must be beaten.

    They lead weak pairs and weak cards that save a turn, and follow with the weakest such. They pass where that is too
    dear while nobody is nearly out, and sometimes without a reason.
    """
    if strength is None:
        return _lead(hands[player], len(hands))
    cards = hands[player] & beating(strength, last)
    return _followed(hands, player, cards, _kind_of(strength), rng) if cards else PASS


def played_on(state: AbissalState, play: Play, ends: Ends | None, rng: Random, *, for_all: bool = False) -> list[int]:
    """Return the order in which the seats go out if the current player makes this play, up to that player.

    `for_all`: go on until the round is over. The last seat is never in the order.

    Everybody plays on by `reply_from`. Before a lead, if two players are left and have few enough cards together
    (`EXACT`), `ends` tells which of them wins. No position is made for each line, because that would take most of the
    time (D4-D9).
    """
    players, me, strength = state.players, state.current_player, state.strength
    hands, out = list(state.hands), list(state.out)
    holder, last = state.trick[-1] if state.trick else (me, PASS)
    # The seats that have cards, and of these the ones that have passed, as bits.
    able = sum(1 << seat for seat, hand in enumerate(hands) if hand)
    passed = sum(1 << seat for seat in state.passed)
    follows, leader, exact, player = _NEXT[players], _LEADER[players], EXACT[players], me
    while True:
        if play.cards:
            strength = play.strength if strength is None else strength_after(strength, last, play)
            holder, last = player, play
            left = hands[player] = hands[player] & ~play.cards
            if not left:
                out.append(player)
                if (player == me and not for_all) or len(out) + 1 == players:
                    return out
                able ^= 1 << player
        else:
            passed |= 1 << player
        assert strength is not None
        above, pairs = beating(strength, last), _kind_of(strength)
        while True:
            player = follows[player][able & ~passed & ~(1 << holder)]
            if player < 0:
                player, strength, passed = leader[holder][able], None, 0
                if ends is not None and len(out) + 2 == players and sum(hands).bit_count() <= exact:
                    other = (able & ~(1 << player)).bit_length() - 1
                    return [*out, player if ends.leader_wins(hands[player], hands[other]) else other]
                play = _lead(hands[player], players)
                break
            if cards := hands[player] & above:
                play = _followed(hands, player, cards, pairs, rng)
                if play.cards:
                    break
            passed |= 1 << player
