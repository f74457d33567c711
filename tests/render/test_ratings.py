"""Tables of ratings and pages of people: everything legible on a phone, small, and the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from PIL import ImageChops

from games import GAMES
from render import RENDERERS, Style, leaderboard, profile
from render.canvas import Canvas
from render.grammar import MAX_ALT_TEXT
from render.leaderboard import Leaderboard, Rated, change, number
from render.profile import Between, Course, Profile
from tests.cogs.nasty import NASTY
from tests.render import vision
from tests.render.positions import KEYS, NAMES
from tests.render.ratings import BEGAN, FACTS, course, person, table
from tests.render.test_labels import HOSTILE, assert_legible
from tests.render.test_legibility import too_small
from tests.render.test_vision import LARGE_CONTRAST, TEXT_CONTRAST
from tests.render.vision import VISIONS

WIDTHS = (600, 900, 1200)
EMBLEMS = {key: RENDERERS[key].emblem for key in KEYS}
EVERYDAY = tuple(f"{first} Fitzgerald" for first in "ABCDEFGHIJ")
NOBODY = Profile("Hana", "on this server")


def listed(key: str, shown: Leaderboard, width: int = 900) -> Canvas:
    return leaderboard.paint(shown, GAMES[key].info.name, RENDERERS[key].mood, RENDERERS[key].emblem, Style(width))


def page(shown: Profile, width: int = 900) -> Canvas:
    return profile.paint(shown, EMBLEMS, Style(width))


def assert_readable(canvas: Canvas, what: str) -> None:
    assert_legible(canvas, what)
    assert not too_small(canvas)
    for text, ground in {(placed.colour, placed.ground) for placed in canvas.labels}:
        assert vision.contrast(text, ground) >= TEXT_CONTRAST, (what, text, ground)
        for kind in VISIONS:
            assert vision.contrast(vision.seen(text, kind), vision.seen(ground, kind)) >= LARGE_CONTRAST, (what, kind)


def words(canvas: Canvas) -> set[str]:
    return {placed.text for placed in canvas.labels}


@pytest.mark.parametrize("key", KEYS)
def test_every_text_of_a_table_can_be_read_on_a_phone_and_names_are_whole(key: str) -> None:
    for width in WIDTHS:
        canvas = listed(key, table(), width)
        assert_readable(canvas, key)
        whole = {name[:32] for name in NAMES} - {NAMES[4][:32]}
        assert {*whole, "1712", "+14", "−9", "±0", "1453?", "120 played", "±40", "page 1 of 30"} <= words(canvas)
        assert canvas.width == width != canvas.height <= width * 4 / 3


@pytest.mark.parametrize("width", WIDTHS)
def test_every_text_of_a_page_of_a_person_can_be_read_on_a_phone(width: int) -> None:
    unknown = replace(person().roles[0], average=None)
    only_practice = replace(person().courses[-1], points=())
    bare = replace(NOBODY, courses=(only_practice,), roles=(unknown,), facts=("Finished 1 of 1",))
    for shown in (person(), person("W" * 32, 500), NOBODY, bare):
        canvas = page(shown, width)
        assert_readable(canvas, shown.name)
        assert canvas.width == width != canvas.height <= width * 4 / 3
    assert {
        "Ambiente Abissal",
        "Saboteur",
        "practice",
        "±62 · #7",
        *FACTS,
        profile.between(Between(112, 67, 44)),
        "170 of 310 won",
        "average 52%",
    } <= words(page(person(), width))


@pytest.mark.parametrize("name", [*HOSTILE, *NASTY])
def test_the_strangest_names_stay_in_their_places(name: str) -> None:
    assert_legible(listed("gambo", table((name[:32],) * 2, 2), 600), name)
    assert_legible(page(replace(NOBODY, name=name[:32]), 600), name)


def test_p21_pictures_are_small_even_of_long_names_and_many_matches() -> None:
    for key in KEYS:
        for first in (1, 991):
            assert len(listed(key, table(first=first)).png()) <= 60_000
            assert len(listed(key, table((NAMES[4],) * 10, first)).png()) <= 60_000
            assert len(listed(key, table(EVERYDAY, first), 1200).png()) <= 60_000
    for name, width in ((NAMES[4], 600), (NAMES[4], 900), (EVERYDAY[0], 1200)):
        assert len(page(person(name, 500), width).png()) <= 60_000


def test_p22_the_row_of_whoever_looks_has_an_arrow_and_not_only_another_colour() -> None:
    def signs(shown: Leaderboard) -> int:
        canvas = listed("gambo", shown)
        return len(canvas.readings) - len(canvas.labels)

    plain = table()
    own = plain._replace(rows=tuple(row._replace(own=False) for row in plain.rows))
    assert signs(plain) == signs(own) + 1
    assert signs(table(first=11)) == signs(own) + 1


def test_whoever_is_on_another_page_stands_below_this_one() -> None:
    canvas = listed("gambo", table(first=11))
    assert {"Hana", "1833", "7"} <= words(canvas)
    lowest = max(canvas.labels, key=lambda placed: placed.y)
    assert lowest.y > next(placed.y for placed in canvas.labels if placed.text == "20")
    assert "You: 7. Hana 1833 ±61" in leaderboard.alt_text(table(first=11), "Gambo", MAX_ALT_TEXT)


def test_a_range_that_is_wider_is_a_bar_that_is_longer_on_both_sides() -> None:
    def row(spread: int) -> Canvas:
        others = Rated(2, "Ben", 1400, 300, 9)
        return listed("gambo", Leaderboard((Rated(1, "Ann", 1500, spread, 9), others), "", "page 1 of 1"))

    narrow, wide = row(40), row(160)
    label = next(placed for placed in wide.labels if placed.text == "±160")
    bars = [canvas.image.convert("RGB").crop((0, 0, label.x, canvas.height)) for canvas in (narrow, wide)]
    left, _, right, _ = ImageChops.difference(*bars).getbbox() or (0, 0, 0, 0)
    begins, ends = (label.x - 20 - 360 * 3 // 4, label.x - 20)
    knob = begins + (ends - begins) * (1500 - 1100) // (1700 - 1100)
    assert begins < left < knob - 15
    assert knob + 15 < right < ends


Change = Callable[[Leaderboard], Leaderboard]


@pytest.mark.parametrize(
    "changed",
    [
        lambda shown: shown._replace(note="page 2 of 30"),
        lambda shown: shown._replace(about="on this server"),
        lambda shown: shown._replace(beside=Rated(0, "Hana", 1500, 100, 5)),
        lambda shown: shown._replace(rows=shown.rows[:9]),
        *(
            lambda shown, facts=facts: shown._replace(rows=(shown.rows[0]._replace(**facts), *shown.rows[1:]))
            for facts in (
                {"place": 2},
                {"name": "Bea"},
                {"rating": 1713},
                {"spread": 41},
                {"matches": 121},
                {"change": 15},
                {"provisional": True},
                {"own": True},
            )
        ),
    ],
)
def test_what_is_told_changes_the_table_and_the_same_gives_the_same_bytes(changed: Change) -> None:
    before = table()
    assert listed("gambo", before, 600).png() == listed("gambo", table(), 600).png()
    assert listed("gambo", changed(before), 600).png() != listed("gambo", before, 600).png()


def test_a_line_ends_lower_after_a_loss_and_higher_after_a_win() -> None:
    def last(points: float) -> tuple[float, float]:
        after = BEGAN + timedelta(days=1)
        shown = Course("gambo", "Gambo", round(points), 60, 2, 1, ((BEGAN, 1500.0), (after, points)))
        corners = profile._corners(shown, 300, 100)
        assert all(0 <= x <= 300 and 0 <= y <= 100 for x, y in corners)
        return corners[0][1], corners[-1][1]

    before, after = last(1550)
    assert after < before
    before, after = last(1450)
    assert after > before
    assert last(1500) == (50, 50)


def test_a_page_has_room_for_every_fact_unless_it_is_full_and_says_which_are_left_out() -> None:
    facts = ("Best moment: 26 : 14 in Gambo, after 4 : 14 (3 Mar 2026)", *FACTS)
    full, some = replace(person(), facts=facts), replace(person(), courses=person().courses[:3], facts=facts)
    assert profile.left_out(some) == ()
    assert profile.left_out(full) == facts[2:]
    assert {facts[0], facts[1]} <= words(page(full))
    assert set(facts) <= words(page(some))
    for shown in (full, some):
        for width in WIDTHS:
            assert page(shown, width).height <= width * 4 / 3
            assert_readable(page(shown, width), "facts")


def test_every_match_is_as_wide_as_any_other_however_much_time_lies_between() -> None:
    days = (0, 1, 2, 300)
    points = tuple((BEGAN + timedelta(days=day), 1500.0 + day) for day in days)
    corners = profile._corners(Course("gambo", "Gambo", 1800, 60, 4, 4, points), 300, 100)
    (first, second, third, last) = (x for x, _ in corners)
    steps = (second - first, third - second, last - third)
    assert max(steps) - min(steps) <= 300 / profile._COLUMNS


def test_whoever_has_played_too_few_matches_for_a_place_stands_in_grey_and_says_so() -> None:
    shown = Leaderboard((Rated(1, "Ann", 1640, 60, 9, 5), Rated(0, "Ben", 1526, 103, 2, 26, True, lacks=3)), "", "")
    canvas = listed("gambo", shown)
    grounds = {placed.text: placed.ground for placed in canvas.labels}
    assert grounds["new"] == grounds["Ben"] != grounds["Ann"]
    assert {"2 of 5 played", "9 played"} <= words(canvas)
    assert_readable(canvas, "gambo")
    assert leaderboard.in_words(shown.rows[1]) == "New: Ben 1526? ±103, 2 of 5 played, last +26."
    own = listed("gambo", shown._replace(rows=(shown.rows[1]._replace(own=True),)))
    assert_readable(own, "gambo")
    assert "new" in words(own)


def test_the_line_of_five_hundred_matches_has_no_more_corners_than_a_phone_can_show() -> None:
    shown = course("saboteur", 500)
    corners = profile._corners(shown, 183, 68)
    assert 40 < len(corners) <= profile._COLUMNS + 1
    assert [x for x, _ in corners] == sorted({x for x, _ in corners})


def test_p24_the_words_say_what_the_pictures_show() -> None:
    text = leaderboard.alt_text(table(), "Gambo", MAX_ALT_TEXT)
    assert text.startswith("Ratings in Gambo, on this server, season 2, page 1 of 30. 1. Ada 1712 ±40, 120 played")
    assert "8. " in text
    assert "1453? ±138" in text
    assert all(len(leaderboard.alt_text(table(names), "Gambo", 400)) <= 400 for names in (NAMES, ("W" * 32,) * 10))
    said = profile.alt_text(person(), MAX_ALT_TEXT)
    assert "Saboteur in practice 1" in said
    assert "As gold-digger: 170 of 310 won, 52% on average." in said
    assert "You two: 112 matches, you ahead in 67, behind in 44, 1 even." in said
    assert f"{FACTS[0]}. {FACTS[1]}." in said
    assert profile.alt_text(NOBODY, MAX_ALT_TEXT) == "Hana, on this server."


def test_ratings_and_changes_are_written_alike_everywhere() -> None:
    assert [number(1512, False), number(1512, True)] == ["1512", "1512?"]
    assert [change(14), change(-9), change(0)] == ["+14", "−9", "±0"]
