"""What the pictures of a round's and a match's end show in Ambiente Abissal and Ambagibus."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games.abissal.actions import PASS, laid
from games.abissal.observation import Laid
from games.ambagibus.actions import Play
from games.ambagibus.components import BOMB
from games.ambagibus.observation import AmbagibusObservation
from games.core import CHANCE, Observation
from render import RENDERERS, Style
from render.abissal import board as abissal
from render.canvas import Canvas
from render.story import End, Story
from render.style import MAX_SIDE, USUAL
from tests.conformance.matches import LOGS, SETUPS, Match, Setup, played, recorded
from tests.conformance.policies import POLICIES, Policy, random_play
from tests.render.positions import people
from tests.render.stories import course, scenes_of

MAZES = [setup for setup in SETUPS if setup.key == "ambagibus"]
HANDS = [setup for setup in SETUPS if setup.key == "abissal"]
SMALL = 60_000


@pytest.mark.parametrize("setup", HANDS, ids=str)
def test_a_big_moment_of_abissal_shows_the_cards_that_made_it(setup: Setup) -> None:
    moments = [scene for scene in scenes_of(played(setup, random_play, 2)) if scene.kind == "moment"]
    assert moments
    for scene in moments:
        line, seen = scene.story.course[-1]
        assert abissal.on_the_table(seen)[-1] == Laid(line.player, laid(line.action))


def test_a_trick_that_is_over_is_still_shown_with_whoever_took_it() -> None:
    passed, taken = course(played(HANDS[-1], random_play, 2)), 0
    for (_, before), after in pairwise(passed):
        if after.line.action == PASS and not after.observation.trick:
            marks = RENDERERS["abissal"].marked([after], before)
            plays = [(mark.seat, mark.place) for mark in marks if mark.number < 0]
            assert plays == [(play.player, "+".join(play.cards)) for play in before.trick]
            canvas = RENDERERS["abissal"].paint(after.observation, people(HANDS[-1].players), marks, USUAL)
            assert (1, f"#{after.line.player + 1}") in [(each.number, each.place) for each in canvas.told]
            taken += 1
    assert taken


@pytest.mark.parametrize("players", [2, 3])
def test_the_end_of_abissal_says_in_how_many_rounds_its_winner_was_first(players: int) -> None:
    story = the_end(recorded(LOGS / f"abissal-{players}-players.log"))
    written = [each.text for each in RENDERERS["abissal"].paint_match_end(story, people(players), USUAL).labels]
    (winner,) = story.end.winners
    places = Counter(result.places.index(winner) for result in story.seen.results)
    second = f", second in {places[1]}" if players > 2 and places[1] else ""
    said = f"Out of cards first in {places[0]} of {places.total()} rounds{second}."
    assert any(text.startswith(said) for text in written)


def test_names_are_whole_in_the_plates_of_three() -> None:
    narrow = next(setup for setup in MAZES if setup.players == 3)
    for seed in range(1, 4):
        story = the_end(played(narrow, random_play, seed))
        names = ("Juniper", "Sparrow", "Magpie")
        written = [each.text for each in RENDERERS["ambagibus"].paint_match_end(story, names, USUAL).labels]
        assert set(names) <= set(written)


# FOUND V8
def test_the_cards_at_the_end_of_abissal_stand_under_the_name_of_whoever_had_them() -> None:
    names = ("Juniper", "Ann", "Pebble")
    for scene in scenes_of(recorded(LOGS / "abissal-equal-totals.log")):
        if scene.kind == "round" or (scene.story.end and scene.story.end.by_rules):
            written = [each.text.strip("\u2068").replace("\u2069", "") for each in scene.canvas(names).labels]
            result = scene.story.seen.results[-1]
            assert f"{names[result.places[-2]]}: out with" in written
            assert f"{names[result.places[-1]]}: left in the hand" in written


def the_end(match: Match) -> Story:
    return next(scene.story for scene in scenes_of(match) if scene.kind == "end")


def in_the_maze(canvas: Canvas) -> Counter[str]:
    """How often each text or tile stands in the maze."""
    ((left, top, right, bottom),) = canvas.overviews
    return Counter(what for x, y, (what, _) in canvas.readings if left <= x < right and top <= y < bottom)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", MAZES, ids=str)
def test_the_end_of_a_maze_shows_every_card_and_numbers_every_closed_section(setup: Setup, policy: Policy) -> None:
    assert_whole(setup, policy, [1])


@pytest.mark.soak
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", MAZES, ids=str)
def test_the_ends_of_many_mazes_are_whole_and_small(setup: Setup, policy: Policy) -> None:
    assert_whole(setup, policy, range(2, 40))


def assert_whole(setup: Setup, policy: Policy, seeds: Iterable[int]) -> None:
    for seed in seeds:
        story = the_end(played(setup, policy, seed))
        seen: AmbagibusObservation = story.seen
        canvas = RENDERERS["ambagibus"].paint_match_end(story, people(setup.players), USUAL)
        wanted = Counter(str(number) for sections in seen.closed_sections for number in range(1, len(sections) + 1))
        drawn = in_the_maze(canvas)
        last = seen.last.action if seen.last else None
        crater = 2 if isinstance(last, Play) and last.card == BOMB else 0  # with its frame
        assert drawn.pop("a tile") == len(seen.maze) + crater + 1  # the ground
        assert Counter({what: count for what, count in drawn.items() if what.isdecimal()}) == wanted
        assert canvas.height <= MAX_SIDE
        assert canvas.width == 1200 != canvas.height
        assert len(canvas.png(once=True)) <= SMALL


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_maze_of_hardly_any_card_has_an_end_to_look_at(kept: int) -> None:
    match = recorded(LOGS / "ambagibus-basic-2-players-maze-closed.log")
    seen: list[Any] = [state.observation(None) for state in match.states]
    plies = [ply for ply, each in enumerate(seen) if len(each.maze) == kept]
    story = Story(course(match, max(plies[-1], 1)), End((1,), "{1} wins: {0} has resigned.", by_rules=False))
    for style in (USUAL, Style(600)):
        canvas = RENDERERS["ambagibus"].paint_match_end(story, people(2), style)
        assert style.px(400) < canvas.height <= style.px(MAX_SIDE)


def test_a_third_section_and_several_at_once_are_big_moments() -> None:
    found: Counter[str] = Counter()
    moment = RENDERERS["ambagibus"].moment
    for path in LOGS.glob("ambagibus-*.log"):
        passed = course(recorded(path))
        for before, after in pairwise(passed):
            caption = moment(before.observation, after) or ""
            gained = [now - then for then, now in zip(before.observation.scores, after.observation.scores, strict=True)]
            if after.observation.outcome is not None:
                assert not caption
            elif sum(gained) > 1:
                assert "at once" in caption
                found["several"] += 1
            elif "third" in caption:
                assert sorted(gained)[-1] == 1
                assert after.observation.scores[gained.index(1)] == 3
                found["third"] += 1
            elif "open" in caption:
                assert sum(gained) < 0
                found["bomb"] += 1
    assert min(found[kind] for kind in ("several", "third", "bomb")) > 0


@pytest.mark.parametrize("setup", HANDS, ids=str)
def test_the_end_of_a_round_turns_up_what_was_left_and_the_score_adds_up(setup: Setup) -> None:
    match = played(setup, POLICIES[0], 1)
    draw, names = RENDERERS["abissal"], people(setup.players)
    rounds = 0
    for scene in scenes_of(match):
        if scene.kind != "round":
            continue
        before: Any = match.states[len(scene.story.course) - 1]
        seen, result = scene.story.seen, scene.story.seen.results[-1]
        assert result.left == before.observation(result.places[-1]).hand
        assert result.left
        assert f"hand: {' '.join(result.left)}." in draw.round_words(scene.story, names)
        labels = Counter(placed.text for placed in scene.canvas(names).labels)
        for seat in range(setup.players):
            assert sum(each.points[seat] for each in seen.results) == seen.scores[seat]
            assert labels[str(seen.scores[seat])] >= 1
        rounds += 1
    assert rounds > 1


@pytest.mark.parametrize("setup", HANDS, ids=str)
def test_no_hand_is_turned_up_before_its_round_is_over(setup: Setup) -> None:
    """Not even by the end of the match, if people end it: the picture is the same for any hands."""
    match, draw, names = played(setup, POLICIES[0], 1), RENDERERS["abissal"], people(setup.players)
    rng = Random(str(setup))
    plies = [ply for ply, state in enumerate(match.states) if state.current_player >= 0]
    for ply in rng.sample(plies, 2):
        state: Any = match.states[ply]
        twin = state.resample_from_infostate(None, rng)
        assert any(state.observation(seat).hand != twin.observation(seat).hand for seat in range(setup.players)), (
            "the resampling changed nothing"
        )
        passed = course(match, ply)

        def story(seen: Observation) -> Story:
            end = End((1,), "{1} wins: {0} has resigned.", by_rules=False)
            return Story((*passed[:-1], passed[-1]._replace(observation=seen)), end)  # noqa: B023

        shown, other = story(state.observation(None)), story(twin.observation(None))
        assert draw.draw_end(shown, names) == draw.draw_end(other, names)
        assert draw.end_words(shown, names) == draw.end_words(other, names)
        assert all(len(result.left) for result in shown.seen.results)


def test_going_out_first_and_the_first_last_card_are_big_moments() -> None:
    match = recorded(LOGS / "abissal-3-players.log")
    passed, moment = course(match), RENDERERS["abissal"].moment
    captions = [moment(before.observation, after) or "" for before, after in pairwise(passed)]
    deals = sum(line.player == CHANCE for line, _ in passed) - 1
    assert sum("out first" in caption for caption in captions) == deals
    assert 0 < sum("one card" in caption for caption in captions) <= deals


def test_a_play_that_nothing_beats_is_a_big_moment_in_a_long_trick_only() -> None:
    found = 0
    for seed in range(6):
        match = played(HANDS[-1], POLICIES[0], seed)
        passed = course(match)
        for before, after in pairwise(passed):
            caption = RENDERERS["abissal"].moment(before.observation, after) or ""
            if "Nothing beats" in caption:
                found += 1
                assert len(before.observation.trick) >= 3
                at = passed.index(after)
                # Players who are still in the trick can only pass.
                state: Any = match.states[at + 1]
                if state.observation(None).trick:
                    assert len(state.legal_actions(state.current_player)) == 1
    assert found
