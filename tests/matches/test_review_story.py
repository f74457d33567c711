"""The story of a match and the moments of its players never contradict each other, whatever was found in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.log import parse_log
from matches.analysis.broken_rules import EARLY, FRIEND, LATE, THROWN
from matches.analysis.judging import LOOKS
from matches.analysis.progress import AT_A_TIME, LOOK, MOMENTS, OUTLINE, SURVEY, Moment, Plan, Step, Verdict
from matches.analysis.rounds import RoundsPlan, plan_of
from tests.conformance.matches import LOGS

FINDINGS = 6
"""So many different findings are made up for each match."""


def made_up(plan: Plan, rng: Random) -> dict[str, Any]:
    """What the steps of a review may find, at random."""
    results: dict[str, Any] = {}
    if isinstance(plan, RoundsPlan):
        for step, turns in zip(plan._steps(results), plan._rounds, strict=True):
            plies = {turn.line.ply for turn in turns}
            faults = [
                [list(each), rng.choice((THROWN, FRIEND, EARLY, LATE)), each.text, rng.random(), 1, 1, {"missing": 3.0}]
                for each in plan.decisions
                if each.ply in plies and rng.random() < 0.3
            ]
            odds = [rng.random() for _ in range(len(turns) + 1)]
            results[step.key] = [odds, [[0.3] * plan.header.players] * len(odds), faults]
        return results
    lead = [0.0] * plan.header.players
    for number in range(0, len(plan.plies), AT_A_TIME):
        rows = []
        for _ in plan.plies[number : number + AT_A_TIME]:
            lead = [each + rng.gauss(0, 1) for each in lead]
            rows.append([own - max(lead[:seat] + lead[seat + 1 :]) for seat, own in enumerate(lead)])
        results[Step(OUTLINE, number=number).key] = rows
    for each in plan.decisions:
        better = rng.choice((each.text, "better"))
        results[Step(SURVEY, each.ply).key] = [better, rng.random() * (better != each.text), rng.random() < 0.2]
        loss, low = rng.random(), rng.choice((0.0, 0.15))
        for number in range(1, LOOKS + 1):
            facts = rng.choice(({}, {"gain": [0.0, 4.0]}))
            results[Step(LOOK, each.ply, number).key] = [loss, low, 4.0, 0.4, facts]
    return results


@pytest.mark.parametrize("name", sorted(path.stem for path in LOGS.glob("*.log")))
def test_what_the_story_says_of_a_player_stands_in_their_moments_with_the_same_verdict(name: str) -> None:
    header, lines = parse_log((LOGS / f"{name}.log").read_text())
    for seed in range(FINDINGS):
        rng = Random(f"{name} {seed}")
        people = frozenset(seat for seat in range(header.players) if rng.random() < 0.8)
        plan = plan_of(header, lines, people)
        results = made_up(plan, rng)
        story = plan.story(results, by_rules=rng.random() < 0.5)
        own = {seat: plan.own(results, seat, story) for seat in people}
        assert len(story) <= MOMENTS
        assert story == sorted(story)
        verdicts = dict[int, Moment]()
        for moment in (*story, *(each for mine in own.values() for each in mine)):
            assert verdicts.setdefault(moment.decision.ply, moment) == moment
            assert (moment.verdict is Verdict.COST) == bool(moment.better) == bool(moment.reasons)
            seat, text = moment.decision.seat, moment.decision.text
            assert (moment in story) <= (seat not in people or moment in own[seat])
            surveyed = results.get(Step(SURVEY, moment.decision.ply).key, [text])
            assert moment.verdict is not Verdict.BEST or surveyed[0] == text, "praised, though another one was better"
        for seat, mine in own.items():
            assert len(mine) <= MOMENTS
            assert {each.decision.seat for each in mine} <= {seat}
