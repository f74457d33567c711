"""Whether reviews tell mistakes and nothing else, whether their verdicts stay, and what they cost.

Each trial reviews a match of experts at a table, and every other trial one of normal computers that think little, too.
Then it plants slight and great mistakes into the match of the experts: one decision is replaced by a worse one, and the
match ends there. A *reference* measures what the worse action loses. It does `REFERENCE` times the work, with random
numbers of its own. It also says which of the experts' own decisions are accused falsely. What was told of both matches,
and of some planted mistakes, is judged again with other random numbers.

Reviews take their random numbers from what a seat knew. Only `Reseeded`, which stands here, has others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import chain
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

from benchmarks import players
from benchmarks.measure import Length, quiet_seconds
from benchmarks.players import Table, chooser, recorded
from benchmarks.review.figures import Figure, rate, share
from benchmarks.review.parts import FILE, in_parts, numbered
from games.log import Line
from matches.analysis.judging import BLUNDER, PART, look, survey
from matches.analysis.progress import LOOK, OPTIONS, SURVEY, Decision, Moment, Plan, Results, Step
from matches.analysis.trying import MARGIN
from matches.computers.known import Known
from matches.computers.levels import Level
from matches.computers.paired import compared
from matches.computers.thinking import prepared

TABLES: Final = tuple(table for table in players.TABLES if table.players < 4)

REFERENCE: Final = 4.0
"""How many times the work of a review the reference does."""

SLIGHT: Final = 0.15
"""The least loss of a slight mistake. From `BLUNDER` on, it's a great one."""

TOLD_OF_GREAT, TOLD_OF_SLIGHT = 0.90, 0.70
"""Least shares of the planted mistakes that are told."""

STAYING: Final = 0.95
"""The least share of verdicts that stay with other random numbers."""

DECISIONS: Final = 200
"""Of so many decisions of experts, at most one may be accused falsely: by the reference, it is right."""

SECONDS: Final = 120.0
"""The most quiet seconds of CPU that the review of a match may take."""

TRIALS: Final[Mapping[str, int]] = {"gambo": 12, "ambush": 12, "abissal": 12, "ambagibus": 18}
"""The number of trials at each table of a game. Then most rows have 40 cases, but for those of slight mistakes."""

SKILL: Final = 0.25
"""The part of their work that experts do."""

MINUTES: Final = 11.0
"""For how many minutes a quick run begins trials. With the other parts, and the last trials, it ends within 20."""

_CASUAL: Final = 0.05
"""The part of their work that normal computers do."""

_TRIES: Final = 30
"""The most decisions in which a mistake to plant is looked for."""

_OF_EACH: Final = 4
"""How many slight mistakes are planted, and how many great ones."""

_AGAIN: Final = 2
"""How many of the planted mistakes that are told are judged again with other random numbers."""

_REFERRED: Final = 7
"""The most times that the reference is asked about slight mistakes, and about great ones."""

_ACTIONS: Final = 8
"""How many actions of a decision are looked at."""

_RUNS: Final = (400, 4, 60)
"""The work of looking at them: runs in games that race, in others runs and visits."""


class Trial(NamedTuple):
    """A trial at a table. Experts do the part `skill` of their work; `effort` scales that of reviews."""

    table: Table
    number: int
    skill: float
    effort: float = 1.0


class Planted(NamedTuple):
    """A mistake that was planted: what it loses by the reference, and whether the review told it."""

    loss: float
    told: bool


class Found(NamedTuple):
    """What a trial found.

    These are the experts' decisions, those that were accused falsely, planted mistakes, whether verdicts stayed, and
    quiet seconds.
    """

    decisions: int
    accused: int
    planted: tuple[Planted, ...]
    stayed: tuple[bool, ...]
    seconds: tuple[float, ...]

    @classmethod
    def read(cls, found: Sequence[Any]) -> Found:
        """Make one of what JSON has left of it."""
        decisions, accused, planted, stayed, seconds = found
        return cls(decisions, accused, tuple(Planted(*each) for each in planted), tuple(stayed), tuple(seconds))


@dataclass(frozen=True)
class Reseeded(Plan):
    """A review with other random numbers, different ones for each `salt`."""

    salt: str = ""

    def known(self, ply: int) -> Known:
        """Return what the player of a line knew before it."""
        return reseeded(super().known(ply), self.salt)


def reseeded(what: Known, salt: str) -> Known:
    """The same knowledge, from which other random numbers follow."""
    return what._replace(digest=sha256(what.digest + salt.encode()).digest())


def figures(length: Length, games: Collection[str]) -> Iterator[Figure]:
    """Measure, and yield the figures of each table. A quick run does as many more trials as fit into its time."""
    most, skill, effort, minutes = length.of(
        (TRIALS, SKILL, 1.0, None), (TRIALS, SKILL, 1.0, MINUTES), (dict.fromkeys(TRIALS, 1), 0.001, 0.002, None)
    )
    tables = [table for table in TABLES[: length.of(None, None, 1)] if table.game in games]
    tasks = [Trial(table, number, skill, effort) for table, number in numbered(most, tables)]
    found: dict[Table, list[Found]] = {table: [] for table in tables}
    file = None if length is Length.TINY else FILE
    for task, result in in_parts(tried, tasks, minutes, Found.read, file):
        found[task.table].append(result)
    yield from chain.from_iterable(rows(table, results) for table, results in found.items() if results)


def rows(table: Table, found: Sequence[Found]) -> Iterator[Figure]:
    """The figures of a table."""
    planted = [mistake for each in found for mistake in each.planted]
    for least, most, floor in ((BLUNDER, 1.01, TOLD_OF_GREAT), (SLIGHT, BLUNDER, TOLD_OF_SLIGHT)):
        told = [mistake.told for mistake in planted if least <= mistake.loss < most]
        what = f"planted mistakes of {least:.2f} {'or more' if most > 1 else f'to {most:.2f}'} that are told"
        yield share(table, what, sum(told), len(told), floor)
    decisions, accused = sum(each.decisions for each in found), sum(each.accused for each in found)
    yield rate(table, f"decisions of experts accused falsely, of {DECISIONS}", accused, decisions, DECISIONS)
    stayed = [each for result in found for each in result.stayed]
    yield share(table, "verdicts that stay with other random numbers", sum(stayed), len(stayed), STAYING)
    seconds = sorted(each for result in found for each in result.seconds)
    longest = seconds[-1] if seconds else 0.0
    what = "quiet seconds of CPU a review, median and longest"
    told_as = f"{median(seconds):.1f}, {longest:.1f}" if seconds else "none"
    yield Figure(table, what, len(seconds), told_as, "", f"<= {SECONDS:.0f}", longest <= SECONDS)


def tried(trial: Trial) -> Found:
    """Do a trial."""
    rng, seconds, stayed, planted = Random(f"{trial}"), list[float](), list[bool](), list[Planted]()
    decisions, accused = 0, 0
    levels = [(Level.EXPERT, trial.skill)]
    if trial.number % 2 == 0:
        levels.append((Level.NORMAL, min(_CASUAL, trial.skill)))
    for level, skill in levels:
        plan = played(trial, level, skill)
        results: dict[str, Any] = {}
        seconds.append(quiet_seconds(partial(finish, plan, results)))
        moments = [moment for seat in sorted(plan.seats) for moment in plan.moments(results, seat)]
        stayed += [stays(plan, results, moment.decision, f"again {trial.number}") for moment in moments]
        if level is Level.EXPERT:
            decisions, accused = len(plan.decisions), sum(_is_right(plan, moment.decision) for moment in moments)
            for mistaken, loss in mistakes(plan, results, rng):
                decision = mistaken.decisions[-1]
                judged = judged_anew(mistaken, results, decision)
                planted.append(Planted(loss, is_among(decision, mistaken.moments(judged, decision.seat))))
                if planted[-1].told and sum(each.told for each in planted) <= _AGAIN:
                    stayed.append(stays(mistaken, results, decision, f"again {trial.number}"))
    return Found(decisions, accused, tuple(planted), tuple(stayed), tuple(seconds))


def played(trial: Trial, level: Level, skill: float) -> Plan:
    """Let computers of a level play a match with a part of their work. Returns the review of all seats."""
    table, rng = trial.table, Random(f"{trial} {level}")
    match = recorded(table, [chooser(level, skill, rng)] * table.players, rng)
    return Plan(*match, frozenset(range(table.players)), trial.effort)


def finish(plan: Plan, results: dict[str, Any], before: str = "") -> None:
    """Do all steps of a review that have no result yet, before those of the kind `before`."""
    while (step := plan.next_step(results)) is not None and step.kind != before:
        results[step.key] = plan.do(step)


def judged_anew(plan: Plan, results: Results, decision: Decision) -> Results:
    """Judge one decision again. Returns the results with those of all others."""
    kept = {key: found for key, found in results.items() if _ply(key) != decision.ply}
    finish(plan, kept, before=OPTIONS)
    return kept


def is_among(decision: Decision, moments: Sequence[Moment]) -> bool:
    """Whether one of the moments is about a decision."""
    return any(each.decision == decision for each in moments)


def _ply(key: str) -> int | None:
    """The decision that a result is about, if it is about one."""
    kind, number, *_ = key.split(" ")
    return int(number) if kind in (SURVEY, LOOK, OPTIONS) else None


def stays(plan: Plan, results: Results, decision: Decision, salt: str) -> bool:
    """Whether a decision is a mistake again with other random numbers, even if others cost more then."""
    again = Reseeded(plan.header, plan.lines, plan.seats, plan.effort, salt)
    return is_among(decision, again.mistakes(judged_anew(again, results, decision), decision.seat))


def mistakes(plan: Plan, results: Results, rng: Random) -> Iterator[tuple[Plan, float]]:
    """Yield matches with a slight mistake, and some with a great one, and what the mistakes lose.

    Each match ends with its mistake.
    """
    decisions = list(plan.decisions)
    rng.shuffle(decisions)
    found, asked = Counter[bool](), Counter[bool]()
    for decision in decisions[:_TRIES]:
        wanted = [great for great in (False, True) if found[great] < _OF_EACH and asked[great] < _REFERRED]
        if not wanted:
            break
        # The screen only proposes mistakes, by random numbers of its own: the reference has the last word.
        what = reseeded(plan.known(decision.ply), "screen")
        losses = _screened(plan, what, results[Step(SURVEY, decision.ply).key][0], rng)
        for great in wanted:
            likely = [text for text, loss in losses.items() if (loss >= BLUNDER) == great and loss >= SLIGHT]
            if not likely:
                continue
            asked[great] += 1
            text = rng.choice(likely)
            loss = referred(what, text, plan.effort)
            if loss >= SLIGHT:
                found[loss >= BLUNDER] += 1
                lines = [line for line in plan.lines if line.ply < decision.ply]
                yield replace(plan, lines=(*lines, Line(decision.ply, decision.seat, text))), loss


def _screened(plan: Plan, what: Known, best: str, rng: Random) -> Mapping[str, float]:
    """Return roughly what some actions lose against the best one."""
    position = what.position
    player = position.current_player
    texts = [text for action in position.legal_actions(player) if (text := position.action_to_string(action)) != best]
    some = rng.sample(texts, min(_ACTIONS, len(texts)))
    actions = tuple(position.string_to_action(player, text) for text in (best, *some))
    judgement = prepared(position, what.lines, Level.EXPERT, PART * plan.effort).judgement
    samples, runs, visits = _RUNS
    number = samples if judgement.races else runs
    found = compared(judgement, actions, max(8, round(number * plan.effort)), max(8, round(visits * plan.effort)), rng)
    return {text: found.loss(action, actions[0]).mean for text, action in zip(some, actions[1:], strict=True)}


def referred(what: Known, played: str, effort: float) -> float:
    """What an action loses by the reference: it finds the best one, and compares the two."""
    what = reseeded(what, "reference")
    better = survey(what, played, REFERENCE * effort).better
    return 0.0 if better == played else look(what, played, better, 1, REFERENCE * effort).loss


def _is_right(plan: Plan, decision: Decision) -> bool:
    """Whether a decision is right by the reference, as far as a review can tell."""
    return referred(plan.known(decision.ply), decision.text, plan.effort) <= MARGIN
