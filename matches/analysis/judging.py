"""Judges one decision by what its seat knew: what would have been better, and by how much.

Work is counted in iterations and never in seconds. All random numbers follow from what the seat knew, so equal
knowledge gives equal verdicts, and the truth never matters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Self

from games.core import State
from matches.computers.alphabeta import Outlook, look_ahead, look_at_each
from matches.computers.judgement import Judgement, Worth
from matches.computers.known import Known
from matches.computers.levels import Level
from matches.computers.paired import Mean, compared
from matches.computers.race import race
from matches.computers.search import search
from matches.computers.thinking import Prepared, judgement_of, prepared

MISTAKE: Final = 0.10
"""The least loss of which people are told, as a share of `Judgement.stake`."""

BLUNDER: Final = 0.20

PART: Final = 0.2
"""The part of an expert's work with which every decision is surveyed. `Judgement.ends` has all of it."""

PART_IN_TREES: Final = 0.5
"""The same if trees judge. With less, surveys with other random numbers often name other best actions."""

SAMPLES: Final = 300
"""Paired runs of a survey in games that race."""

SURVEY_WORLDS: Final = 2000
"""How many worlds a survey keeps in these games, if their judgement keeps any (`Judgement.keep`)."""

TREES: Final = (4, 100)
"""Paired runs of a survey in other games, and visits for each action in a run."""

LOOK_SAMPLES: Final = 6000
LOOK_WORLDS: Final = 12_000
LOOK_TREES: Final = (24, 150)
"""The same three for one look. A look that isn't sure has as many trees once more."""

MOST_TREES: Final = 144
"""The most paired runs of a look in these games."""

LOOK_NODES: Final = (3, 9)
"""For each look, how many times as many positions as a survey it may search if the exact search decides alone."""

LOOKS: Final = len(LOOK_NODES)
"""How many independent looks must agree. In trees one is enough, since it goes on until it's sure."""


class Surveyed(NamedTuple):
    """What a survey of a decision found.

    `better` is the canonical text of the best action, `possible` the largest loss that the survey leaves possible.
    `settled`: the exact search knows how the match ends after either action, and `possible` is the loss.
    """

    better: str
    possible: float
    settled: bool = False

    def as_json(self) -> list[Any]:
        """Return it as the store keeps it."""
        return [self.better, round(self.possible, 6), self.settled]


class Looked(NamedTuple):
    """What one look found: the mean loss, its lower bound, the loss in the game's unit, and the share of runs.

    `holds` is the share of runs in which the other action was at least as good. `facts` are those of both actions.
    """

    loss: float
    low: float
    lead: float
    holds: float
    facts: Mapping[str, tuple[float, float]]

    def as_json(self) -> list[Any]:
        """Return it as the store keeps it."""
        facts = {name: [round(each, 3) for each in pair] for name, pair in self.facts.items()}
        return [*(round(each, 6) for each in self[:4]), facts]

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        """Read what `as_json` returned."""
        loss, low, lead, holds, facts = stored
        return cls(loss, low, lead, holds, {name: (pair[0], pair[1]) for name, pair in facts.items()})


def in_trees(game: str) -> bool:
    """Return whether paired trees judge the actions of a game: it doesn't race, and no exact search decides alone."""
    kind = judgement_of(game)
    return not kind.races and bool(kind.strengths[Level.EXPERT].share)


def looks(game: str) -> range:
    """Return the numbers of the looks at a decision of a game."""
    return range(1, 2 if in_trees(game) else LOOKS + 1)


def survey(known: Known, played: str, effort: float = 1.0) -> Surveyed:
    """Find the best action with a part of an expert's work, and how much worse the `played` one may be.

    `effort` scales the work. Raises Stopped soon after the work was cancelled.
    """
    ready = _prepared(known, effort)
    position, rng = known.position, known.rng("survey")
    if ready.judgement.races:
        ready.judgement.keep(scaled(SURVEY_WORLDS, effort), rng)
    done = _action(position, played)
    wins = ready.judgement.winners(effort)
    if wins and wins[done] == any(wins.values()):
        return Surveyed(played, 0.0, True)
    best, settled = _best(ready, rng, frozenset(action for action, won in wins.items() if not won))
    text = position.action_to_string(best)
    if best == done:
        return Surveyed(text, 0.0)
    if wins:
        return Surveyed(text, 1.0, True)
    if settled:
        loss = _settled_loss(ready, done, best)
        if loss is not None:
            return Surveyed(text, loss.value, True)
    if ready.exact_decides:
        losses = _sighted(ready.judgement, done, best, ready.nodes)
        return Surveyed(text, max(0.0, *(loss.value for loss in losses)))
    runs, visits = TREES
    if ready.judgement.races:
        runs = scaled(SAMPLES, effort)
    found = compared(ready.judgement, (done, best), runs, scaled(visits, effort), rng)
    return Surveyed(text, max(0.0, found.loss(done, best).high))


def look(known: Known, played: str, better: str, number: int, effort: float = 1.0) -> Looked:
    """Compare two actions alone, by paired runs. Looks of different numbers are independent.

    Trees are grown until both bounds of the loss lie on one side of `MISTAKE`, or until there are `MOST_TREES`.
    `effort` scales the work. Raises Stopped soon after the work was cancelled.
    """
    # The exact search has as much work as in the survey, so it settles what it settled there.
    ready = _prepared(known, effort)
    judgement, rng = ready.judgement, known.rng(f"look {number}")
    done, best = _action(known.position, played), _action(known.position, better)
    facts = _facts(judgement, done, best)
    wins = judgement.winners(effort)
    if wins:
        certain = float(wins[best] - wins[done])
        return Looked(certain, certain, 0.0, 1.0, facts)
    exact = ready.nodes and not judgement.races and not ready.exact_decides
    loss = _settled_loss(ready, done, best) if exact else None
    if loss is not None:
        return Looked(loss.value, loss.value, loss.lead, 1.0, facts)
    if ready.exact_decides:
        deeper, shallower = _sighted(judgement, done, best, LOOK_NODES[number - 1] * ready.nodes)
        return Looked(deeper.value, min(deeper.value, shallower.value), deeper.lead, 1.0, facts)
    runs, visits = LOOK_TREES
    if judgement.races:
        runs = scaled(LOOK_SAMPLES, effort)
        judgement.keep(scaled(LOOK_WORLDS, effort), rng)
    found = compared(judgement, (done, best), runs, scaled(visits, effort), rng)
    lost: Mean = found.loss(done, best)
    while not judgement.races and lost.low < MISTAKE <= lost.high and len(found.worths) < MOST_TREES:
        found.worths.extend(compared(judgement, (done, best), runs, scaled(visits, effort), rng).worths)
        lost = found.loss(done, best)
    return Looked(lost.mean, lost.low, found.lead_lost(done, best).mean, found.holds(done, best), facts)


def _prepared(known: Known, effort: float) -> Prepared:
    """Return what an expert has, with a part of their work. An exact search that only settles ends has all of it."""
    part = PART_IN_TREES if in_trees(known.position.info.key) else PART
    ready = prepared(known.position, known.lines, Level.EXPERT, part * effort)
    if not ready.strength.share:
        return ready
    nodes = round(ready.strength.nodes * effort)
    if ready.judgement.races:
        ready.judgement.positions = nodes
    return ready._replace(nodes=nodes)


def _best(ready: Prepared, rng: Any, lost: frozenset[Any]) -> tuple[Any, bool]:
    """Return the best action, and whether the exact search may know how the match ends. `lost` ones aren't the best."""
    judgement, strength, iterations, nodes = ready
    if judgement.races:
        scores: Mapping[Any, float] = race(judgement, iterations, rng)
        return max(scores, key=scores.__getitem__), False
    if nodes and (judgement.may_settle() or not strength.share):
        sight = look_ahead(judgement, nodes, rng)
        if sight.settled or not strength.share:
            return sight.action, sight.settled
        lost |= sight.lost
    found = search(judgement, iterations, rng)
    found = {action: node for action, node in found.items() if action not in lost} or found
    return max(found, key=lambda action: found[action].visits), False


def _settled_loss(ready: Prepared, done: Any, best: Any) -> Worth | None:
    """Return how much more `best` is worth if the exact search knows who wins after both, else ``None``."""
    return settled_losses(ready, best, (done,), ready.nodes).get(done) if ready.judgement.may_settle() else None


def settled_losses(ready: Prepared, best: Any, others: Sequence[Any], nodes: int) -> dict[Any, Worth]:
    """Return how much more `best` is worth than each of the others, by action.

    Actions are left out if the exact search doesn't know who wins after them and after `best`.
    """
    judgement = ready.judgement
    found = look_at_each(judgement, (best, *others), nodes).by_action
    one, losses = found[best], dict[Any, Worth]()
    for action in others:
        if one.settled and found[action].settled:
            losses[action] = _lost(judgement, one, found[action])
    return losses


def _sighted(judgement: Judgement[Any], done: Any, best: Any, nodes: int) -> tuple[Worth, Worth]:
    """Return how much more `best` is worth than `done` by the exact search alone, and the same one turn less deep."""
    found = look_at_each(judgement, (best, done), nodes)
    deeper, shallower = (_lost(judgement, each[best], each[done]) for each in (found.by_action, found.shallower))
    return deeper, shallower


def sighted_losses(judgement: Judgement[Any], best: Any, others: Sequence[Any], nodes: int) -> dict[Any, float]:
    """Return how much more `best` is worth than each of the others, by the exact search alone, all equally deep."""
    found = look_at_each(judgement, (best, *others), nodes).by_action
    return {action: _lost(judgement, found[best], found[action]).value for action in others}


def _lost(judgement: Judgement[Any], better: Outlook, worse: Outlook) -> Worth:
    """Return how much more `better` is worth. Who wins decides alone where that is certain, whatever the points."""
    lead = better.lead - worse.lead
    if better.settled and worse.settled:
        return Worth(_winning(better) - _winning(worse), lead)
    if better.lost or worse.won:
        return Worth(0.0, lead)
    one, other = (
        judgement.end_value(_winning(each), each.lead) if each.settled else judgement.likely_value(each.lead)
        for each in (better, worse)
    )
    return Worth(one - other, lead)


def _winning(outlook: Outlook) -> float:
    return 1.0 if outlook.won else 0.0 if outlook.lost else 0.5


def _facts(judgement: Judgement[Any], done: Any, best: Any) -> dict[str, tuple[float, float]]:
    """Return the facts that both actions have, by name: that of the played action, then that of the best one."""
    one, other = judgement.facts(done), judgement.facts(best)
    return {name: (one[name], other[name]) for name in one if name in other}


def _action(position: State[Any], text: str) -> Any:
    return position.string_to_action(position.current_player, text)


def scaled(work: int, effort: float) -> int:
    """Return a part of this work, but enough to tell something."""
    return max(8, round(work * effort))
