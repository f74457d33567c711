"""Reviews: judged by what a seat knew, the same for equal knowledge, and the same after an interruption."""

from __future__ import annotations

import json
from functools import cache
from math import inf
from random import Random
from typing import Any

import pytest

from games.core import CHANCE, State
from games.exercise import Answer, Task, followed
from games.exercise import played as played_state
from games.log import Course, Header, Line, initial_state
from matches.analysis import progress
from matches.analysis.judging import MISTAKE, look, survey
from matches.analysis.outline import Point, Turn, expected, turning_points
from matches.analysis.progress import LOOK, MOMENTS, OPTIONS, SURVEY, VERSIONS, Plan, Step, Verdict
from matches.analysis.trying import LONGEST, MARGIN, Option, options
from matches.computers.alphabeta import look_at_each
from matches.computers.judgement import DECIDED, Worth
from matches.computers.known import known, written
from matches.computers.levels import Level
from matches.computers.paired import Runs, compared, mean_of, student
from matches.computers.thinking import judgement_of, prepared
from tests.conformance.matches import SETUPS, Setup

TINY = 0.01
"""The part of the work that tests do."""


def played(header: Header, seed: int, most: int = 400, good: frozenset[int] = frozenset()) -> tuple[Line, ...]:
    """The lines of a match of random moves; seats in `good` take what brings most points at once."""
    rng, course, lines = Random(seed), Course.begin(header), list[Line]()
    while not course.state.is_terminal and len(lines) < most:
        state = course.state
        player = state.current_player
        action = state.sample_chance(rng) if player == CHANCE else _chosen(state, player in good, rng)
        line, course = course.played(player, action)
        lines.append(line)
    return tuple(lines)


def _chosen(state: State[Any], good: bool, rng: Random) -> Any:
    player = state.current_player
    actions = list(state.legal_actions(player))
    rng.shuffle(actions)
    return max(actions, key=lambda action: state.child(player, action).returns()[player]) if good else actions[0]


def finished(plan: Plan, results: dict[str, Any] | None = None, steps: int = 10_000) -> dict[str, Any]:
    """The results after this many more steps, each as the store would return it."""
    results = {} if results is None else results
    while steps and (step := plan.next_step(results)) is not None:
        results[step.key] = json.loads(json.dumps(plan.do(step)))
        steps -= 1
    return results


GAMBO = Header("gambo", 2)


@cache
def _short() -> tuple[Plan, str]:
    """The beginning of a match, and its review."""
    plan = Plan(GAMBO, played(GAMBO, 6, 18), frozenset({0, 1}), TINY)
    return plan, json.dumps(finished(plan))


@pytest.mark.parametrize("setup", [each for each in SETUPS if each.key in VERSIONS])
def test_equal_knowledge_gives_equal_verdicts_whatever_is_hidden(setup: Setup) -> None:
    header, rng = setup.header(), Random(5)
    lines = played(header, 7, 40)
    course, changed, judged = Course.begin(header), 0, 0
    for line in lines:
        state, player = course.state, line.player
        if player >= 0 and len(state.legal_actions(player)) > 1 and rng.random() < 0.2 and judged < 3:
            before = tuple(each for each in lines if each.ply < line.ply)
            other = state.resample_from_infostate(player, rng)
            changed += other != state
            # Chance lines tell only what the seat saw of them, so the log of the other world isn't needed.
            one, two = known(state, before), known(other, before)
            assert one == two
            judged += 1
            assert survey(one, line.text, TINY) == survey(two, line.text, TINY)
            if judged == 1:
                better = next(
                    text for text in map(state.action_to_string, state.legal_actions(player)) if text != line.text
                )
                found = options(one, line.text, better, TINY)
                assert found == options(two, line.text, better, TINY)
                assert_playable(Task(header.game, one.position, player, {}, Answer(False, ""), better), found)
                assert found[better].right
                assert not found[line.text].right
        course = course.after(line, trusted=True)
    assert changed or not course.state.info.hidden_information


def assert_playable(task: Task, found: dict[str, Option]) -> None:
    """Check that each option's further lines can follow its action, and that they go on until somebody decides.

    An option has at most `LONGEST` of them.
    """
    for text, option in found.items():
        assert Option.from_json(json.loads(json.dumps(option.as_json()))).then == option.then
        after = [played_state(task, text), *(state for _, state in followed(task, text, option.then))]
        assert not option.then or after[-1].is_terminal or after[-1].current_player >= 0 or len(option.then) == LONGEST


def test_the_digest_tells_positions_apart_that_look_different() -> None:
    state = initial_state(GAMBO)
    digests = {known(state).digest}
    for line in played(GAMBO, 3, 30):
        state = state.child(line.player, state.string_to_action(line.player, line.text))
        if state.current_player >= 0:
            digests.add(known(state).digest)
    assert len(digests) > 25


def test_a_text_of_equal_values_is_equal() -> None:
    assert written({"b": 1, "a": frozenset({3, 1, 2})}) == written({"a": frozenset({2, 3, 1}), "b": 1})
    assert written((1, 2)) != written((2, 1))


def test_students_quantile_is_right() -> None:
    # From a table of the distribution.
    for freedom, quantile in ((5, 2.015), (7, 1.895), (10, 1.812), (30, 1.697), (1000, 1.646)):
        assert student(0.95, freedom) == pytest.approx(quantile, rel=0.006)


def test_a_lower_bound_holds_in_nineteen_of_twenty_samples() -> None:
    rng, below = Random(2), 0
    for _ in range(1000):
        below += mean_of([rng.gauss(0.1, 0.3) for _ in range(8)]).low <= 0.1
    assert 0.92 <= below / 1000 <= 0.98


def test_paired_runs_cancel_what_is_the_same_for_both() -> None:
    noise = [Random(number).random() for number in range(40)]
    runs = Runs(("a", "b"), [(Worth(each, 3), Worth(each + 0.2, 5)) for each in noise], [], [])
    assert runs.loss("a", "b").low == pytest.approx(0.2)
    assert runs.lead_lost("a", "b").mean == pytest.approx(2)
    assert runs.holds("a", "b") == 1.0
    assert runs.value("a").error > 0.03


def test_exact_ends_outweigh_samples_as_they_do_for_an_expert() -> None:
    sampled: list[tuple[Worth, ...]] = [(Worth(0.5, 0), Worth(0.5, 0))] * 8
    runs = Runs(("a", "b"), sampled, [(0.0, 1.0)] * 8, [1.0] * 8)
    assert runs.loss("a", "b").mean == pytest.approx(0.8)


def test_the_mean_of_all_worlds_is_no_estimate() -> None:
    sampled: list[tuple[Worth, ...]] = [(Worth(0.4, 0), Worth(0.6, 0))] * 8
    exact: list[tuple[float, ...]] = [(0.0, 1.0), (1.0, 1.0)] * 4
    some, every = (Runs(("a", "b"), sampled, exact, [1.0] * 8, each).loss("a", "b") for each in (False, True))
    assert some.mean == every.mean
    assert every.low == pytest.approx(every.mean)
    assert some.low < some.mean - 0.1


def test_runs_from_few_worlds_are_less_sure() -> None:
    rows = [tuple(map(Worth, (value, 0.5), (value, 0.5))) for value in (0.0, 0.2, 0.4, 0.6)] * 25
    many, few = (Runs(("a", "b"), rows, [], [], kept=kept) for kept in (inf, 25.0))
    assert few.loss("a", "b").mean == many.loss("a", "b").mean
    # The uncertainty of 25 worlds is added to that of 100 runs.
    assert few.loss("a", "b").error == pytest.approx(5**0.5 * many.loss("a", "b").error)
    assert few.lead_lost("a", "b").error == pytest.approx(5**0.5 * many.lead_lost("a", "b").error)


@pytest.mark.parametrize("header", [Header("abissal", 2), Header("abissal", 3), Header("ambagibus", 2)], ids=str)
def test_a_look_has_more_worlds_than_a_decision(header: Header) -> None:
    course = Course.begin(header)
    for line in played(header, 4, 14):
        course = course.after(line, trusted=True)
    what, kept = known(course.state), []
    for worlds in (0, 900):
        judgement, rng = judgement_of(header.game)(what.position), Random(1)
        judgement.keep(worlds, rng)
        for _ in range(1000):
            judgement.world(rng)
        kept.append(judgement.kept())
    # In Abissal with two players all worlds are kept, so nothing is left out.
    assert kept[1] > kept[0] or kept[1] == inf
    assert (kept[1] == inf) == (header == Header("abissal", 2))


def test_in_ambush_the_exact_search_judges_and_leads_do_not_depend_on_whose_turn_it_is() -> None:
    header = Header("ambush", 2)
    course, leads = Course.begin(header), list[float]()
    for line in played(header, 5, 9):
        course = course.after(line, trusted=True)
        leads.append(expected(course.state, 0.1)[0])
    assert all(abs(lead) < 2 for lead in leads)
    what = known(course.state)
    text, better = (course.state.action_to_string(action) for action in _two(course.state))
    one, other = (look(what._replace(digest=digest), text, better, 1, TINY) for digest in (b"1", b"2"))
    assert one == other, "it has no random numbers"
    assert one.low <= one.loss


def test_an_end_of_two_is_worked_out_in_every_world_and_looks_agree_on_it() -> None:
    header = Header("abissal", 2)
    for line in (lines := played(header, 3)):
        what = known(*Plan(header, lines, frozenset()).before(line.ply)) if line.player >= 0 else None
        if what is None or len(actions := what.position.legal_actions(line.player)) < 2:
            continue
        judgement = prepared(what.position, what.lines, Level.EXPERT, 1.0).judgement
        found = list(judgement.ends(actions, what.rng("test")))
        if judgement.ends_are_all():
            assert len(found) == len(vars(judgement)["worlds"])
            return
        assert len(found) < 364
    raise AssertionError


@pytest.mark.parametrize("game", ["gambo", "ambush", "abissal", "ambagibus"])
def test_an_action_loses_nothing_against_itself(game: str) -> None:
    header = Header(game, 2, {"variant": "basic"} if game == "ambagibus" else {})
    course = Course.begin(header)
    for line in played(header, 4, 14):
        course = course.after(line, trusted=True)
    what = known(course.state)
    ready = prepared(what.position, what.lines, Level.EXPERT, TINY)
    action = course.state.legal_actions(course.state.current_player)[0]
    found = compared(ready.judgement, (action, action), 8, 8, what.rng("test"))
    assert found.loss(action, action).mean == 0


def an_end_of_gambo() -> Any:
    """A position near the end, in which both sides still have a choice."""
    for seed in range(20):
        course = Course.begin(GAMBO)
        for line in played(GAMBO, seed):
            state: Any = course.state
            course = course.after(line, trusted=True)
            left = sum(map(len, state.waiting)) if state.sides else 99
            if left <= 2 and len(state.legal_actions(state.current_player)) > 2:
                return state
    raise AssertionError


def test_the_exact_search_values_all_actions_equally_deep() -> None:
    state = an_end_of_gambo()
    judgement = judgement_of("gambo")(state)
    actions = state.legal_actions(state.current_player)
    found = look_at_each(judgement, actions, 200_000)
    assert set(found.by_action) == set(actions)
    assert all(outlook.settled for outlook in found.by_action.values())
    for action, outlook in found.by_action.items():
        assert abs(outlook.value) < 2 * DECIDED
        if outlook.exact:
            assert outlook.value == best_reply(judgement, state, action)


def best_reply(judgement: Any, state: State[Any], action: Any) -> float:
    """The value of an action by trying everything, without any cutoff."""
    memory: dict[Any, float] = {}

    def value(at: State[Any]) -> float:
        key = judgement.key(at)
        if key not in memory:
            memory[key] = max(after(at, each) for each in at.legal_actions(at.current_player))
        return memory[key]

    def after(at: State[Any], each: Any) -> float:
        player, child = at.current_player, at.child(at.current_player, each)
        if child.is_terminal:
            return float(judgement.result(child, player))
        return value(child) if child.current_player == player else -value(child)

    return after(state, action)


def test_what_the_exact_search_settles_needs_no_runs() -> None:
    state = an_end_of_gambo()
    judgement = judgement_of("gambo")(state)
    found = look_at_each(judgement, state.legal_actions(state.current_player), 200_000).by_action
    worst = min(found, key=lambda action: found[action].value)
    best = max(found, key=lambda action: found[action].value)
    texts = [state.action_to_string(action) for action in (worst, best)]
    looks = [look(known(state), *texts, number, 1.0) for number in (1, 2)]
    assert looks[0] == looks[1]
    assert looks[0].low == looks[0].loss


def test_looks_are_independent_and_each_is_repeatable() -> None:
    lines = played(GAMBO, 1, 12)
    course = Course.begin(GAMBO)
    for line in lines:
        course = course.after(line)
    what, texts = known(course.state, lines), [course.state.action_to_string(a) for a in _two(course.state)]
    one, again, two = (look(what, *texts, number, TINY) for number in (1, 1, 2))
    assert one == again
    assert one.loss != two.loss


def _two(state: State[Any]) -> tuple[Any, Any]:
    actions = state.legal_actions(state.current_player)
    return actions[0], actions[-1]


def test_a_review_that_is_interrupted_ends_with_the_same_bytes() -> None:
    plan, whole = _short()
    results: dict[str, Any] = {}
    while plan.next_step(results) is not None:
        # Nothing but the stored results survives.
        results = finished(Plan(GAMBO, plan.lines, plan.seats, TINY), json.loads(json.dumps(results)), 3)
    assert json.dumps(results) == whole


def test_progress_never_falls_and_ends_with_the_review() -> None:
    plan, whole = _short()
    results: dict[str, Any] = {}
    shares = [plan.progress(results)]
    for key, found in json.loads(whole).items():
        results[key] = found
        shares.append(plan.progress(results))
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert 1.0 not in shares[:-1]


@pytest.mark.parametrize(("game", "numbers"), [("gambo", (1,)), ("ambush", (1, 2)), ("abissal", (1, 2))])
def test_a_moment_is_told_only_if_all_looks_agree(game: str, numbers: tuple[int, ...]) -> None:
    header = Header(game, 2)
    plan = Plan(header, played(header, 6, 12), frozenset({0, 1}), TINY)
    results: dict[str, Any] = {}
    while (step := plan.next_step(results)) is not None and step.kind != SURVEY:
        results[step.key] = plan.do(step)
    decision = plan.decisions[0]
    results |= {Step(SURVEY, each.ply).key: [each.text, 0.0, False] for each in plan.decisions}
    results[Step(SURVEY, decision.ply).key] = ["better", 0.5, False]
    sure, unsure = ([0.3, low, 4.0, 0.9, {"gain": [0.0, 4.0]}] for low in (0.25, MISTAKE - 0.01))
    for number in numbers:
        step = Step(LOOK, decision.ply, number, "better")
        assert plan.next_step(results) == step
        assert plan.next_step({**results, step.key: unsure}) is None
        assert not plan.moments(results, decision.seat)
        results[step.key] = sure
    assert plan.next_step(results) == Step(OPTIONS, decision.ply, better="better")
    assert len(plan.moments(results, decision.seat)) == 1
    # Gambo had two looks until version 10.
    assert not plan.moments({**results, Step(LOOK, decision.ply, 2).key: unsure}, decision.seat)


def test_a_moment_says_what_it_cost_and_its_actions_are_judged() -> None:
    plan, whole = _short()
    decision = plan.decisions[0]
    state, _ = plan.before(decision.ply)
    texts = map(state.action_to_string, state.legal_actions(decision.seat))
    better = next(text for text in texts if text != decision.text)
    results = {key: value for key, value in json.loads(whole).items() if not key.startswith(LOOK)}
    for each in plan.decisions:
        results[Step(SURVEY, each.ply).key] = [each.text, 0.0, False]
    results[Step(SURVEY, decision.ply).key] = [better, 0.5, False]
    results[Step(LOOK, decision.ply, 1).key] = [0.3, 0.25, 4.0, 0.9, {"gain": [0.0, 4.0]}]
    last = plan.next_step(results)
    assert last == Step(OPTIONS, decision.ply, better=better)
    judged = json.loads(json.dumps(plan.do(last)))
    assert plan.next_step({**results, last.key: judged}) is None
    assert {text: each[0] <= MARGIN for text, each in judged.items()} == {better: True, decision.text: False}
    (moment,) = plan.moments(results, decision.seat)
    assert moment.verdict is Verdict.COST
    assert moment.better == better
    assert not plan.moments(results, 1 - decision.seat)


def test_at_most_three_moments_are_told_of_a_seat_the_costliest_first() -> None:
    plan, whole = _short()
    results = {key: value for key, value in json.loads(whole).items() if not key.startswith(LOOK)}
    for number, each in enumerate(plan.decisions):
        results[Step(SURVEY, each.ply).key] = ["better", 0.2 + number / 1000, False]
        for look_number in (1, 2):
            loss = 0.2 + number / 1000
            results[Step(LOOK, each.ply, look_number, "better").key] = [loss, loss, 4.0, 0.9, {"gain": [0.0, 4.0]}]
    for seat in (0, 1):
        moments = plan.moments(results, seat)
        assert len(moments) == MOMENTS
        losses = [moment.loss for moment in moments]
        assert losses == sorted(losses, reverse=True)
        assert losses[0] == max(0.2 + n / 1000 for n, each in enumerate(plan.decisions) if each.seat == seat)


def test_only_what_a_seats_last_person_decided_is_reviewed() -> None:
    lines = played(GAMBO, 6, 20)
    first, second, third = "computer 0 expert", "return 0", "person 1"
    numbered: list[Any] = [*lines[:6], first, *lines[6:10], second, *lines[10:14], third, *lines[14:]]
    log = tuple(
        Line(ply, -2, each) if isinstance(each, str) else each._replace(ply=ply) for ply, each in enumerate(numbered)
    )
    decisions = Plan(GAMBO, log, frozenset({0, 1})).decisions
    assert {each.seat for each in decisions} == {0, 1}
    assert not any(each.seat == 0 and 6 < each.ply < 11 for each in decisions)
    assert all(each.ply > 16 for each in decisions if each.seat == 1)
    assert not Plan(GAMBO, log, frozenset()).decisions


def test_lines_that_were_taken_back_are_not_reviewed() -> None:
    lines = played(GAMBO, 6, 12)
    log = (*lines, Line(12, -2, "undo 11"))
    assert [each.ply for each in Plan(GAMBO, log, frozenset({0, 1})).kept] == list(range(11))


def test_of_a_match_that_was_played_on_only_what_follows_is_reviewed() -> None:
    header = Header("abissal", 2)
    lines = played(header, 6, 14)
    course = Course.begin(header)
    for line in lines:
        course = course.after(line)
    event, course = course.noted(f"branch {lines[-1].player} {'0' * 32}")
    after, rng = [*lines, event], Random(1)
    assert not Plan(header, tuple(after), frozenset({0, 1}), TINY).begun
    for _ in range(6):
        player = course.state.current_player
        line, course = course.played(player, rng.choice(course.state.legal_actions(player)))
        after.append(line)
    plan = Plan(header, tuple(after), frozenset({0, 1}), TINY)
    assert plan.begun
    assert plan.plies
    assert min(plan.plies) > event.ply
    assert all(each.ply > event.ply for each in plan.decisions)
    assert plan.before(after[-1].ply + 1)[0] == course.state
    results = finished(plan)
    assert len(plan.outline(results)) == len(plan.plies) + 1


def test_of_a_very_long_match_the_worst_falls_are_surveyed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(GAMBO, played(GAMBO, 6, 18), frozenset({0, 1}), TINY)
    monkeypatch.setattr(progress, "MOST_SURVEYED", 5)
    results = finished(plan)
    surveys = [int(key.split(" ")[1]) for key in results if key.startswith(SURVEY)]
    assert len(surveys) == 5
    points = {point.ply: point for point in plan.outline(results)}
    after = dict(zip(points, [*list(points)[1:], None], strict=True))

    def fall(ply: int, seat: int) -> float:
        then = after[ply]
        return points[ply].leads[seat] - (points[then].leads[seat] if then is not None else 0.0)

    falls = sorted((fall(each.ply, each.seat) for each in plan.decisions), reverse=True)
    assert min(fall(each.ply, each.seat) for each in plan.decisions if each.ply in surveys) >= falls[4]


def test_a_random_player_has_moments_and_each_says_what_was_better() -> None:
    moments = []
    for seed in (0, 1):
        plan = Plan(GAMBO, played(GAMBO, seed, good=frozenset({0})), frozenset({1}), 0.05)
        moments += plan.moments(finished(plan), 1)
    assert moments
    assert all(moment.loss >= MISTAKE for moment in moments)
    assert all(moment.better != moment.decision.text for moment in moments)


def test_turning_points_are_apart_and_in_order() -> None:
    leads = [0, 0, 5, 5, 5, -4, -5, -5, 2, 2]
    points = [Point(10 * number, (lead, -lead)) for number, lead in enumerate(leads)]
    assert turning_points(points, 3, 1.0, always) == [(10, 0, 5), (40, 1, 9), (70, 0, 7)]
    assert turning_points(points, 1, 1.0, always) == [(40, 1, 9)]
    assert turning_points(points, 3, 10.0, always) == []
    assert turning_points(points, 1, 1.0, lambda turn: turn.ply != 40) == [(70, 0, 7)]
    assert turning_points(points, 3, 1.0, always, apart=(40, 60)) == [(10, 0, 5)]


def always(_: Turn) -> bool:
    return True
