"""Tables of ratings and pages of people to draw, with names in many scripts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from games import GAMES
from render.leaderboard import Leaderboard, Rated
from render.profile import Between, Course, Profile, Role
from tests.render.positions import KEYS, NAMES

FACTS = ("Finished 480 of 500 matches", "Last 90 days: finished 118 of 120, answers in 30 minutes (median)")
BEGAN = datetime(2026, 3, 3, tzinfo=UTC)


def table(names: tuple[str, ...] = NAMES, first: int = 1) -> Leaderboard:
    """A page whose first row is in that place. The viewer is in its fourth row, or below the page."""
    rows = tuple(
        Rated(
            first + row,
            name[:32],
            1712 - 37 * row,
            40 + 14 * row,
            120 - 9 * row,
            (14, None, -9, 0)[row % 4],
            provisional=row > 6,
            own=row == 3 and first == 1,
        )
        for row, name in enumerate(names)
    )
    beside = None if first == 1 else Rated(7, "Hana", 1833, 61, 240, -12, own=True)
    return Leaderboard(rows, "on this server, season 2", f"page {1 + first // 10} of 30", beside)


def course(key: str, matches: int, begun: int = 0, days: int = 200, **facts: Any) -> Course:
    """How a rating moves at random in this many matches within this many days."""
    rng, rating, when, points = Random(f"{key} {matches}"), 1500.0, BEGAN + timedelta(days=begun), []
    for played in range(matches):
        when += timedelta(days=days / matches)
        rating += rng.gauss(2, 25 if played < 20 else 9)
        points.append((when, rating))
    known = Course(key, GAMES[key].info.name, round(rating), 62, matches, matches // 3, tuple(points), 7)
    return replace(known, **facts)


def person(name: str = "Hana", matches: int = 12) -> Profile:
    """Somebody with a line in every game, and everything else that a page can show."""
    courses = tuple(course(key, matches, 9 * number, provisional=number > 2) for number, key in enumerate(KEYS))
    practice = course(KEYS[-1], 1, 100, practice=True, provisional=True, spread=300, place=None)
    return Profile(
        name,
        "on this server, season 2",
        (*courses[:-1], practice),
        (Role("As gold-digger", 310, 170, 0.52), Role("As saboteur", 190, 60, 0.38)),
        Between(112, 67, 44),
        FACTS,
    )
