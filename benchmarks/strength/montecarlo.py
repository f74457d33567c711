"""The yardsticks of Abissal and Ambagibus: flat Monte Carlo without any tree, and rules of thumb.

Flat Monte Carlo draws a position that the player could be in, tries each action, and lets everybody play on to the end,
at random or by simple habits. When the time is up, it takes the action with the best mean.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from benchmarks.measure import CLOCK
from games.abissal import AbissalState
from games.abissal.components import NUMBERS, indices
from games.ambagibus import AmbagibusState
from games.core import CHANCE, State

Habit = Callable[[Any, Random], Any]
"""A player without any search."""


def lay_low(state: AbissalState, rng: Random) -> Any:
    """Abissal: lay the weakest cards, two rather than one; pass one time in ten, to keep strong cards."""
    actions: Any = state.legal_actions(state.current_player)
    plays = [action for action in actions if action.cards]
    if not plays or (len(plays) < len(actions) and rng.random() < 0.1):
        return actions[-1]
    return min(plays, key=lambda play: (-play.cards.bit_count(), weight(play.cards), rng.random()))


def weight(cards: int) -> int:
    """The strength of cards above the weakest card, in suits and numbers."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


def by_thumb_in_abissal(state: AbissalState, rng: Random) -> Any:
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


def anything(state: State[Any], rng: Random) -> Any:
    """Any legal action."""
    return rng.choice(state.legal_actions(state.current_player))


def by_thumb_in_ambagibus(state: AmbagibusState, rng: Random) -> Any:
    """Rules of thumb: take the most closed sections at once, else leave as few own passages open as possible."""
    player = state.current_player

    def worth(action: Any) -> tuple[float, int, float]:
        after = state.child(player, action)
        points = after.returns()
        best = max(other for seat, other in enumerate(points) if seat != player)
        return points[player] - best, -len(after.maze.open_cells_of(player)), rng.random()

    return max(state.legal_actions(player), key=worth)


THUMBS: Final[dict[type[State[Any]], Habit]] = {
    AbissalState: by_thumb_in_abissal,
    AmbagibusState: by_thumb_in_ambagibus,
}
"""Rules of thumb by game."""

_HABITS: Final[dict[type[State[Any]], Habit]] = {AbissalState: lay_low, AmbagibusState: anything}
"""By game: how everybody plays on in a sample."""


def flat(state: State[Any], seconds: float, rng: Random) -> Any:
    """The action with the best mean result for its player, in as many samples as fit into the CPU time."""
    player, until = state.current_player, CLOCK() + seconds
    actions = state.legal_actions(player)
    if len(actions) == 1:
        return actions[0]
    total = dict.fromkeys(actions, 0.0)
    samples = 0
    while not samples or CLOCK() < until:
        world = state.resample_from_infostate(player, rng)
        for action in actions:
            total[action] += _sample(world.child(player, action), player, rng)
        samples += 1
    return max(actions, key=total.__getitem__)


def _sample(state: State[Any], player: int, rng: Random) -> float:
    """Play on to the end. Returns the player's lead in points; in Abissal, the points that they gain in the round."""
    habit = _HABITS[type(state)]
    before = state.returns()
    rounds = len(state.results) if isinstance(state, AbissalState) else 0
    while not state.is_terminal:
        if isinstance(state, AbissalState) and len(state.results) > rounds:
            break
        if state.current_player == CHANCE:
            state = state.child(CHANCE, state.sample_chance(rng))
        else:
            state = state.child(state.current_player, habit(state, rng))
    gained = [after - earlier for after, earlier in zip(state.returns(), before, strict=True)]
    if isinstance(state, AbissalState):
        return gained[player]
    points = state.returns()
    return points[player] - max(other for seat, other in enumerate(points) if seat != player)
