"""The picture of a review: everything legible on a phone, small, and true of who led."""

from itertools import combinations
from math import hypot

import pytest

from games import GAMES
from render import RENDERERS, Style, review
from render.canvas import Canvas
from render.grammar import MAX_ALT_TEXT
from render.palette import mixed
from render.review import Outline
from render.style import MAX_SIDE
from tests.cogs.nasty import NASTY
from tests.render import vision
from tests.render.outlines import OUTLINES, one_sided, outline
from tests.render.positions import KEYS, people
from tests.render.test_labels import HOSTILE, assert_legible
from tests.render.test_legibility import too_small
from tests.render.test_vision import TEXT_CONTRAST

WIDTHS = (600, 1200)


def painted(shown: Outline, key: str = "", names: tuple[str, ...] = (), width: int = 1200) -> Canvas:
    draw = RENDERERS[key or ("gambo" if len(shown.leads[0]) == 2 else "abissal")]
    return review.paint(shown, draw.mood, draw.emblem, names or people(len(shown.leads[0])), Style(width))


@pytest.mark.parametrize("name", OUTLINES)
def test_everything_on_it_can_be_read_on_a_phone_and_it_is_small(name: str) -> None:
    for width in WIDTHS:
        shown = OUTLINES[name]
        canvas = painted(shown, width=width)
        assert_legible(canvas, name)
        assert not too_small(canvas)
        assert canvas.width == width != canvas.height <= MAX_SIDE
        assert len(canvas.png()) <= 60_000
        assert canvas.png() == painted(shown, width=width).png()


@pytest.mark.parametrize("key", KEYS)
def test_its_texts_and_badges_can_be_read_in_every_game(key: str) -> None:
    for players in (2, 3):
        if players > GAMES[key].info.max_players:
            continue
        canvas = painted(outline(players), key, width=600)
        assert not too_small(canvas)
        for text, ground in {(placed.colour, placed.ground) for placed in canvas.labels}:
            assert vision.contrast(text, ground) >= TEXT_CONTRAST, (key, text, ground)


@pytest.mark.parametrize("name", [*HOSTILE, *NASTY])
def test_the_strangest_names_stay_in_their_places(name: str) -> None:
    for shown in (outline(), outline(3, 60, 6.4)):
        names = (name[:32],) * len(shown.leads[0])
        assert_legible(painted(shown, names=names, width=600), name)
        assert len(review.alt_text(shown.title, shown.facts, names, 200)) <= 200


def test_badges_at_the_end_of_equal_curves_and_signs_side_by_side_cover_nothing() -> None:
    for ends in ((3.0, 3.0, 3.0), (0.0, 0.0, 1.0), (500.0, 499.0, 501.0), (250.0, 10.0, 255.0)):
        rows = review._apart(ends, 54, 500)
        assert all(27 <= row <= 473 for row in rows)
        assert all(abs(one - other) >= 54 for one, other in combinations(rows, 2))
        assert sorted(range(3), key=rows.__getitem__) == sorted(range(3), key=ends.__getitem__)
    assert review._apart((100.0, 300.0), 54, 500) == [100, 300]
    taken: list[tuple[float, float]] = []
    for across, down in ((100, 10), (104, 12), (110, 8), (400, 10)):
        taken.append((across, review._free(taken, across, down, 62, (31, 469))))
    assert all(hypot(a[0] - b[0], a[1] - b[1]) >= 62 for a, b in combinations(taken, 2))
    assert taken[-1] == (400, 31)


def test_the_area_has_the_colour_of_whoever_led() -> None:
    mood = RENDERERS["gambo"].mood
    colours = (mood.plate, *(mixed(mood.plate, mood.seats[seat][0], 0.85) for seat in (0, 1)))

    def area(seat: int, share: float) -> int:
        """Which colour the chart of a match that this seat led has at this share of its height."""
        image = painted(one_sided(seat)).image.convert("RGB")
        found = image.getpixel((700, round(review._TOP + share * review._CHART)))
        assert isinstance(found, tuple)
        return min(range(3), key=lambda each: sum(abs(a - b) for a, b in zip(colours[each], found, strict=True)))

    assert [(area(seat, 0.4), area(seat, 0.6)) for seat in (0, 1)] == [(1, 0), (0, 2)]


def test_p24_the_words_say_the_facts() -> None:
    shown = outline()
    said = review.alt_text(f"{shown.title}.", shown.facts, ("Ann", "Bob"), MAX_ALT_TEXT)
    assert said.startswith("Ambiente Abissal #123456. 1. Turn 9: Ann passes.")
    assert said.endswith("Bob was ahead from turn 115 on.")
