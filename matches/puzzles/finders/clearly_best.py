"""What judged kinds share: all actions of a position are compared by paired runs, and one must be clearly best.

A position is looked at cheaply first. What is left gets ten looks of a review for each of three seeds. Every look has
worlds of its own, and only the spread of the looks counts as an error, so it doesn't matter that runs share worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from games.core import State
from matches.analysis.judging import MISTAKE
from matches.analysis.trying import MARGIN
from matches.computers.judgement import Judgement
from matches.computers.known import Known, known
from matches.computers.paired import Runs, compared, mean_of
from matches.puzzles.finders.found import Dropped
from matches.puzzles.puzzle import Refuted, Step, Way

LEAD: Final = 2 * MISTAKE
"""Every wrong action loses at least this much, by its lower bound."""

TIE: Final = 0.02
"""An action that loses at most this much is right, too, by its upper bound."""

NEAR: Final = MARGIN
"""One that loses at most this much is nearly right, by its upper bound. Reviews call it right."""

RUNS: Final = 1500
"""The runs of one look: those of a review's look when the first puzzles were judged."""

LOOKS: Final = 10
"""Looks for each seed."""

SEEDS: Final = 3
"""How many seeds must sort all actions alike."""

FEWEST_ACTIONS: Final = 6
MOST_ACTIONS: Final = 16
LARGEST_SHARE: Final = 0.34
"""The largest share of actions that are right or nearly right."""

SURVEYS: Final = ((16, 0.15), (60, 0.1), (400, 0.05))
"""Surveys: runs, and by how much a loss may be wrong."""

_LOOKED: Final = 0.02
"""By how much a loss may be wrong in a single look."""

Judge = Callable[[State[Any]], Judgement[Any]]
"""Makes the judgement that a look uses."""


class Verdict(NamedTuple):
    """The sorted actions of a position: right ones, the best first, nearly right ones, and wrong ones."""

    knows: Known
    right: tuple[Any, ...]
    good: tuple[Any, ...]
    wrong: tuple[Any, ...]

    @property
    def share(self) -> float:
        """The share of the actions that are right."""
        return len(self.right) / (len(self.right) + len(self.good) + len(self.wrong))

    def step(self, state: State[Any], refuted: tuple[Refuted, ...] = ()) -> Step:
        """Return the puzzle's only step, at this position, with answers to its wrong actions."""
        right, good = (tuple(map(state.action_to_string, actions)) for actions in (self.right, self.good))
        return Step(tuple(map(Way, right)), good, refuted)


Doubt = Callable[[Verdict], None]
"""Raises Dropped for a verdict that is boring, or that something else contradicts."""


def verdict(state: State[Any], judge: Judge, doubt: Doubt | None = None) -> Verdict:
    """Return how good all actions are, by what the current player sees now. Raises Dropped if none is clearly best.

    The earlier lines of the match don't count, because solvers don't see them. `doubt` is called before the long work,
    and again after it.
    """
    knows = known(state)
    actions = [*knows.position.legal_actions(knows.position.current_player)]
    if not FEWEST_ACTIONS <= len(actions) <= MOST_ACTIONS:
        raise Dropped("too few or too many actions")
    for runs, slack in SURVEYS:
        found = look(knows, judge, actions, f"survey {runs}", runs)
        actions = sorted(found.actions, key=lambda action: -found.value(action).mean)
        losses = [found.loss(action, actions[0]).mean for action in actions]
        _check(losses, slack)
    if doubt is not None:
        # The losses rise, and by the last survey none of them lies between the two limits.
        close = sum(loss < (NEAR + LEAD) / 2 for loss in losses)
        doubt(Verdict(knows, tuple(actions[:close]), (), tuple(actions[close:])))
    sorted_ = [_sorted(knows, judge, actions, seed) for seed in range(SEEDS)]
    if len({tuple(map(frozenset, each)) for each in sorted_}) > 1:
        raise Dropped("the seeds disagree")
    found_ = Verdict(knows, *sorted_[0])
    if doubt is not None:
        doubt(found_)
    return found_


def look(knows: Known, judge: Judge, actions: Sequence[Any], name: str, runs: int = RUNS) -> Runs:
    """Return paired runs of these actions, in worlds that are this look's own."""
    return compared(judge(knows.position), actions, runs, 1, knows.rng(f"puzzle {name}"))


def _check(losses: Sequence[float], slack: float) -> None:
    """Raise Dropped if the actions can't be sorted, or too many are about as good. Each loss may be off by `slack`."""
    close = sum(loss < LEAD - slack for loss in losses)
    if close > LARGEST_SHARE * len(losses):
        raise Dropped("many actions are about as good")
    if any(NEAR + slack < loss < LEAD - slack for loss in losses):
        raise Dropped("an action is neither nearly right nor clearly wrong")


def _sorted(
    knows: Known, judge: Judge, actions: Sequence[Any], seed: int
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    """Return the actions that are right, nearly right, and wrong, by the looks of a seed. The first one is the best."""
    best, rows = actions[0], list[list[float]]()
    for number in range(LOOKS):
        found = look(knows, judge, actions, f"{seed} {number}")
        rows.append([found.loss(action, best).mean for action in actions])
        if number == 0:
            _check(rows[0], _LOOKED)
    losses = {action: mean_of(column) for action, column in zip(actions, zip(*rows, strict=True), strict=True)}
    right = tuple(action for action, loss in losses.items() if loss.low >= -TIE and loss.high <= TIE)
    good = tuple(action for action, loss in losses.items() if action not in right and loss.high <= NEAR)
    wrong = tuple(action for action, loss in losses.items() if loss.low >= LEAD)
    if len(right) + len(good) + len(wrong) < len(actions):
        raise Dropped("an action is neither nearly right nor clearly wrong")
    if any(losses[action].low < -TIE for action in good):
        raise Dropped("another action is better after more looks")
    return right, good, wrong
