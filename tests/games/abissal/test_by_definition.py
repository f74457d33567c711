"""The legal plays of random matches, compared with a word-by-word reading of the rules from what the player sees.

Every card and every two cards of the hand are tried against the plays of the trick, one after the other.
"""

from itertools import combinations, pairwise
from random import Random

import pytest

from games.abissal import AbissalObservation
from games.abissal.state import new_match
from games.core import CHANCE
from tests.games.lines import legal

SUITS = "GOYTBP"


def suit(card: str) -> int:
    return SUITS.index(card[0])


def number(card: str) -> int:
    return int(card[1])


def beats(trick: list[tuple[str, ...]], cards: tuple[str, ...]) -> bool:
    """Whether `cards` may follow the plays of a trick (D4-D7)."""
    last = trick[-1]
    if len(cards) != len(last):
        return False
    if len(cards) == 2:
        by = suit if suit(last[0]) == suit(last[1]) else number
        return by(cards[0]) == by(cards[1]) and by(cards[0]) > by(last[0])
    for before, after in pairwise(trick):
        more_suit, more_number = suit(after[0]) > suit(before[0]), number(after[0]) > number(before[0])
        if more_suit != more_number:
            by = suit if more_suit else number
            return by(cards[0]) > by(last[0])
    return suit(cards[0]) > suit(last[0]) or number(cards[0]) > number(last[0])


def by_definition(view: AbissalObservation) -> set[str]:
    trick = [cards for _, cards in view.trick]
    alone = [(card,) for card in view.hand]
    together = [
        tuple(sorted(pair, key=lambda card: (-number(card), suit(card))))
        for pair in combinations(view.hand, 2)
        if suit(pair[0]) == suit(pair[1]) or number(pair[0]) == number(pair[1])
    ]
    plays = {"+".join(cards) for cards in (*alone, *together) if not trick or beats(trick, cards)}
    return plays if not trick else plays | {"pass"}


@pytest.mark.parametrize("players", [2, 3])
def test_legal_plays_are_those_that_the_rules_define(players: int) -> None:
    rng = Random(players)
    for _ in range(20):
        state = new_match(players, {})
        while not state.is_terminal:
            player = state.current_player
            if player == CHANCE:
                state = state.child(CHANCE, state.sample_chance(rng))
                continue
            assert legal(state) == by_definition(state.observation(player)), str(state)
            state = state.child(player, rng.choice(state.legal_actions(player)))
