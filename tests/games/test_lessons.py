"""Lessons are compared with the rules: their tasks are possible, their wrong answers wrong, and they
cover every rule.
"""

import ast
import re
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from games import GAMES, lessons
from games.core import CHANCE, InvalidAction
from games.exercise import typed_action
from games.lessons import Attempt, Lesson, LessonError
from games.typed import fold

BEFORE, WORDS, TITLE = 600, 400, 50
"""Most characters of a task, of an answer and of a title: with a heading they fit a message and a phone."""

EVERY = [lesson for key in GAMES for lesson in lessons.lessons(key)]


def refused_by(key: str) -> set[str]:
    """The rules by which a game's program refuses something to a player, read from its source."""
    folder = Path(
        import_module(type(GAMES[key].new_initial_state(GAMES[key].info.min_players)).__module__).__file__ or ""
    )
    found = set[str]()
    for path in folder.parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Refusal"), args=[ast.Constant(value=str(rule)), *_]):
                    found.add(rule)
    return found


@pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.game}-{lesson.key}")
def test_a_lesson_is_true_by_the_rules(lesson: Lesson) -> None:
    assert not lessons.problems(lesson)


@pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.game}-{lesson.key}")
def test_nobody_is_praised_who_was_only_shown_the_answer(lesson: Lesson) -> None:
    """A step's text `right` is also shown after **Show me**."""
    praise = re.compile(
        r"\b(well (done|placed|played|sacrificed|used)|brilliant|bravo|perfect|great|nice)\b", re.IGNORECASE
    )
    assert not [step.right for step in lesson.steps if praise.search(step.right)]


def test_the_first_lesson_of_ambagibus_has_no_codes() -> None:
    steps = lessons.lessons("ambagibus")[0].steps
    said = [text for step in steps for text in (step.before, step.right, *(wrong.words for wrong in step.wrong))]
    assert not [text for text in said if re.search(r"`|\bcode|\d", text)]
    assert "Roman numeral" in steps[0].before
    assert "has to go" in steps[0].before, "and why that place"


def test_ambush_begins_without_compass_words() -> None:
    steps = [step for lesson in lessons.lessons("ambush")[:2] for step in lesson.steps]
    assert not [step for step in steps if re.search(r"(north|south)-(east|west)", " ".join((step.before, step.right)))]


@pytest.mark.parametrize("key", GAMES)
def test_a_course_has_five_to_eight_lessons(key: str) -> None:
    assert 5 <= len(lessons.lessons(key)) <= 8


@pytest.mark.parametrize("key", GAMES)
def test_every_rule_that_a_player_can_break_is_met_in_a_lesson(key: str) -> None:
    shown = {rule for lesson in lessons.lessons(key) for rule in lesson.rules}
    missing = refused_by(key) - shown
    assert not missing, f"No lesson of {key} shows {sorted(missing)}."


@pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.game}-{lesson.key}")
def test_every_text_fits_and_names_rules_only_where_they_are_shown(lesson: Lesson) -> None:
    assert re.fullmatch(r"[a-z][a-z-]{1,19}", lesson.key)
    assert len(lesson.title) <= TITLE
    for step in lesson.steps:
        assert len(step.before) <= BEFORE
        said = [step.right, step.otherwise, *(wrong.words for wrong in step.wrong)]
        assert all(0 < len(words) <= WORDS for words in said)


def known_from(key: str) -> set[str]:
    """Actions to do or try that somebody has seen in the lessons of a game."""
    known = set[str]()
    for lesson in lessons.lessons(key):
        attempt = Attempt.begin(lesson)
        while attempt.step is not None:
            legal = attempt.state.legal_actions(lesson.seat)
            known.update(attempt.tempting, map(attempt.state.action_to_string, legal))
            attempt = attempt.after(attempt.shown)
    return known


@pytest.mark.parametrize("key", GAMES)
def test_whoever_knows_only_the_course_plays_matches_and_breaks_no_rule_that_it_has_not_shown(key: str) -> None:
    assert sum(refusals(key, seed) for seed in range(3)) or any(refusals(key, seed) for seed in range(3, 30))


def refusals(key: str, seed: int) -> int:
    """Play a match and count the refusals; each is by a rule that a lesson shows.

    Players try what they have seen in the lessons and in the match, whether or not it is possible now.
    """
    game, rng = GAMES[key], Random(seed)
    shown = {rule for lesson in lessons.lessons(key) for rule in lesson.rules}
    options = {option.name: option.values[seed % len(option.values)] for option in game.info.options}
    players = game.info.min_players + seed % (game.info.max_players - game.info.min_players + 1)
    state, known, refused = game.new_initial_state(players, options), known_from(key), 0
    while not state.is_terminal:
        seat = state.current_player
        if seat == CHANCE:
            state = state.child(seat, state.sample_chance(rng))
            continue
        legal = {state.action_to_string(action): action for action in state.legal_actions(seat)}
        played = rng.choice(sorted(legal))
        for text in rng.sample(sorted(known), min(len(known), 5)):
            if text in legal:
                played = text
                break
            try:
                action = state.string_to_action(seat, text)
            except InvalidAction:
                continue
            refusal = state.why_illegal(seat, action)
            assert refusal.rule is None or refusal.rule in shown, f"{text}: {refusal}"
            refused += 1
        known.update(legal)
        state = state.apply_action(seat, legal[played])
    return refused


@pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.game}-{lesson.key}")
def test_whatever_is_right_leads_through_the_lesson_and_nothing_else_does(lesson: Lesson) -> None:
    """Gives random answers, legal and tempting ones: the right ones lead on, the others leave the
    position unchanged.
    """
    rng, attempt = Random(lesson.key), Attempt.begin(lesson)
    while attempt.step is not None:
        state = attempt.state
        legal = [state.action_to_string(action) for action in state.legal_actions(lesson.seat)]
        texts = [*rng.sample(legal, min(len(legal), 12)), *attempt.tempting, attempt.shown]
        for text in texts:
            answer = attempt.answer(text)
            assert answer.words
            if not answer.right:
                again = Attempt.resume(lesson, (*attempt.answers, text))
                assert again.answers == (), "an answer that isn't right is not gone on from"
        attempt = attempt.after(rng.choice([text for text in texts if attempt.answer(text).right]))
        assert Attempt.resume(lesson, attempt.answers) == attempt
    assert attempt.state.current_player >= CHANCE or attempt.state.is_terminal
    with pytest.raises(LessonError):
        attempt.answer(lesson.steps[-1].shown)


@pytest.mark.parametrize("lesson", EVERY, ids=lambda lesson: f"{lesson.game}-{lesson.key}")
def test_what_tempts_is_understood_however_it_is_typed(lesson: Lesson) -> None:
    attempt = Attempt.begin(lesson)
    while (step := attempt.step) is not None:
        legal = legal_texts(attempt)
        for text in attempt.tempting:
            # Texts that differ only by case must be typed as they are written, so they are left out.
            if sum(fold(other) == fold(text) for other in (*attempt.tempting, *legal)) == 1:
                assert typed_action(attempt, f"`{text.swapcase()}`") == text
                assert typed_action(attempt, " ".join(text)) == text
        attempt = attempt.after(step.shown)


def legal_texts(attempt: Attempt) -> list[str]:
    """The canonical texts of all legal actions in a lesson now."""
    return [attempt.state.action_to_string(each) for each in attempt.state.legal_actions(attempt.lesson.seat)]
