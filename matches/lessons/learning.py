"""The part of the host for lessons: teaches those of `games/lessons.py`.

Progress is stored by `db/lessons/kept.py`.

A lesson is no match: nobody else takes part, and only its progress is stored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from db import Connection
from db.lessons import kept as store
from db.lessons.kept import LessonsRow
from db.model.ids import UserId
from games import GAMES, lessons
from games.exercise import Answer
from games.lessons import Attempt, Lesson
from matches.errors import NotFound, Stale, by_the_rules
from matches.work.part import FeaturePart

OUT_OF_DATE: Final = "That was an older page of your lessons, so nothing happened."


class Standing(NamedTuple):
    """How far a person is in the lessons of a game.

    `attempt`: the lesson that they are in, ``None`` at the end of the course. `turn` rises with everything they do.
    `done`, `skipped` and `shown` (**Show me** has played an answer): keys of lessons. `press`: the id of the
    interaction that was stored last.
    """

    game: str
    attempt: Attempt | None
    turn: int
    done: frozenset[str]
    skipped: frozenset[str]
    press: int | None
    finished_at: datetime | None
    shown: frozenset[str] = frozenset()

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons of the game, in order."""
        return lessons.lessons(self.game)

    @property
    def number(self) -> int:
        """The number of this lesson in the course, from 1. At the end it's the number of the last one."""
        if self.attempt is None:
            return len(self.lessons)
        return [each.key for each in self.lessons].index(self.attempt.lesson.key) + 1

    @property
    def begun(self) -> bool:
        """Whether the person has done or skipped anything in the course as it is now."""
        return bool(self.done or self.skipped or (self.attempt is not None and self.attempt.answers))

    @property
    def is_under_way(self) -> bool:
        """Whether the course is begun and not at its end."""
        return self.begun and self.attempt is not None


class LessonPage(NamedTuple):
    """A page of a person's lessons, on which they press something.

    `turn` is that of the `Standing` which the page shows (``None``: the latest). An interaction changes a course once.
    """

    user_id: UserId
    game: str
    turn: int | None = None
    interaction_id: int | None = None


class Tried(NamedTuple):
    """An action that somebody has tried: where they were before, its canonical `text`, and the answer to it."""

    before: Standing
    text: str
    answer: Answer


class Lessons(FeaturePart):
    """Where people are in their lessons, and what they do there. All of it raises Unavailable.

    A press on an older `LessonPage` raises Stale.
    """

    async def standing(self, user_id: UserId, game: str) -> Standing:
        """Return how far this person is in a game. Raises NotFound for an unknown game."""
        _check(game)
        return _standing(game, await self._work.read(store.get, user_id, game))

    async def courses(self, user_id: UserId) -> tuple[Standing, ...]:
        """Return how far this person is in every game."""
        rows = await self._work.read(store.of_person, user_id)
        return tuple(_standing(game, rows.get(game, store.NOT_BEGUN)) for game in GAMES)

    async def meant(self, user_id: UserId, game: str) -> str:
        """Return how to go on with the lessons of a game that are under way."""
        here = await self.standing(user_id, game)
        return f"For your lesson, use `/learn game:{game}`." if here.is_under_way else ""

    async def learnt(self, user_id: UserId) -> dict[str, datetime]:
        """Return when this person finished the lessons of each game, in alphabetical order. Others are left out."""
        rows = await self._work.read(store.of_person, user_id)
        found = {game: row.finished_at for game, row in sorted(rows.items()) if game in GAMES}
        return {game: at for game, at in found.items() if at is not None}

    async def answer(self, page: LessonPage, text: str, *, shown: bool = False) -> Tried:
        """Try the action with this canonical text. Only a right answer is stored. Raises NotFound, Stale, Refused.

        `shown`: the person was shown it and didn't find it.
        """
        before = await self.standing(page.user_id, page.game)
        attempt = before.attempt
        repeated = page.interaction_id is not None and before.press == page.interaction_id
        if repeated:
            attempt = await self._work.read(_before_the_last, page.user_id, page.game)
            before = before._replace(attempt=attempt)
        elif page.turn is not None and page.turn != before.turn:
            raise Stale(OUT_OF_DATE)
        if attempt is None or attempt.step is None:
            raise Stale(OUT_OF_DATE)
        with by_the_rules():
            answer = attempt.answer(text)
        if answer.right and not repeated:
            lesson, after = attempt.lesson.key, attempt.after(text)
            over = {lesson} if after.step is None else set()

            def answered(row: LessonsRow) -> LessonsRow:
                skipped = tuple(key for key in row.skipped if key not in over)
                seen = _with(row.shown, lesson) if shown else row.shown
                done = _with(row.done, *over)
                return replace(row, lesson=lesson, answers=after.answers, done=done, skipped=skipped, shown=seen)

            await self._change(page._replace(turn=before.turn), answered)
        return Tried(before, text, answer)

    async def skip(self, page: LessonPage) -> Standing:
        """Skip the lesson that this person is in. Returns where they are then. Raises NotFound and Stale."""
        before = await self.standing(page.user_id, page.game)
        if before.attempt is None:
            return before
        key = before.attempt.lesson.key
        page = page._replace(turn=before.turn if page.turn is None else page.turn)
        return await self._change(
            page, lambda row: replace(row, lesson=None, answers=(), skipped=_with(row.skipped, key))
        )

    async def go_back(self, page: LessonPage) -> Standing:
        """Go back to the skipped lessons. Returns where this person is then. Raises NotFound and Stale."""
        return await self._change(page, lambda row: replace(row, lesson=None, answers=(), skipped=()))

    async def start_over(self, page: LessonPage) -> Standing:
        """Begin the course anew. The store still knows that it was finished once. Raises NotFound and Stale."""
        return await self._change(
            page, lambda row: replace(row, lesson=None, answers=(), done=(), skipped=(), shown=())
        )

    async def _change(self, page: LessonPage, change: Callable[[LessonsRow], LessonsRow]) -> Standing:
        user_id, game, turn, interaction_id = page
        _check(game)

        def work(connection: Connection) -> LessonsRow:
            row = store.get(connection, user_id, game, lock=True)
            if interaction_id is not None and row.press == interaction_id:
                return row
            if turn is not None and row.turn != turn:
                raise Stale(OUT_OF_DATE)
            row = replace(change(row), turn=row.turn + 1, press=interaction_id)
            if row.finished_at is None and {each.key for each in lessons.lessons(game)} <= {*row.done}:
                row = replace(row, finished_at=self._work.now())
            store.put(connection, user_id, game, row)
            return row

        return _standing(game, await self._work.write(work, idempotent=interaction_id is not None))


def _check(game: str) -> None:
    """Raises NotFound for an unknown game."""
    if game not in GAMES:
        raise NotFound("There are no lessons for that. `/learn` shows which there are.")


def _standing(game: str, row: LessonsRow) -> Standing:
    """Return what a stored row says, without lessons that the course no longer has."""
    keys = {each.key for each in lessons.lessons(game)}
    done, skipped = keys.intersection(row.done), keys.intersection(row.skipped).difference(row.done)
    left = [each for each in lessons.lessons(game) if each.key not in done | skipped]
    here = next((each for each in left if each.key == row.lesson), None)
    attempt = Attempt.resume(here, row.answers) if here is not None else None
    if attempt is None and left:
        attempt = Attempt.begin(left[0])
    shown = keys.intersection(row.shown)
    return Standing(
        game, attempt, row.turn, frozenset(done), frozenset(skipped), row.press, row.finished_at, frozenset(shown)
    )


def _before_the_last(connection: Connection, user_id: UserId, game: str) -> Attempt | None:
    """Return the lesson in which this person last answered, as it was before that answer."""
    row = store.get(connection, user_id, game)
    lesson = None if row.lesson is None else lessons.lesson(game, row.lesson)
    return None if lesson is None else Attempt.resume(lesson, row.answers[:-1])


def _with(keys: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*keys, *more)))
