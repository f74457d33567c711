"""A verdict is told only where it is true: not where every action ends alike, in one unit, and with a reason."""

from __future__ import annotations

from hashlib import sha256
from itertools import product
from random import Random
from typing import Any

import pytest

from games.abissal.state import GOAL
from games.gambo.state import new_match
from games.log import Course, Header, parse_log
from matches.analysis.judging import MISTAKE, _lost, look, survey
from matches.analysis.outline import Turn
from matches.analysis.progress import SURVEY, Plan, Step, Verdict
from matches.analysis.reasons import MOST, About, reasons
from matches.analysis.trying import options
from matches.computers.alphabeta import Outlook, look_at_each
from matches.computers.judgement import DECIDED
from matches.computers.judgements.gambo import DUELS, winners
from matches.computers.known import known
from matches.computers.thinking import judgement_of
from tests.conformance.matches import LOGS
from tests.matches.test_review import GAMBO, best_reply, played

LITTLE = 0.05


def position_of_gambo(seed: int, ply: int) -> Any:
    """The position before a line of a random match."""
    course = Course.begin(GAMBO)
    for line in played(GAMBO, seed)[:ply]:
        course = course.after(line, trusted=True)
    return course.state


def test_the_winners_of_an_end_of_gambo_are_those_that_trying_everything_finds() -> None:
    compared_ = 0
    for seed in range(6):
        course = Course.begin(GAMBO)
        for line in played(GAMBO, seed):
            state: Any = course.state
            course = course.after(line, trusted=True)
            if line.player < 0 or len(state.scored()) != 7 or len(state.legal_actions(line.player)) < 3:
                continue
            judgement = judgement_of("gambo")(state)
            for action, wins in winners(state).items():
                assert wins == (best_reply(judgement, state, action) > 0)
                compared_ += 1
    assert compared_ > 20


@pytest.mark.parametrize(
    ("name", "ply", "better"),
    [("forced-pass", 14, "duel E2xC2"), ("equal-totals", 26, "swap C3 M3"), ("sacrifices", 12, "swap E3 M1")],
)
def test_in_gambo_a_loss_near_the_threshold_is_told_whatever_the_random_numbers(
    name: str, ply: int, better: str
) -> None:
    header, lines = parse_log((LOGS / f"gambo-{name}.log").read_text())
    plan = Plan(header, lines, frozenset({0, 1}))
    knows, text = plan.known(ply), next(line.text for line in lines if line.ply == ply)
    for salt in "abcdef":
        found = look(knows._replace(digest=sha256(salt.encode()).digest()), text, better, 1, 0.1)
        assert found.low >= MISTAKE
        assert found.loss < 2 * MISTAKE


# FOUND V11
@pytest.mark.parametrize(("seed", "ply", "wins"), [(9, 30, False), (6, 34, True)])
def test_in_gambo_nothing_is_told_where_all_actions_lose_or_all_win(seed: int, ply: int, wins: bool) -> None:
    state = position_of_gambo(seed, ply)
    assert len(state.scored()) == 9 - DUELS
    found = winners(state)
    assert set(found) == set(state.legal_actions(state.current_player))
    assert set(found.values()) == {wins}
    knows = known(state)
    one, *_, other = map(state.action_to_string, found)
    assert survey(knows, other, LITTLE).possible == 0
    assert look(knows, one, other, 1, LITTLE).loss == 0


# FOUND V11
def test_in_gambo_what_throws_a_win_away_costs_the_whole_match() -> None:
    state = position_of_gambo(10, 35)
    found, knows = winners(state), known(state)
    texts = {state.action_to_string(action): wins for action, wins in found.items()}
    worse = next(text for text, wins in texts.items() if not wins)
    found_ = survey(knows, worse, LITTLE)
    assert texts[found_.better]
    assert found_.possible == 1
    looked = look(knows, worse, found_.better, 2, LITTLE)
    assert (looked.loss, looked.low) == (1, 1)
    judged = options(knows, worse, found_.better, LITTLE)
    assert {text: option.right for text, option in judged.items()} == texts
    (why, *_) = reasons(looked.facts, looked.loss, hidden=False)
    assert why.about is About.WINS


# FOUND V11
def test_where_the_exact_search_is_sure_who_wins_points_cost_nothing() -> None:
    judgement = judgement_of("ambush")(Course.begin(Header("ambush", 2)).state)
    won, far, lost, near, open_ = (
        Outlook(DECIDED + 1, True),
        Outlook(DECIDED + 20, False),
        Outlook(-DECIDED - 20, True),
        Outlook(-DECIDED - 1, False),
        Outlook(-2.0, False),
    )
    for better, worse in ((far, won), (near, lost), (near, open_), (open_, won)):
        assert _lost(judgement, better, worse).value == 0
    assert _lost(judgement, won, lost).value == 1
    assert 0 < _lost(judgement, won, open_).value < 1


# FOUND V11
def test_no_reason_is_nothing_whatever_the_facts_are() -> None:
    rng, numbers = Random(1), (-3.0, -0.04, 0.0, 0.04, 1.0, 2.5)
    for gain, answer, turns in product(product(numbers, numbers), product(numbers, numbers), ((2, 2), (3, 2), (1, 3))):
        loss, holds, hidden = rng.choice((0.1, 0.4, 1.0)), rng.random(), rng.random() < 0.5
        found = reasons({"gain": gain, "answer": answer, "turns": turns}, loss, 0.3, holds, hidden=hidden)
        assert len(found) <= MOST
        for about, played_, better in found:
            assert round(played_, 1) != round(better, 1) or about is About.HOLDS
            if about is About.ANSWER:
                assert played_ >= 0.1, "the answer can take something"
                assert played_ > better
            if about is About.HOLDS:
                assert hidden
                assert better > 0.5
    assert not reasons({"gain": (1.0, 1.04), "answer": (0.0, -1.0)}, 0.3, 2.0, 1.0, hidden=False)


# FOUND V11
@pytest.mark.parametrize("game", ["gambo", "ambush", "ambagibus", "abissal"])
def test_a_value_of_one_is_what_the_words_say(game: str) -> None:
    """What it is worth to be first in a round depends on the match's scores only where a match is what counts."""
    for players in range(2, 4 if game in ("ambagibus", "abissal") else 3):
        kind = judgement_of(game)
        if game != "abissal":
            assert kind.stake(players) == "match"
            continue
        worths = set()
        for scores in ((0,) * players, (GOAL[players] - 2,) * players):
            course = Course.begin(Header(game, players))
            for line in played(Header(game, players), 4, 3):
                course = course.after(line, trusted=True)
            judgement: Any = kind(course.state)
            judgement._scores = scores
            worths.add(judgement._worth([judgement.player]))
        assert (len(worths) > 1) == (kind.stake(players) == "match")


def test_a_search_that_is_too_large_says_nothing() -> None:
    assert winners(position_of_gambo(9, 30), 1e-5) == {}
    assert winners(new_match(2, {})) == {}


def test_looking_at_each_agrees_with_the_winners() -> None:
    state = position_of_gambo(13, 32)
    found = winners(state)
    outlooks = look_at_each(judgement_of("gambo")(state), tuple(found), 20_000).by_action
    settled = {action: outlook.won for action, outlook in outlooks.items() if outlook.settled}
    assert settled.items() <= found.items()


# FOUND V11
def test_a_decision_of_an_end_that_is_lost_anyway_is_no_turning_point() -> None:
    lines = played(GAMBO, 9, 31)
    plan = Plan(GAMBO, lines, frozenset({0, 1}))
    knows = plan.known(30)
    found = survey(knows, lines[30].text).as_json()
    for surveyed, verdict in ((found, None), ([lines[30].text, 0.0, False], Verdict.BEST)):
        moment = plan._turned({Step(SURVEY, 30).key: surveyed}, Turn(30, lines[30].player, 5.0))
        assert (None if moment is None else moment.verdict) is verdict
