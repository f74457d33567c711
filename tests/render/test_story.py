"""The pictures of big moments, rounds and ends: right in size, legible, whole, and true of who has won (P11)."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from random import Random
from statistics import median

import pytest

from games import GAMES
from games.core import Observation, Played
from games.gambo.actions import Duel
from games.gambo.observation import totals
from games.gambo.state import GamboState, new_match
from render import RENDERERS, Style, fonts
from render.ambush import finale as ambush
from render.canvas import Canvas
from render.gambo import finale
from render.grammar import MAX_ALT_TEXT
from render.palette import INK, PAPER
from render.sentences import fitted, seats, told
from render.story import End, Passed, Story
from render.style import MAX_SIDE
from tests.conformance.matches import LOGS, SETUPS, Setup, played, recorded
from tests.conformance.policies import prolonging_play, random_play
from tests.render.positions import KEYS, people
from tests.render.stories import Scene, extremes, scenes, scenes_of
from tests.render.test_labels import HOSTILE, assert_legible
from tests.render.test_legibility import SMALLEST, too_small
from tests.render.test_pictures import MAX_BYTES, USUAL_BYTES


@lru_cache(maxsize=8)
def of(key: str) -> list[tuple[Scene, tuple[str, ...]]]:
    """The scenes of a game, with names as long as the host allows."""
    found = [scene for setup in extremes(key) for scene in scenes(setup)]
    return [(scene, people(scene.story.seen.players)) for scene in found]


@pytest.mark.parametrize("key", KEYS)
def test_p21_pictures_of_big_moments_are_of_the_right_size_and_small(key: str) -> None:
    sizes = []
    for scene, names in of(key):
        canvas = scene.canvas(names)
        assert canvas.height != canvas.width == 1200
        assert canvas.height <= MAX_SIDE
        sizes.append(len(canvas.png(once=scene.kind != "moment")))
    assert median(sizes) <= USUAL_BYTES
    assert max(sizes) <= MAX_BYTES


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nothing_on_them_is_covered_cut_or_too_small(setup: Setup) -> None:
    for number, scene in enumerate(scenes(setup)):
        hostile = number % 2 == 0
        names = (HOSTILE[number % 5 :] + HOSTILE)[: setup.players] if hostile else people(setup.players)
        for style in (Style(1200), Style(600)):
            canvas = scene.canvas(names, style)
            assert_legible(canvas, f"{scene.kind} {number} of {setup}")
            assert hostile or style.width < 900 or not too_small(canvas), SMALLEST


@pytest.mark.parametrize("key", KEYS)
def test_p24_their_words_fit_and_say_what_they_are_about(key: str) -> None:
    for scene, names in of(key):
        words = scene.words(names)
        assert 0 < len(words) <= MAX_ALT_TEXT
        if scene.caption or (scene.story.end is not None and not scene.story.end.by_rules):
            assert scene.sentence(names) in words


@pytest.mark.parametrize("key", KEYS)
def test_the_headline_is_on_the_picture_whole_but_for_names(key: str) -> None:
    """Only long names are shortened, nothing else."""
    for scene, names in of(key):
        sentence = scene.caption or (scene.story.end.headline if scene.story.end is not None else "")
        by_rules = scene.story.end is None or scene.story.end.by_rules
        has_end = scene.renderer.paint_end is not None and scene.renderer.eventful(scene.story.seen)
        if scene.kind == "round" or (by_rules and not has_end):
            continue
        written = " ".join(placed.text for placed in scene.canvas(names).labels)
        for word in sentence.split():
            assert "{" in word or word in written, (word, written)


@pytest.mark.parametrize("key", KEYS)
def test_the_seat_that_has_won_is_shown_as_the_winner_however_the_match_ended(key: str) -> None:
    """After a resignation the picture used to say that the loser chooses a side."""
    scene = next(each for each, _ in of(key) if each.story.end is not None and each.story.end.winners == (1,))
    seen: Observation = scene.story.seen
    assert seen.outcome.winners == (1,)
    assert seen.current_player < 0
    resigned = next(each for each, _ in of(key) if each.story.end is not None and not each.story.end.by_rules)
    seen, names = resigned.story.seen, people(resigned.story.seen.players)
    for text in (RENDERERS[key].alt_text(seen, names), RENDERERS[key].text_board(seen, names)):
        assert "The match is over: nobody wins." in text
        assert "’s turn" not in text


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nothing_hidden_changes_the_picture_of_a_round_or_a_big_moment(setup: Setup) -> None:
    """They are posted while the match goes on. So is the caption, and what it says is known to everybody."""
    if not GAMES[setup.key].info.hidden_information:
        return
    for policy in (random_play, prolonging_play):
        match, names = played(setup, policy, 1), people(setup.players)
        for scene in scenes_of(match):
            if scene.kind == "end":
                continue
            *course, last = scene.story.course
            ply = len(course)
            before, after = (state.resample_from_infostate(None, Random(ply)) for state in match.states[ply : ply + 2])
            imagined = Passed(last.line, after.observation(None))
            if scene.caption:
                assert scene.renderer.moment(before.observation(None), imagined) == scene.caption
            retold = scene._replace(story=Story((*course, imagined)))
            assert retold.canvas(names).png() == scene.canvas(names).png()
            assert retold.words(names) == scene.words(names)


def scenes_of_log(name: str) -> list[Scene]:
    return list(scenes_of(recorded(LOGS / f"{name}.log")))


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("gambo-forced-pass", "3 : 13 behind after 5 duels, then won four in a row."),
        ("gambo-sacrifices", "9 : 15 behind after 5 duels."),
        ("gambo-equal-totals", "Duel 9: "),
        ("ambush-order-of-captures", "Never behind; three captured in turn 9."),
        ("ambush-draw", "8 pips each."),
    ],
)
def test_the_end_is_told_as_it_came_about(log: str, words: str) -> None:
    scene = next(each for each in scenes_of_log(log) if each.kind == "end")
    assert words in scene.words(("Ann", "Bob"))


@pytest.mark.parametrize(
    ("log", "captions"),
    [
        ("gambo-forced-pass", ["Bob wins the last duel: 9 points, and 4 more!"]),
        ("ambush-order-of-captures", ["Bob captures three: 5 pips!"]),
        ("ambush-draw", []),
    ],
)
def test_big_moments_are_found_where_they_were(log: str, captions: list[str]) -> None:
    found = [each.sentence(("Ann", "Bob")) for each in scenes_of_log(log) if each.kind == "moment"]
    assert found == captions


def test_high_piles_of_captured_pyramids_stand_closer_so_that_the_picture_is_not_too_high() -> None:
    few = ambush.Course(((3, 0),), ((("S", "M"), ()),))
    many = ambush.Course(((30, 30),), ((("L",) * 12, ("L",) * 12),))
    for width in (600, 1200):
        style = Style(width)
        assert ambush.piles_of(few, style, style.px(700)).most == ambush.piles_of(many, style, style.px(900)).most
        piles = ambush.piles_of(many, style, style.px(520))
        assert piles.most < ambush.piles_of(few, style, style.px(520)).most
        assert piles.above + piles.below <= style.px(520)


def test_taking_the_lead_after_being_far_behind_is_a_big_moment() -> None:
    match = played(Setup("gambo", 2), random_play, 1)
    line, begun, after = next(
        (Played(player, action), new_match(2, {}).observation(None), state.observation(None))
        for _, player, action, state in match.moves()
        if isinstance(action, Duel) and isinstance(state, GamboState) and 1 < len(state.duels) < 9
    )
    won = after.duels[-1]
    duels = (won._replace(winner=1 - won.winner, points=7), won._replace(points=9))
    scores = tuple(9 if seat == won.winner else 7 for seat in range(2))
    before = replace(begun, scores=tuple(0 if seat == won.winner else 7 for seat in range(2)), duels=duels[:1])
    now = replace(after, scores=scores, duels=duels)
    assert finale.moment(before, Passed(line, now)) == f"{{{won.winner}}} takes the lead, after 0 : 7!"
    close = replace(now, duels=(duels[0]._replace(points=5), duels[1]))
    assert finale.moment(before, Passed(line, close)) is None
    # They lead again, after being one point behind: the 0 : 7 before their first lead is past.
    twice = replace(now, duels=(*duels, duels[0]._replace(points=3), won._replace(points=2)))
    assert totals(twice.duels)[-1][won.winner] == 11
    twice = replace(twice, scores=totals(twice.duels)[-1])
    behind = replace(before, scores=totals(twice.duels)[-2], duels=twice.duels[:-1])
    assert finale.moment(behind, Passed(line, twice)) is None


def test_a_story_ends_as_people_have_ended_it() -> None:
    scene = next(each for each, _ in of("gambo") if each.kind == "end" and each.story.end and each.story.end.by_rules)
    middle = scene.story.course[:9]
    assert Story(middle).seen == middle[-1].observation
    closed = Story(middle, End((1,), "{1} wins: {0} has resigned.", by_rules=False)).seen
    assert closed.outcome.winners == (1,)
    assert closed.scores == middle[-1].observation.scores
    assert scene.story.seen == scene.story.course[-1].observation


def test_a_sentence_is_broken_between_words_and_only_names_are_shortened() -> None:
    sentence = "{0} wins 26 : 14, after 4 : 14: {1} has resigned."
    names = ("W" * 32, "Bob")
    for room in (1100, 900, 700):
        lines, size = fitted(sentence, names, (60, 48), room, 180)
        assert len(lines) <= 2
        assert all(fonts.width(line, size) <= room for line in lines)
        for word in sentence.split():
            assert "{" in word or word in " ".join(lines)
    whole = fitted(sentence, ("Ann", "Bob"), (60, 48), 1100, 180)
    assert whole.size == 60
    assert "".join(c for c in " ".join(whole.lines) if c.isprintable()) == told(sentence, ("Ann", "Bob"))
    spaced = fitted("{0} wins.", ("Ann the Great and Terrible",), (60,), 500, 270)
    assert all("Ann" not in line or "{" not in line for line in spaced.lines)


def test_the_names_of_a_sentence_are_put_in_by_seat() -> None:
    assert told("{1} beats {0}.", seats(2)) == "{1} beats {0}."
    assert told("{1} beats {0}.", ("Ann", "{0}")) == "{0} beats Ann."


def test_what_is_covered_is_no_longer_counted_as_written() -> None:
    canvas = Canvas(900, 300, INK)
    canvas.text(100, 50, "gone", 27, PAPER, INK)
    canvas.text(100, 200, "stays", 27, PAPER, INK)
    canvas.cover(0, 0, 900, 144)
    assert Counter(placed.text for placed in canvas.labels) == {"stays": 1}
    assert [reading.what for *_, reading in canvas.readings] == ["stays"]
