"""A learner sees nothing hidden in a lesson: another possible position looks the same."""

import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest

from cogs.learn import exercise_pages
from cogs.lessons import lesson_pages
from cogs.lessons.lesson_pages import Learner
from cogs.play.panel_steps import position
from games import GAMES, lessons
from games.lessons import Attempt
from matches.api import Person, PlayerSettings, UserId
from matches.lessons import Standing
from tests.cogs.album import Album, sketch
from tests.cogs.sent import flat

SECRET = [key for key, game in GAMES.items() if game.info.hidden_information]
TRIED: Final = 3
"""How many entries of a page, and wrong answers, are looked at."""

LEARNERS: Final = tuple(
    Learner(Person(UserId(10), "Ann"), settings)
    for settings in (PlayerSettings(), PlayerSettings(large=True, spoiler=True))
)


def attempts(game: str) -> Iterator[Attempt]:
    """Every step of every lesson."""
    for each in lessons.lessons(game):
        attempt = Attempt.begin(each)
        while attempt.step is not None:
            yield attempt
            attempt = attempt.after(attempt.shown)


async def pages(attempt: Attempt, learner: Learner, chosen: random.Random, album: Album) -> AsyncIterator[Any]:
    """What is shown and said before the step is done."""
    standing = Standing(attempt.lesson.game, attempt, 0, frozenset(), frozenset(), None, None)
    yield flat(await lesson_pages.lesson(standing, learner, in_server=True), album)
    sheet = lesson_pages.sheet(standing, attempt, learner)
    view = sheet.view
    yield [move.text for move in view.moves]
    first = position(view, ())
    for entry in chosen.sample(first.entries, min(TRIED, len(first.entries))):
        yield flat(await exercise_pages.page(sheet, entry.path, 0), album)
    wrong = [text for text in (move.text for move in view.moves) if not attempt.answer(text).right]
    for text in (*attempt.tempting, *chosen.sample(wrong, min(TRIED, len(wrong)))):
        answer = attempt.answer(text)
        yield answer
        yield flat(await exercise_pages.answer(sheet, text, answer), album)


@pytest.mark.parametrize("game", SECRET)
async def test_p12_nothing_hidden_in_a_lesson_is_told_to_its_learner(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    album = Album(random.Random(game), 1 / 100)
    sketch(game, album, monkeypatch)
    changed = 0
    for number, attempt in enumerate(attempts(game)):
        learner, seat = LEARNERS[number % len(LEARNERS)], attempt.lesson.seat
        other = replace(attempt, state=attempt.state.resample_from_infostate(seat, random.Random(number)))
        changed += str(other.state) != str(attempt.state)
        told = [each async for each in pages(attempt, learner, random.Random(number), album)]
        told_of_other = [each async for each in pages(other, learner, random.Random(number), album)]
        assert told == told_of_other, f"{attempt.lesson.key}, step {len(attempt.answers) + 1}"
        album.clear()
    assert changed, "nothing was hidden in any lesson"
    assert album.really_drawn
