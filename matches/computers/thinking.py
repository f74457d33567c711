"""One decision of a computer player, made from what its seat may know. It is a pure function of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import median_low
from typing import Any, Final, NamedTuple

from games.core import Played, State
from matches.computers.alphabeta import look_ahead
from matches.computers.judgement import Judgement
from matches.computers.judgements import JUDGEMENTS
from matches.computers.levels import Level, Strength
from matches.computers.race import race
from matches.computers.search import search


class Question(NamedTuple):
    """Everything that a worker process gets for a decision.

    `position` is never the true one: it is resampled from what the current player may know. `lines` are the lines of
    the match as they saw them. `effort` scales the number of iterations and positions.
    """

    position: State[Any]
    lines: tuple[Played[Any], ...]
    level: Level
    seed: int
    effort: float = 1.0


class Prepared(NamedTuple):
    """What a level has for a decision.

    `judgement` got the lines of the match only if the level uses them. `iterations` are for the tree search or the
    race, `nodes` for the exact search.
    """

    judgement: Judgement[Any]
    strength: Strength
    iterations: int
    nodes: int

    @property
    def exact_decides(self) -> bool:
        """Whether the exact search decides alone."""
        return bool(self.strength.nodes) and not self.strength.share


def prepared(position: State[Any], lines: Sequence[Played[Any]], level: Level, effort: float = 1.0) -> Prepared:
    """Return what a level has for a decision at this position. `effort` scales its work."""
    kind = judgement_of(position.info.key)
    strength = kind.strength(level, position)
    judgement = kind(position, lines if strength.recalls else ())
    if strength.horizon is not None:
        judgement.horizon = strength.horizon
    nodes = round(strength.nodes * effort)
    if judgement.races:
        judgement.positions = nodes
    return Prepared(judgement, strength, max(1, round(judgement.iterations * strength.share * effort)), nodes)


def judgement_of(game: str) -> type[Judgement[Any]]:
    """Return the judgement of a game."""
    return JUDGEMENTS.get(game, Judgement)


def levels_of(game: str, options: Mapping[str, str], players: int) -> tuple[Level, ...]:
    """Return the levels that a host can choose from at a table of this game, the weakest first.

    At least `players` will play there.
    """
    return judgement_of(game).levels(options, players)


class Advice(NamedTuple):
    """The canonical text of what a computer would do, and what speaks for it.

    `facts` has by name that of the median other action, and its own (`Judgement.facts`). `wins`: it's known to win by
    force, while another action doesn't.
    """

    text: str
    facts: Mapping[str, tuple[float, float]]
    wins: bool = False


OTHERS: Final = 8
"""With how many other actions the advised one is compared, at most."""


def advise(question: Question) -> Advice:
    """Return the action that a computer player would take, and what speaks for it."""
    return weighed(question, answer(question))


def weighed(question: Question, text: str) -> Advice:
    """Return what speaks for an action, next to what else the player could do by what they know."""
    judgement, rng = judgement_of(question.position.info.key)(question.position, question.lines), Random(question.seed)
    action = question.position.string_to_action(judgement.player, text)
    others = [each for each in question.position.legal_actions(judgement.player) if each != action]
    found = [judgement.facts(each) for each in rng.sample(others, min(OTHERS, len(others)))]
    facts = {}
    for name, fact in judgement.facts(action).items():
        usual = [each[name] for each in found if name in each]
        facts[name] = (median_low(usual) if usual else fact, fact)
    winners = judgement.winners(question.effort)
    return Advice(text, facts, winners.get(action, False) and not all(winners.values()))


def answer(question: Question) -> str:
    """Return the canonical text of the action that a computer player takes.

    If the position has a default action (a gold card to pick), nothing is better.
    """
    position = question.position
    default = position.default_action()
    actions = position.legal_actions(position.current_player)
    if default is not None:
        chosen = default
    elif len(actions) == 1:
        chosen = actions[0]
    else:
        chosen = _searched(question)
    return position.action_to_string(chosen)


def unconsidered(question: Question) -> str:
    """Return an action without a search: the default action of the position, or else a random one."""
    position = question.position
    default = position.default_action()
    if default is None:
        default = Random(question.seed).choice(position.legal_actions(position.current_player))
    return position.action_to_string(default)


def _searched(question: Question) -> Any:
    rng = Random(question.seed)
    judgement, strength, iterations, nodes = prepared(
        question.position, question.lines, question.level, question.effort
    )
    if rng.random() < strength.slips:
        return rng.choice(judgement.candidates(judgement.position.legal_actions(judgement.player)))
    if strength.plans:
        return judgement.planned(rng)
    if judgement.races:
        return _drawn(race(judgement, iterations, rng), strength.temperature, rng)
    lost: frozenset[Any] = frozenset()
    if strength.nodes and (judgement.may_settle() or not strength.share):
        sight = look_ahead(judgement, nodes, rng)
        if sight.settled or not strength.share:
            return sight.action
        lost = sight.lost
    found = search(judgement, iterations, rng)
    found = {action: node for action, node in found.items() if action not in lost} or found
    if strength.temperature:
        found = {action: node for action, node in found.items() if not judgement.throws_away(action)} or found
    visits = {action: node.visits - judgement.confidence for action, node in found.items()}
    if strength.temperature and not any(visits.values()):
        # None of them was tried, so the best prior decides.
        return max(found, key=lambda action: found[action].value)
    return _drawn(visits, strength.temperature, rng)


def _drawn(visits: dict[Any, float], temperature: float, rng: Random) -> Any:
    """Return the most visited action, or at a temperature above 0 one drawn by the visits."""
    most = max(visits, key=visits.__getitem__)
    if temperature == 0:
        return most
    weights = [(visit / visits[most]) ** (1 / temperature) for visit in visits.values()]
    return rng.choices(list(visits), weights)[0]
