"""The passes in a round of Ambiente Abissal, and how likely they were with given hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.abissal import AbissalState
from games.abissal.actions import Deal, Play
from games.abissal.components import Strength as Kind
from games.abissal.tricks import followers
from games.core import Played

RELUCTANT: Final = (1.0, 0.2, 0.1)
"""The probability of a pass with no, one, or more ways to follow: counted in matches of experts."""


class Pass(NamedTuple):
    """A pass: `seat` didn't follow `last` in a trick for `strength`. `later` are the cards they have played since."""

    seat: int
    strength: Kind
    last: Play
    later: int


def passes(position: AbissalState, lines: Sequence[Played[Any]]) -> list[Pass]:
    """Return the other players' passes in the current round of `position`."""
    begin = max((number for number, line in enumerate(lines) if isinstance(line.action, Deal)), default=len(lines))
    played = [line for line in lines[begin:] if isinstance(line.action, Play)]
    laid = [0] * position.players
    for line in played:
        laid[line.player] |= line.action.cards
    first = played[0].player if played else position.current_player
    state = position.evolve(
        hands=tuple(hand | cards for hand, cards in zip(position.hands, laid, strict=True)),
        current_player=first,
        gone=0,
        trick=(),
        strength=None,
        passed=(),
        out=(),
    )
    found = []
    for seat, play in played:
        laid[seat] &= ~play.cards
        if not play.cards and state.strength is not None and seat != position.current_player:
            found.append(Pass(seat, state.strength, state.trick[-1][1], laid[seat]))
        state = state.child(seat, play)
    return found


def likelihood(passed: Sequence[Pass], hands: Sequence[int]) -> float:
    """Return the probability of these passes if the players have these hands now."""
    likely = 1.0
    for seat, strength, last, later in passed:
        likely *= RELUCTANT[min(len(followers(hands[seat] | later, strength, last)), 2)]
    return likely
