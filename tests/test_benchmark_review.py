"""The benchmark of reviews: its intervals, its verdicts, and that another salt changes only the random numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest

from benchmarks.measure import UNDER
from benchmarks.players import Table
from benchmarks.review import dealing, verdicts
from benchmarks.review.dealing import Met
from benchmarks.review.figures import poisson, rate, share, wilson
from benchmarks.review.parts import in_parts
from benchmarks.review.verdicts import Found, Planted, Reseeded, Trial
from games.core import CHANCE
from matches.analysis.progress import VERSIONS
from matches.computers.known import known
from matches.computers.levels import Level

GAMBO = Table("gambo", 2)
TRIAL = Trial(GAMBO, 1, 0.001, 0.002)


def test_intervals_are_those_of_the_tables() -> None:
    assert wilson(45, 50) == pytest.approx((0.786, 0.957), abs=0.001)
    assert wilson(0, 10) == pytest.approx((0.0, 0.278), abs=0.001)
    assert wilson(10, 10)[1] == 1.0
    assert wilson(0, 0) == (0.0, 1.0)
    # The exact interval of 5 is 1.62 to 11.67, that of 0 is 0 to 3.69.
    assert poisson(5) == pytest.approx((1.62, 11.67), abs=0.02)
    assert poisson(0) == pytest.approx((0.0, 3.69), abs=0.03)


def test_a_figure_is_under_its_floor_only_if_its_whole_interval_is() -> None:
    below, around = share(GAMBO, "told", 30, 50, 0.9), share(GAMBO, "told", 43, 50, 0.9)
    assert (below.kept, around.kept) == (False, True)
    assert UNDER.lower() in str(below)
    assert UNDER.lower() not in str(around)
    above, about = rate(GAMBO, "accused", 9, 400, 200), rate(GAMBO, "accused", 3, 400, 200)
    assert (above.kept, about.kept) == (False, True)
    assert (about.found, about.interval) == ("1.50", "0.30-4.38")
    assert share(GAMBO, "told", 0, 0, 0.9).kept, "nothing was found"


def test_a_mistake_counts_in_the_row_of_what_it_loses() -> None:
    planted = (Planted(0.16, True), Planted(0.19, False), Planted(0.2, True), Planted(0.9, True))
    found = Found(30, 1, planted, (True, False, True), (3.0, 130.0))
    great, slight, accused, stayed, cost = verdicts.rows(GAMBO, [found, found])
    assert (great.n, great.found) == (4, "100%")
    assert (slight.n, slight.found) == (4, "50%")
    assert (accused.n, accused.found) == (60, "6.67")
    assert (stayed.n, stayed.found) == (6, "67%")
    assert (cost.found, cost.kept) == ("66.5, 130.0", False)


def test_other_random_numbers_follow_from_the_same_knowledge() -> None:
    plan = verdicts.played(TRIAL, Level.NORMAL, 0.001)
    decision = plan.decisions[3]
    usual = plan.known(decision.ply)
    one, same, other = (
        Reseeded(plan.header, plan.lines, plan.seats, plan.effort, salt).known(decision.ply) for salt in ("1", "1", "2")
    )
    assert one == same
    assert len({usual.rng("look").random(), one.rng("look").random(), other.rng("look").random()}) == 3
    assert one.position == usual.position
    assert known(plan.before(decision.ply)[0]) == usual, "without the benchmark nothing changes them"


def test_a_planted_mistake_ends_the_match_and_is_judged_with_what_was_found_before() -> None:
    plan = verdicts.played(TRIAL, Level.EXPERT, 0.001)
    results: dict[str, object] = {}
    verdicts.finish(plan, results)
    planted = list(verdicts.mistakes(plan, results, Random(1)))
    assert planted
    for mistaken, loss in planted:
        decision = mistaken.decisions[-1]
        assert loss >= verdicts.SLIGHT
        assert mistaken.lines[:-1] == plan.lines[: decision.ply]
        assert mistaken.lines[-1].text != plan.lines[decision.ply].text
        state = plan.before(decision.ply)[0]
        assert state.current_player != CHANCE
        state.string_to_action(decision.seat, decision.text)
    before = dict(results)
    mistaken = planted[0][0]
    verdicts.judged_anew(mistaken, results, mistaken.decisions[-1])
    assert results == before


def test_a_run_goes_on_after_the_trials_that_an_earlier_one_has_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, tasks = tmp_path / "trials.jsonl", [Trial(GAMBO, number, 1.0) for number in range(3)]
    parts = partial(in_parts, read=Found.read, file=file)
    first = dict(parts(found_of, tasks[:2], None))
    assert first == {task: found_of(task) for task in tasks[:2]}
    later = dict(parts(found_of, tasks, None))
    assert later == {task: found_of(task) for task in tasks}
    assert len(file.read_text("ascii").splitlines()) == 3, "each was done once"
    monkeypatch.setitem(VERSIONS, "gambo", 99)
    assert list(parts(found_of, tasks, 1e-9)) == [], "another version was measured, and there's no time"


def found_of(trial: Trial) -> Found:
    """What a trial could find."""
    return Found(trial.number, 0, (Planted(0.5, True),), (True,), (1.5,))


def deals(of_deals: float, of_play: float, seen: float, seed: int = 1) -> list[Met]:
    """Deals whose results are the deal's effect plus that of play. Luck is `seen` of the deal's effect, plus noise."""
    rng, found = Random(seed), list[Met]()
    for _ in range(200):
        brought = rng.gauss(0, of_deals)
        matches = [(brought + rng.gauss(0, of_play), seen * brought + rng.gauss(0, 0.5), 0.25) for _ in range(5)]
        found.append(Met(tuple(matches), rng.gauss(0, 1)))
    return found


def test_what_deals_explain_is_told_from_what_luck_takes_off() -> None:
    matches = [[match[:2] for match in each.matches] for each in deals(1.0, 2.0, 1.0)]
    by_deals, by_luck = dealing.explained(matches, 0.25)
    assert by_deals == pytest.approx(0.2, abs=0.06)
    assert by_luck == pytest.approx(0.2, abs=0.06)
    # Noise that is counted as luck adds to the variance.
    assert dealing.explained(matches, 0.0)[1] < by_luck


@pytest.mark.parametrize(("seen", "kept"), [(1.0, True), (0.3, False), (-1.0, False)])
def test_luck_must_take_off_what_deals_explain(seen: float, kept: bool) -> None:
    mean, share_taken = dealing.rows(Table("abissal", 2), deals(1.0, 1.0, seen))
    assert mean.kept
    assert share_taken.kept is kept
    assert share_taken.floor == "90%"


def test_where_deals_explain_nothing_luck_need_not_either() -> None:
    _, share_taken = dealing.rows(Table("abissal", 2), deals(0.01, 1.0, 0.0))
    assert (share_taken.kept, share_taken.floor) == (True, "")


def test_luck_that_favours_somebody_is_found() -> None:
    mean, _ = dealing.rows(
        Table("abissal", 2), [each._replace(one_sided=each.one_sided + 1) for each in deals(1, 1, 1)]
    )
    assert not mean.kept
