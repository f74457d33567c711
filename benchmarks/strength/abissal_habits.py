"""How the yardsticks play Ambiente Abissal without any search: by rules of thumb, and by the habits of a sample.

A sample makes no positions, because that would take most of the time. What a habit plays depends only on the cards that
can be played, and is cached by them.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

from games.abissal import AbissalState, Strength
from games.abissal.actions import PASS, Play
from games.abissal.components import CARDS, NUMBERS, indices, mask_of
from games.abissal.tricks import beating, leads, strength_after, turn_after

NEARLY_OUT: Final = 3
"""Somebody with this many cards or fewer is nearly out."""

COSTLY: Final = {2: 7.0, 3: 8.0}
"""By the number of players: the strength of a card that is too good to follow with while nobody is nearly out."""

ALONE: Final = 2.5
"""A pair is led rather than a single card, unless its cards are stronger by more than this."""

WHIM: Final = 0.1
"""How often a sample passes although it could follow."""


def weight(cards: int) -> int:
    """The strength of cards above the weakest card, in suits and numbers."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


def by_thumb(state: AbissalState, rng: Random) -> Any:
    """Rules of thumb: lead the weakest pair, else the weakest card; follow with the weakest that is strong enough.

    As long as more than five cards are left, keep the two strongest.
    """
    actions: Any = state.legal_actions(state.current_player)
    hand = state.hands[state.current_player]
    kept = set(sorted(indices(hand), key=lambda index: index // NUMBERS + index % NUMBERS)[-2:])
    early = hand.bit_count() > 5
    plays = [action for action in actions if action.cards and not (early and kept.intersection(indices(action.cards)))]
    if not plays:
        return actions[-1]
    return min(plays, key=lambda play: (-play.cards.bit_count(), weight(play.cards)))


_MEAN: Final = {play.cards: weight(play.cards) / play.cards.bit_count() for play in leads(mask_of(CARDS))}
"""The mean strength of the cards of each play."""


@lru_cache(maxsize=1 << 17)
def _led(hand: int) -> Play:
    """All cards if they are one play, else a weak pair, or a card that is much weaker than any pair."""
    plays = leads(hand)
    alone = {play: ALONE * (play.cards.bit_count() < 2) for play in plays}
    return min(plays, key=lambda play: (play.cards != hand, _MEAN[play.cards] + alone[play]))


@lru_cache(maxsize=1 << 17)
def _followed(cards: int, kind: Strength | None) -> Play:
    """The weakest play of cards that may all follow: a pair of this kind, else a card; a pass if there is none."""
    plays = [play for play in leads(cards) if play.strength is (kind or Strength.OPEN)]
    return min(plays, key=lambda play: _MEAN[play.cards], default=PASS)


def sample(world: AbissalState, action: Play, player: int, rng: Random) -> float:
    """The points that the player gains in the round if they take this action and all go on by habit, 1 for the most.

    Everybody goes out where they can, leads weak pairs, and follows with the weakest card that beats. They pass where
    that costs much while nobody is nearly out, and now and then on a whim.
    """
    players, mover, strength = world.players, player, world.strength
    hands, out, passed = list(world.hands), list(world.out), set(world.passed)
    holder, last = world.trick[-1] if world.trick else (-1, PASS)
    play, costly = action, COSTLY[players]
    while True:
        if play.cards:
            strength = play.strength if strength is None else strength_after(strength, last, play)
            holder, last = mover, play
            hands[mover] &= ~play.cards
            if not hands[mover]:
                out.append(mover)
                if mover == player or len(out) + 1 == players:
                    return 1 - out.index(player) / (players - 1) if player in out else 0.0
        else:
            passed.add(mover)
        mover, leads_next = turn_after(mover, holder, hands, passed)
        if leads_next or strength is None:
            strength = None
            passed.clear()
            play = _led(hands[mover])
            continue
        hand, kind = hands[mover], last.strength if last.cards & last.cards - 1 else None
        play = _followed(hand & beating(strength, last), kind)
        if play.cards and play.cards != hand:
            dear = _MEAN[play.cards] >= costly and not _nearly_out(hands, mover)
            play = PASS if dear or rng.random() < WHIM else play


def _nearly_out(hands: list[int], mover: int) -> bool:
    """Whether one of the others has few cards left."""
    return any(hand and hand.bit_count() <= NEARLY_OUT for seat, hand in enumerate(hands) if seat != mover)
