"""The picture of how the rounds of Saboteur went: legible on a phone, small, and no role by colour alone."""

from dataclasses import replace
from itertools import pairwise

import pytest

from render import RENDERERS, Style
from render.canvas import Canvas
from render.saboteur import suspected
from render.saboteur.suspected import Said, Suspected
from render.style import MAX_SIDE
from tests.cogs.nasty import NASTY
from tests.render import vision
from tests.render.outlines import ROUNDS, rounds
from tests.render.positions import people
from tests.render.test_labels import HOSTILE, assert_legible
from tests.render.test_legibility import too_small
from tests.render.test_vision import TEXT_CONTRAST

DRAW = RENDERERS["saboteur"]


def seats(shown: Suspected) -> int:
    return len(shown.rounds[0].believed[0]) if shown.rounds else 3


def painted(shown: Suspected, names: tuple[str, ...] = (), width: int = 1200) -> Canvas:
    return suspected.paint(shown, DRAW.mood, DRAW.emblem, names or people(seats(shown)), Style(width))


@pytest.mark.parametrize("name", ROUNDS)
def test_everything_on_it_can_be_read_on_a_phone_and_it_is_small(name: str) -> None:
    for width in (600, 1200):
        canvas = painted(ROUNDS[name], width=width)
        assert_legible(canvas, name)
        assert not too_small(canvas)
        assert canvas.width == width != canvas.height <= MAX_SIDE
        data = suspected.draw(ROUNDS[name], DRAW.mood, DRAW.emblem, people(seats(ROUNDS[name])), Style(width))
        assert len(data) <= suspected.MOST_BYTES == 60_000
    for text, ground in {(placed.colour, placed.ground) for placed in canvas.labels}:
        assert vision.contrast(text, ground) >= TEXT_CONTRAST, (text, ground)


def test_it_is_the_same_picture_each_time() -> None:
    one, two = (suspected.draw(rounds(4), DRAW.mood, DRAW.emblem, people(4), Style(600)) for _ in range(2))
    assert one == two


@pytest.mark.parametrize("name", [*HOSTILE, *NASTY])
def test_the_strangest_names_stay_in_their_places(name: str) -> None:
    for players in (4, 10):
        shown = rounds(players)
        names = (name[:32],) * players
        assert_legible(painted(shown, names, 600), name)


def test_a_role_is_a_sign_and_not_only_a_shade() -> None:
    """Whoever can't tell the grounds apart sees another sign: without roles the right ends of the curves are empty."""
    shown = rounds(4)
    hidden = replace(shown, rounds=tuple(replace(each, roles="") for each in shown.rounds))
    signs = [len(painted(each).readings) for each in (shown, hidden)]
    assert signs[0] - signs[1] == 3 * 4


def test_badges_of_those_who_suspected_somebody_stand_side_by_side() -> None:
    places = suspected._spread([10, 12, 14, 190], 50, 220)
    assert all(two - one >= 50 for one, two in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= 170
    crowded = suspected._spread([100.0] * 9, 50, 220)
    assert crowded == sorted(crowded)
    assert (crowded[0], crowded[-1]) == pytest.approx((0, 170), abs=0.1)


def test_whom_they_suspected_is_where_their_badge_stands() -> None:
    shown = rounds(4, 1, words=0)
    before = len(painted(shown).readings)
    told = replace(shown, rounds=(replace(shown.rounds[0], said=(Said(5, 0, 2), Said(60, 1, 2))),))
    assert len(painted(told).readings) == before + 2
