"""Ambiente Abissal for three: the play, or the pass, that clearly brings the most points in the round, on average.

All hands that the solver holds possible count the same: what others did earlier isn't seen in a puzzle. Everybody plays
on by habit.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import reduce
from operator import or_
from typing import Any, Final

from games.abissal import AbissalState
from games.abissal.components import indices
from matches.computers.judgements.abissal import AbissalJudgement
from matches.puzzles.finders.clearly_best import verdict
from matches.puzzles.finders.found import Dropped, Found
from matches.puzzles.finders.going_out import packed_alike
from matches.puzzles.puzzle import Step, Way

PLAYERS: Final = 3
FEWEST_OWN: Final = 4
MOST_UNSEEN: Final = 14
"""The most cards that the solver hasn't seen. With more of them, a verdict depends on the habits of whole rounds."""


def find(state: AbissalState) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    player = state.current_player
    if state.players != PLAYERS or state.out:
        raise Dropped("somebody is out")
    if state.passed:
        raise Dropped("somebody has passed, which says something about their hand")
    if state.hands[player].bit_count() < FEWEST_OWN:
        raise Dropped("few cards in hand")
    if _unseen(state).bit_count() > MOST_UNSEEN:
        raise Dropped("many cards haven't been seen")
    found = verdict(state, for_the_round)
    ways = tuple(Way(state.action_to_string(action)) for action in found.right)
    good = tuple(map(state.action_to_string, found.good))
    return Found("round", Step(ways, good), symmetry(state), found.share)


def for_the_round(position: Any) -> AbissalJudgement:
    """Return a judgement for which only the points of this round count."""
    judgement = AbissalJudgement(position)
    judgement.count_this_round_only()
    return judgement


def symmetry(state: AbissalState) -> Hashable:
    """Return a key that is the same for positions that differ only in names or in unused suits and numbers.

    It is also the same if suits and numbers are swapped.
    """
    player = state.current_player
    last = state.trick[-1][1].cards if state.trick else 0
    places = [("own", state.hands[player]), ("unseen", _unseen(state)), ("last", last)]
    counts = [state.hands[(player + step) % PLAYERS].bit_count() for step in range(1, PLAYERS)]
    return repr((packed_alike([(indices(cards), where) for where, cards in places], state.strength), counts))


def _unseen(state: AbissalState) -> int:
    others = (hand for seat, hand in enumerate(state.hands) if seat != state.current_player)
    return reduce(or_, others, state.aside)
