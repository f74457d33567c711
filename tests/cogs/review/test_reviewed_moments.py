"""Every moment that is told in a review of the golden logs: it costs something, and its words say why."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cogs.review import reviewed
from cogs.text.reasons import why
from games.log import parse_log
from matches.analysis import progress
from matches.analysis.judging import MISTAKE
from matches.analysis.progress import LOOK, LUCK, OUTLINE, SURVEY, Moment, Plan
from matches.computers.thinking import judgement_of
from tests.conformance.matches import LOGS

SURVEYED = 16
"""So many decisions of each match are surveyed."""

WITH_MOMENTS = [path.stem for path in sorted(LOGS.glob("*.log")) if not path.stem.startswith("saboteur")]


def told(plan: Plan) -> list[Moment]:
    """The moments of all seats, without working out how the match went."""
    results: dict[str, Any] = {}
    while (step := plan.next_step(results)) is not None:
        if step.kind == OUTLINE:
            results[step.key] = [[0.0] * plan.header.players] * progress.AT_A_TIME
        else:
            results[step.key] = [] if step.kind == LUCK else plan.do(step)
    return [moment for seat in range(plan.header.players) for moment in plan.moments(results, seat)]


# FOUND V11
@pytest.mark.parametrize("name", WITH_MOMENTS)
def test_every_told_moment_costs_something_and_says_why(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST_SURVEYED", SURVEYED)
    header, lines = parse_log((LOGS / f"{name}.log").read_text())
    plan = Plan(header, lines, frozenset(range(header.players)), 0.01)
    kind = judgement_of(header.game)
    for moment in told(plan):
        assert MISTAKE <= moment.loss <= 1
        assert moment.reasons
        for reason in moment.reasons:
            (said,) = why([reason], kind.unit, tuple("Anna")[: header.players], moment.decision.seat)
            assert not re.search(r"\b0 [a-z]|%", said), said
        state, _ = plan.before(moment.decision.ply)
        player = state.current_player
        played, better = (state.string_to_action(player, text) for text in (moment.decision.text, moment.better))
        wins = kind(state).winners(1.0)
        if wins:
            assert wins[better]
            assert not wins[played]


# FOUND V11
def test_nobody_is_told_that_they_played_well_because_no_reason_was_found() -> None:
    header, lines = parse_log((LOGS / "gambo-sacrifices.log").read_text())
    plan, results = Plan(header, lines, frozenset({0})), dict[str, Any]()
    while (step := plan.next_step(results)) is not None:
        # Each decision cost an eighth of the match, and neither the points nor the answer were other ones.
        same = {"gain": [0.0, 0.0], "answer": [0.0, 0.0]}
        found = {OUTLINE: [[0.0, 0.0]] * progress.AT_A_TIME, SURVEY: [step.better, 0.125, False]}
        results[step.key] = found.get(step.kind, [0.125, 0.11, 2.5, 1.0, same])
    assert any(key.startswith(LOOK) for key in results)
    assert plan.moments(results, 0) == []
    assert "say why" in reviewed.NOTHING
    assert "You played" not in reviewed.NOTHING
