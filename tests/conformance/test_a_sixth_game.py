"""A game that the program doesn't know complies with everything that every game must, once it is brought in."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games import lessons
from games.illustrations import of_game
from tests import sixth
from tests.conformance import test_anything as anything
from tests.conformance import test_what_a_game_brings as brings
from tests.conformance.checks import CHECKS, Check
from tests.conformance.matches import Setup, played, recorded, setups_of
from tests.conformance.policies import POLICIES, Policy
from tests.games import test_lessons as taught
from tests.render import test_illustrate as illustrations
from tests.render import test_reading as reading
from tests.render.looks import LOOKS
from tests.render.reading import READERS
from tests.sixth.bring import KEY, bring
from tests.sixth.look import LOOK
from tests.sixth.reading import legal

FOLDER = Path(sixth.__file__).parent
LOG = FOLDER / "logs" / f"{KEY}-three-players.log"
SETUPS = [Setup(KEY, players, (("most", most),)) for most in ("3", "2") for players in (2, 3)]


@pytest.fixture(autouse=True)
def brought(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(monkeypatch)


def test_all_its_setups_are_looked_at() -> None:
    assert setups_of(KEY) == SETUPS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_played_match_holds_to(setup: Setup, policy: Policy, check: Check) -> None:
    check(played(setup, policy, 0), Random(0))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_recorded_match_holds_to(check: Check) -> None:
    check(recorded(LOG), Random(0))


@pytest.mark.parametrize("room", brings.SHAPE)
def test_it_has_the_modules_that_all_games_have(room: str) -> None:
    brings.check_shape(FOLDER / {"games": "game", "render": "render"}[room], room)


def test_it_brings_what_every_game_brings() -> None:
    brings.test_a_game_is_listed_under_its_own_key(KEY)
    brings.test_refusals_and_choices_are_made_from_the_observation_and_nothing_else(KEY)
    brings.test_a_game_refuses_players_and_options_that_it_does_not_have(KEY)
    brings.test_the_rules_for_people_cover_every_rule_in_short_sections(KEY)
    brings.test_the_rules_for_people_begin_with_the_game_in_five_lines(KEY)
    brings.test_a_rule_leads_to_its_game_by_the_letter_before_its_number()
    brings.check_rules_are_tested(KEY, [FOLDER / "test_rules.py"])


def test_its_lessons_hold_to_all_that_lessons_must() -> None:
    assert brings.has_lessons(KEY)
    taught.test_a_course_has_five_to_eight_lessons(KEY)
    taught.test_every_rule_that_a_player_can_break_is_met_in_a_lesson(KEY)
    for lesson in lessons.lessons(KEY):
        taught.test_a_lesson_is_true_by_the_rules(lesson)
        taught.test_every_text_fits_and_names_rules_only_where_they_are_shown(lesson)
        taught.test_whatever_is_right_leads_through_the_lesson_and_nothing_else_does(lesson)
    taught.test_whoever_knows_only_the_course_plays_matches_and_breaks_no_rule_that_it_has_not_shown(KEY)


def test_its_golden_log_replays_to_its_recorded_result(capsys: pytest.CaptureFixture[str]) -> None:
    brings.test_a_golden_log_replays_to_its_recorded_result(LOG, capsys)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_its_words_are_enough_to_play_by(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, KEY, legal)
    reading.test_p24_the_words_are_enough_to_play_by(setup)


def test_what_lies_elsewhere_is_missed() -> None:
    with pytest.raises(AssertionError, match=f"{KEY} lacks a renderer in render/{KEY}/; a cog in cogs/{KEY}.py; tests"):
        brings.test_a_game_has_renderer_cog_tests_rules_page_and_golden_log(KEY)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_pictures_and_words_show_nobody_what_they_cannot_know(setup: Setup) -> None:
    match, rng = played(setup, POLICIES[0], 1), Random(1)
    for ply in match.some_plies(rng, 6):
        for viewer in match.viewers:
            state = match.states[ply]
            other = state.resample_from_infostate(viewer, rng)
            true, possible = (anything.shown(match, each.observation(viewer)) for each in (state, other))
            assert possible == true


def test_its_page_is_illustrated_by_positions_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOOKS, KEY, LOOK)
    asked = [each for each in illustrations.all_illustrations() if each[0] == KEY]
    assert [shown for *_, shown in asked] == list(of_game(KEY))
    assert len(asked) == 2
    for each in asked:
        illustrations.test_what_is_said_to_be_allowed_or_not_is(*each)
        illustrations.test_what_is_pointed_out_is_on_the_picture(*each)
        illustrations.test_the_words_say_what_is_on_the_picture(*each)
        illustrations.test_a_picture_shows_nothing_that_its_viewer_could_not_see(*each)
