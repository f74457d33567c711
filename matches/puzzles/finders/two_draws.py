"""Ambagibus: the play after which the chances are clearly best once the player has drawn twice more.

The chances are those of the judgement: closed sections, how few passages open ones have, and which cards are left.
Everybody plays on by habit, with shuffled decks.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any, Final

from games.ambagibus import AmbagibusState
from games.ambagibus.components import BASIC
from games.ambagibus.simulation import Simulation
from matches.analysis.judging import MISTAKE
from matches.analysis.trying import answer_to, chosen_by_expert
from matches.computers.judgement import Judgement
from matches.computers.paired import Mean, mean_of
from matches.computers.thinking import judgement_of
from matches.puzzles.finders.clearly_best import Verdict, look, verdict
from matches.puzzles.finders.closing import check_size, gains, symmetry
from matches.puzzles.finders.found import Dropped, Found, grouped
from matches.puzzles.puzzle import Refuted

DRAWS: Final = 2

_WORLDS: Final = 16
_SAMPLES: Final = 10
"""Experts answer in `_WORLDS` worlds. After their answers, each world is played on `_SAMPLES` times."""


def find(state: AmbagibusState) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    check_size(state)
    closed = gains(state)
    most = max(closed.values())
    closing = [action for action, gain in closed.items() if gain == most > 0]

    def doubt(found: Verdict) -> None:
        if closing and all(action in found.right for action in closing):
            raise Dropped("the play that closes the most right now is right")
        whole = look(found.knows, farther, (found.right[0], *found.wrong), "farther")
        if any(whole.loss(action, found.right[0]).low < MISTAKE for action in found.wrong):
            raise Dropped("a review, which looks farther, doesn't confirm it")
        if answered_by_experts(found).low < MISTAKE:
            raise Dropped("experts have better answers")

    found = verdict(state, two_draws_ahead, doubt)
    return Found("ahead", found.step(state, _refuted(state, found)), symmetry(state), found.share)


def answered_by_experts(found: Verdict) -> Mean:
    """Return how much more the best action is worth than the best wrong one if experts answer both.

    By habit, others may let the player close a section, or the maze, where nobody who looks ahead would.
    """
    knows, player = found.knows, found.knows.position.current_player
    judgement = two_draws_ahead(knows.position)
    judgement.horizon -= knows.position.players - 1
    losses = []
    for number in range(_WORLDS):
        world = knows.position.resample_from_infostate(player, knows.rng(f"puzzle expert {number}"))
        values = []
        for action in (found.right[0], found.wrong[0]):
            state: Any = world.child(player, action)
            while not state.is_terminal and state.current_player != player:
                state = state.child(state.current_player, chosen_by_expert(state))
            rng = knows.rng(f"puzzle after expert {number}")
            ends = (judgement.played_on(Simulation(state), rng) for _ in range(_SAMPLES))
            values.append(fmean(judgement.values(end)[player] for end in ends))
        losses.append(values[0] - values[1])
    return mean_of(losses)


def two_draws_ahead(position: Any) -> Judgement[Any]:
    """Return the judgement that plays on until the player's second turn after this one is over."""
    judgement = farther(position)
    judgement.horizon = DRAWS * position.players
    return judgement


def farther(position: Any) -> Judgement[Any]:
    """Return the judgement as reviews use it."""
    return judgement_of(position.info.key)(position)


def _refuted(state: AmbagibusState, found: Verdict) -> tuple[Refuted, ...]:
    """Return an expert's answers to wrong actions, where the next player's cards are open.

    In the basic game they aren't: the card that they draw is chance.
    """
    wrong: Sequence[str] = [state.action_to_string(action) for action in found.wrong]
    if state.variant == BASIC:
        return ()
    answers = {text: [";".join(answer_to(found.knows, text))] for text in wrong}
    return grouped(answers)
