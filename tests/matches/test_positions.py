"""Courses in memory: bounded by bytes, not by their number (FOUND E11)."""

import pickle
import tracemalloc
from pathlib import Path

import pytest

from db.model.ids import MatchId
from games import GAMES
from games.log import Course, parse_log
from matches.work import positions
from matches.work.positions import Positions

LOGS = Path(__file__).parent.parent / "logs"


def course_of(key: str) -> Course:
    """The middle of the game's first recorded match."""
    header, lines = parse_log(sorted(LOGS.glob(f"{key}-*.log"))[0].read_text())
    return Course.begin(header).through(lines[: len(lines) // 2])


@pytest.mark.parametrize("key", GAMES)
def test_the_size_of_a_course_is_about_what_it_takes_in_memory(key: str) -> None:
    course = course_of(key)
    written, copies = pickle.dumps(course), []
    tracemalloc.start()
    for _ in range(20):
        copies.append(pickle.loads(written))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.5 < positions._size(course) / (taken / len(copies)) < 2


def test_courses_are_kept_by_their_bytes_and_the_oldest_go_first() -> None:
    courses, kept = [course_of(key) for key in GAMES], Positions()
    together = sum(map(positions._size, courses))
    times = 3 * positions.KEPT // together
    for number in range(times * len(courses)):
        kept.keep(MatchId(number), courses[number % len(courses)])
    inside = [number for number in range(times * len(courses)) if number in kept]
    assert inside == list(range(inside[0], times * len(courses)))
    assert 0.9 < len(inside) * together / len(courses) / positions.KEPT < 1.1
