"""What can be said in advance in Ambiente Abissal: a play, or what to do for the rest of a trick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.abissal.actions import PASS, Action, Play
from games.abissal.components import NUMBERS, PAIRS, Strength
from games.abissal.observation import AbissalObservation
from games.abissal.state import AbissalState
from games.core import Advance, Exclusion, Instruction

_FEW: Final = 2


def _few_cards(seen: AbissalObservation, _: Action | None) -> str:
    counts = (count for seat, count in enumerate(seen.counts) if seat != seen.viewer)
    return "few" if any(0 < count <= _FEW for count in counts) else ""


def _pairs(seen: AbissalObservation, _: Action | None) -> str:
    return "pairs" if seen.strength in PAIRS else ""


def _passes(seen: AbissalObservation, _: Action | None) -> str:
    return " ".join(str(seat) for seat in seen.passed if seat != seen.viewer)


def _trick(seen: AbissalObservation) -> str:
    """Return the round, and how many cards everybody had before the trick; empty for whoever is out of the trick."""
    if seen.viewer is None or seen.viewer in seen.passed or not seen.hand:
        return ""
    laid_in_trick = sum(len(play.cards) for play in seen.trick)
    return f"{seen.round_number}.{sum(seen.counts) + laid_in_trick}"


def _pass(_: AbissalObservation, legal: Sequence[Action]) -> Action | None:
    return PASS if PASS in legal else None


def _least(seen: AbissalObservation, legal: Sequence[Action]) -> Action | None:
    """Return the weakest play that beats the last one, or a pass; ``None`` if there is no trick to follow."""
    if seen.strength is None:
        return None
    beating = [action for action in legal if isinstance(action, Play) and action.cards]
    return min(beating, key=lambda play: _weight(play, seen.strength), default=PASS)


def _weight(play: Play, strength: Strength | None) -> tuple[int, ...]:
    """Return the sort key of a play: first what the trick is played for, then the other of suit and number."""
    if strength in PAIRS:
        return (play.rank, play.cards)
    suit, number = divmod(play.rank, NUMBERS)
    return (suit, number) if strength is Strength.SUIT else (number, suit)


def _next_turn(state: AbissalState, seat: int) -> AbissalState | None:
    """Return the position in which the seat follows, or leads the next trick if it can't follow in this one."""
    if not state.hands[seat]:
        return None
    if seat in state.passed or not state.trick or state.trick[-1][0] == seat:
        return state.evolve(current_player=seat, trick=(), strength=None, passed=())
    return state.evolve(current_player=seat)


ADVANCE: Final = Advance(
    exclusions=(
        Exclusion("few", "somebody else is down to two cards", _few_cards),
        Exclusion("pairs", "the trick is played with pairs", _pairs),
        Exclusion("passes", "somebody else passes", _passes, since=True),
    ),
    instructions=(
        Instruction("pass", "Pass until this trick is over", _trick, _pass),
        Instruction("least", "Beat it with the least that does, or pass if nothing does", _trick, _least),
    ),
    next_turn=_next_turn,
)
