"""The bot is killed at every kind of point, again and again, and the match comes to the same end."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from cogs import GAME_COGS

from .bot_process import Nursery
from .crashing import Course, Kill, players_of, prepared, some_kills, survived
from .discord_standin import Moment, Spec

pytestmark = pytest.mark.wire

GAMES = [cog.game for cog in GAME_COGS]
_courses: dict[tuple[str, int, str], Course] = {}


async def course_of(
    game: str, left: int, salt: str, factory: pytest.TempPathFactory, nursery: Nursery, spec: Spec | None
) -> Course:
    """A match near its end and how it ends undisturbed, made once."""
    key = (game, left, salt)
    if key not in _courses:
        folder = factory.mktemp(game)
        course = await prepared(folder, game, players_of(game), left, salt)
        survival, log, knowledge = await survived(course, [], factory.mktemp("undisturbed"), nursery, spec)
        assert survival.bot.starts == 1
        _courses[key] = Course(course.game, course.players, salt, course.file, log, knowledge)
    return _courses[key]


async def outlive(course: Course, kills: list[Kill], folder: Path, nursery: Nursery, spec: Spec | None) -> int:
    """Play the course through these deaths, compare the end, and say how many there were."""
    survival, log, knowledge = await survived(course, kills, folder, nursery, spec)
    assert log == course.log, f"another match after {survival.died}"
    assert knowledge == course.knowledge
    return len(survival.died)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_outlives_four_deaths_of_its_bot(
    game: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, nursery: Nursery, spec: Spec | None
) -> None:
    course = await course_of(game, 10, "", tmp_path_factory, nursery, spec)
    number = 3 + 2 * GAMES.index(game)
    kills = [
        Kill("commit", Moment.BEFORE, number),
        Kill("commit", Moment.AFTER, number + 1),
        Kill("send", Moment.BEFORE, 1 + number // 2),
        Kill("send", Moment.AFTER, 2 + number // 2),
    ]
    assert await outlive(course, kills, tmp_path, nursery, spec) == len(kills)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(300))
async def test_a_match_outlives_deaths_at_random(
    seed: int, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, nursery: Nursery, spec: Spec | None
) -> None:
    game = GAMES[seed % len(GAMES)]
    course = await course_of(game, 12, str(seed // len(GAMES) % 3), tmp_path_factory, nursery, spec)
    await outlive(course, some_kills(random.Random(seed), 2), tmp_path, nursery, spec)
