"""Judges every action of a moment, for people who try it again: which are right, too, and how the others are answered.

Like everything in a review, this follows from what the seat knew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Self

from games.core import CHANCE, Stage, State
from games.log import player_to_string
from matches.analysis.judging import MISTAKE, PART, scaled, settled_losses, sighted_losses
from matches.computers.known import Known, known
from matches.computers.levels import Level
from matches.computers.paired import compared
from matches.computers.thinking import Prepared, Question, answer, prepared

MARGIN: Final = MISTAKE / 2
"""An action is right, too, if it loses at most this much against the better one that was told."""

FAR: Final = 2 * MISTAKE
"""An action that loses more than this in a round drops out."""

ROUNDS: Final = ((40, 4, 15, 400), (240, 6, 50, 10), (1500, 8, 150, 4))
"""Rounds: paired runs in games that race; in others runs and visits in a run; and how many actions take part."""

EXACT: Final = 2
"""How many times as many positions as in a survey the exact search may look at."""

ANSWERED: Final = 24
"""How many wrong actions are answered, those that lose least first."""

ANSWER: Final = 0.05
"""The part of an expert's work with which an answer is found."""

LONGEST: Final = 8
"""The most lines of an answer, including what chance draws."""


class Option(NamedTuple):
    """How good an action is: by how much it loses, and the lines ``<player> <action>`` that answer it if it is wrong.

    `loss` is a share of `Judgement.stake`.
    """

    loss: float
    then: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether it is as good as the better action, as far as one can tell."""
        return self.loss <= MARGIN

    def as_json(self) -> list[Any]:
        """Return it as the store keeps it."""
        return [round(self.loss, 4), *self.then]

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        """Read what `as_json` returned."""
        loss, *then = stored
        return cls(loss, tuple(then))


def options(known_: Known, played: str, better: str, effort: float = 1.0) -> dict[str, Option]:
    """Return by canonical text how good each action is, if it was worth a closer look.

    `better` is right and `played` is wrong, whatever this finds. Raises Stopped soon after the work was cancelled.
    """
    ready = prepared(known_.position, known_.lines, Level.EXPERT, PART * effort)
    position, rng = known_.position, known_.rng("options")
    player = position.current_player
    best = position.string_to_action(player, better)
    actions = ready.judgement.candidates(position.legal_actions(player))
    losses = _losses(ready, best, [action for action in actions if action != best], effort, rng)
    by_text = {position.action_to_string(action): loss for action, loss in losses.items()}
    by_text[better] = 0.0
    by_text[played] = max(by_text.get(played, 0.0), MISTAKE)
    found = {text: Option(loss) for text, loss in sorted(by_text.items(), key=lambda each: (each[1], each[0]))}
    wrong = [text for text, option in found.items() if not option.right]
    for text in dict.fromkeys((played, *wrong[:ANSWERED])):
        found[text] = found[text]._replace(then=answer_to(known_, text, effort))
    return found


def _losses(ready: Prepared, best: Any, left: list[Any], effort: float, rng: Random) -> Mapping[Any, float]:
    """Return how much each action loses against the best. After each round, the worse ones drop out."""
    judgement, losses = ready.judgement, dict[Any, float]()
    if wins := judgement.winners(effort):
        return {action: float(wins[best] - wins[action]) for action in left}
    if ready.exact_decides:
        for _, _, _, most in ROUNDS:
            left = left[:most]
            losses.update(sighted_losses(judgement, best, left, EXACT * ready.nodes))
            left = sorted((action for action in left if losses[action] <= FAR), key=losses.__getitem__)
        return losses
    if ready.nodes and not judgement.races and judgement.may_settle():
        settled = settled_losses(ready, best, left, EXACT * ready.nodes)
        losses.update({action: worth.value for action, worth in settled.items()})
    left = [action for action in left if action not in losses]
    for samples, runs, visits, most in ROUNDS:
        left = left[:most]
        if not left:
            break
        times, each = (scaled(samples, effort), 1) if judgement.races else (runs, scaled(visits, effort))
        found = compared(judgement, (best, *left), times, each, rng)
        losses.update({action: found.loss(action, best).mean for action in left})
        left = sorted((action for action in left if losses[action] <= FAR), key=losses.__getitem__)
    return losses


def answer_to(known_: Known, text: str, effort: float = 1.0) -> tuple[str, ...]:
    """Return the lines that follow an action in the seat's own world: until somebody else has ended their turn.

    A new round is no answer.
    """
    rng, seat = known_.rng(f"answer {text}"), known_.position.current_player
    state: State[Any] = known_.position.child(seat, known_.position.string_to_action(seat, text))
    lines, answered, rounds = list[str](), False, state.rounds_over
    while not state.is_terminal and state.rounds_over == rounds and len(lines) < LONGEST:
        player = state.current_player
        if answered and (player != CHANCE and state.stage is Stage.TURN):
            break
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            action = chosen_by_expert(state, effort)
            answered = answered or player != seat
        lines.append(f"{player_to_string(player)} {state.action_to_string(action)}")
        state = state.child(player, action)
    return tuple(lines)


def chosen_by_expert(state: State[Any], effort: float = 1.0) -> Any:
    """Return what the current player does as an expert with `ANSWER` of the work, by what they know in this world."""
    told = known(state)
    seed = int.from_bytes(told.digest[:6])
    text = answer(Question(told.position, (), Level.EXPERT, seed, ANSWER * effort))
    return state.string_to_action(state.current_player, text)
