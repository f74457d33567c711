"""People's progress in lessons: only in the store, each person's own, and never lost by a new version."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from db import Database
from games import GAMES, lessons
from matches.api import Host, ManualClock, NotFound, Refused, Stale
from matches.lessons import LessonPage, Lessons, Standing
from matches.records.exercise_view import preview, view
from tests.matches.tables import PEOPLE, Hosted, Seeds, dump, raised

ANN, BOB = (person.user_id for person in PEOPLE[:2])
GAME = "ambush"
OTHERS = tuple(person.name for person in PEOPLE)

FILE = GAMES[GAME].rules.joinpath("lessons", f"{GAME}.toml")
LESSON = """
[[lesson]]
key = "{key}"
title = "{key}"
rules = ["B2"]
position = "ambush-place"
ply = 4

[[lesson.step]]
before = "Build."
actions = ["{right}"]
right = "Built."
then = ["1 SA1"]

[[lesson.step]]
before = "Build more."
actions = ["SC2", "SD2"]
right = "Well built."

[[lesson.step.wrong]]
actions = ["SE2"]
rule = "B2"
words = "That's your opponent's."
"""

Teach = Callable[..., None]


@pytest.fixture
def teach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Teach]:
    """Replace the game's course by lessons with these keys and these right answers to their first steps."""
    folder = tmp_path / "rules"
    (folder / "lessons").mkdir(parents=True)
    (folder / "positions").symlink_to(str(FILE.parent.parent / "positions"))
    monkeypatch.setitem(GAMES, GAME, replace(GAMES[GAME], rules=folder))

    def written(*keys: str, right: str = "SB2") -> None:
        text = "".join(LESSON.format(key=key, right=right) for key in keys)
        (folder / "lessons" / f"{GAME}.toml").write_text(text, "utf-8")
        lessons.lessons.cache_clear()

    written("one", "two", "three")
    yield written
    lessons.lessons.cache_clear()


def where(standing: Standing) -> tuple[str, int] | None:
    """The lesson that somebody is in, and how many of its steps are done."""
    attempt = standing.attempt
    return None if attempt is None else (attempt.lesson.key, len(attempt.answers))


async def answer(host: Host, text: str) -> Standing:
    """Ann answers her current step. Return where she is then."""
    turn = (await host.part(Lessons).standing(ANN, GAME)).turn
    await host.part(Lessons).answer(LessonPage(ANN, GAME, turn), text)
    return await host.part(Lessons).standing(ANN, GAME)


async def finish(host: Host, lessons: int = 1) -> Standing:
    for _ in range(lessons):
        await answer(host, "SB2")
        await answer(host, "SC2")
    return await host.part(Lessons).standing(ANN, GAME)


async def test_right_answers_lead_on_and_are_there_after_a_restart(host: Hosted, teach: Teach) -> None:
    before = await host.part(Lessons).standing(ANN, GAME)
    assert (where(before), before.number, before.begun) == (("one", 0), 1, False)
    assert where(await answer(host, "SB2")) == ("one", 1)
    again = Host(host.database, host.clock, Seeds())
    standing = await again.part(Lessons).standing(ANN, GAME)
    assert where(standing) == ("one", 1)
    assert standing.attempt.answers == ("SB2",)
    assert where(await answer(again, "SD2")) == ("two", 0)


async def test_a_wrong_answer_is_told_and_keeps_nothing(host: Host, database: Database, teach: Teach) -> None:
    await answer(host, "SB2")
    kept = await dump(database)
    for text, legal in (("SE2", False), ("SC1", True), ("LC2", False)):
        tried = await host.part(Lessons).answer(LessonPage(ANN, GAME, 1, 7), text)
        assert not tried.answer.right
        assert tried.answer.legal == legal
        assert tried.answer.words
    await raised(Refused, host.part(Lessons).answer(LessonPage(ANN, GAME, 1), "nonsense"))
    assert await dump(database) == kept


async def test_a_press_that_is_delivered_twice_counts_once_and_is_answered_alike(host: Host, teach: Teach) -> None:
    for turn, text in enumerate(("SB2", "SC2")):
        first = await host.part(Lessons).answer(LessonPage(ANN, GAME, turn, 50 + turn), text)
        second = await host.part(Lessons).answer(LessonPage(ANN, GAME, turn, 50 + turn), text)
        assert first.answer == second.answer
        assert where(first.before) == where(second.before)
        assert (await host.part(Lessons).standing(ANN, GAME)).turn == turn + 1
    for number, press in enumerate(
        (host.part(Lessons).skip, host.part(Lessons).start_over, host.part(Lessons).go_back), 60
    ):
        turn = (await host.part(Lessons).standing(ANN, GAME)).turn
        first_of, second_of = [await press(LessonPage(ANN, GAME, turn, number)) for _ in range(2)]
        assert where(first_of) == where(second_of)
        assert first_of.turn == second_of.turn == turn + 1


async def test_of_two_presses_at_once_one_counts(host: Host, teach: Teach) -> None:
    presses = (host.part(Lessons).answer(LessonPage(ANN, GAME, 0, number), "SB2") for number in range(5))
    results = await asyncio.gather(*presses, return_exceptions=True)
    assert sum(isinstance(result, Stale) for result in results) == 4
    assert where(await host.part(Lessons).standing(ANN, GAME)) == ("one", 1)


async def test_an_older_page_changes_nothing(host: Host, database: Database, teach: Teach) -> None:
    await finish(host)
    kept = await dump(database)
    for old in (0, 1):
        for press in (host.part(Lessons).skip, host.part(Lessons).start_over, host.part(Lessons).go_back):
            await raised(Stale, press(LessonPage(ANN, GAME, old, 9)))
        await raised(Stale, host.part(Lessons).answer(LessonPage(ANN, GAME, old, 9), "SB2"))
    assert await dump(database) == kept


async def test_what_is_left_out_is_not_asked_again_until_somebody_goes_back_to_it(host: Hosted, teach: Teach) -> None:
    assert where(await host.part(Lessons).skip(LessonPage(ANN, GAME, 0))) == ("two", 0)
    standing = await finish(host, 2)
    assert where(standing) is None
    assert standing.skipped == {"one"}
    assert await host.part(Lessons).learnt(ANN) == {}
    assert where(await host.part(Lessons).skip(LessonPage(ANN, GAME, standing.turn))) is None
    assert where(await host.part(Lessons).go_back(LessonPage(ANN, GAME, standing.turn))) == ("one", 0)
    standing = await finish(host)
    assert (where(standing), standing.skipped) == (None, frozenset())
    assert await host.part(Lessons).learnt(ANN) == {GAME: host.clock.now()}


async def test_a_course_can_be_done_again_and_stays_finished(host: Host, clock: ManualClock, teach: Teach) -> None:
    standing, first = await finish(host, 3), clock.now()
    clock.advance(timedelta(days=1))
    assert where(await host.part(Lessons).start_over(LessonPage(ANN, GAME, standing.turn))) == ("one", 0)
    await finish(host, 3)
    assert await host.part(Lessons).learnt(ANN) == {GAME: first}


async def test_a_lesson_that_has_changed_begins_again_and_one_that_is_gone_gives_way(host: Host, teach: Teach) -> None:
    await finish(host)
    assert where(await answer(host, "SB2")) == ("two", 1)
    teach("one", "two", "three", right="SA2")
    assert where(await host.part(Lessons).standing(ANN, GAME)) == ("two", 0)
    teach("one", "three")
    assert where(await host.part(Lessons).standing(ANN, GAME)) == ("three", 0)
    teach("new", "one", "three")
    standing = await host.part(Lessons).standing(ANN, GAME)
    assert where(standing) == ("new", 0)
    assert standing.done == {"one"}
    teach("one")
    assert where(await host.part(Lessons).standing(ANN, GAME)) is None


async def test_everybody_has_a_course_of_their_own(host: Host, teach: Teach) -> None:
    await finish(host)
    assert where(await host.part(Lessons).standing(BOB, GAME)) == ("one", 0)
    begun = {standing.game for standing in await host.part(Lessons).courses(ANN) if standing.begun}
    assert begun == {GAME}
    assert not any(standing.begun for standing in await host.part(Lessons).courses(BOB))


async def test_there_are_no_lessons_of_what_is_no_game(host: Host) -> None:
    await raised(NotFound, host.part(Lessons).standing(ANN, "chess"))
    await raised(NotFound, host.part(Lessons).skip(LessonPage(ANN, "chess")))


async def test_what_can_be_tried_stands_among_what_is_legal_and_shows_nothing(host: Host, teach: Teach) -> None:
    standing = await answer(host, "SB2")
    assert standing.attempt is not None
    seen = view(standing.attempt, PEOPLE[0], OTHERS, await host.settings.player_settings(ANN))
    legal = [move.text for move in seen.moves]
    assert "SE2" in legal
    assert "SE2" not in legal[:1] + legal[-1:]
    assert await preview(standing.attempt, "SE2") is None
    assert await preview(standing.attempt, "SC2") is not None
