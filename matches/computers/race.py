"""The race between actions: flat Monte Carlo in common worlds with sequential halving, and best play.

There is no tree. Each world is drawn once, and every action that is still in the race is tried in it, so no action is
favoured by luck with the cards. After each of a few equal parts of the work, the worse half of the actions drops out.
Where a judgement can search a world for best play, it does so for the best actions, as long as the work lasts.
"""

from __future__ import annotations

from math import ceil, log2
from random import Random
from typing import Any, Final

from matches.computers.judgement import Judgement
from matches.engine.workers import go_on

SAMPLES_WEIGHT: Final = 2.0
"""How many worlds with best play the samples of an action are worth together."""


def race(judgement: Judgement[Any], iterations: int, rng: Random) -> dict[Any, float]:
    """Return how far every action of `judgement.position`'s player came. The best one came farthest.

    `iterations` is the number of samples. The race sees only what `judgement.world` draws. Raises Stopped soon after
    the work was cancelled.
    """
    position = judgement.position
    actions = judgement.candidates(position.legal_actions(position.current_player))
    order, means, tries = _halved(judgement, list(actions), iterations, rng)
    best = order[: judgement.finalists]
    scores = {action: SAMPLES_WEIGHT * means[action] for action in best}
    for weight, values in judgement.ends(best, rng):
        go_on()
        for action, value in zip(best, values, strict=True):
            scores[action] += weight * value
    best.sort(key=scores.__getitem__, reverse=True)
    far = dict(zip([*best, *order[len(best) :]], sorted(tries.values(), reverse=True), strict=True))
    return {**far, best[0]: 2 * far[best[0]]}


def _halved(
    judgement: Judgement[Any], left: list[Any], iterations: int, rng: Random
) -> tuple[list[Any], dict[Any, float], dict[Any, float]]:
    """Return the actions, the best first; by action the mean value; and by action the number of samples.

    `left` are the actions that are still in the race.
    """
    total, tries = dict.fromkeys(left, 0.0), dict.fromkeys(left, 0.0)
    dropped: list[Any] = []
    parts = max(1, ceil(log2(len(left))))
    for _ in range(parts):
        worlds = max(1, round(iterations / parts / len(left)))
        for _ in range(worlds):
            go_on()
            world = judgement.world(rng)
            for action in left:
                total[action] += judgement.sample(world, action, rng)
        for action in left:
            tries[action] += worlds
        left = sorted(left, key=total.__getitem__, reverse=True)
        half = (len(left) + 1) // 2
        left, dropped = left[:half], [*left[half:], *dropped]
    return [*left, *dropped], {action: total[action] / tries[action] for action in total}, tries
