"""Every text on every picture: whole, inside, uncovered, beside every other text, never a box."""

from itertools import combinations

import pytest

from render import Style, fonts
from render.canvas import Canvas, Placed, label
from render.palette import INK, PAPER
from tests.conformance.matches import SETUPS, Setup
from tests.render.positions import LARGEST, positions

HOSTILE = (
    "W" * 32,
    "\U00012000" * 32,
    "Z\u0351\u036b\u0343a\u033b\u0321l\u0489g\u0355o\u0300" * 2,
    "\ufdfd" * 32,
    "i" * 32,
    "\u200b" * 32,
    "👩‍👩‍👧" * 6,
    "漢" * 32,
    "ชื่อ" * 8,
    "g\u200dj\u202ey|_Å" * 4,
)
"""Names of up to 32 characters that are extremely wide, high, strange or empty."""

STYLES = (Style(1200), Style(600))


def whole(canvas: Canvas, placed: Placed) -> bool:
    """Whether a label lies inside the picture, with every pixel unchanged."""
    left, top, right, bottom = placed.box
    inside = left >= 0 and top >= 0 and right <= canvas.width and bottom <= canvas.height
    return inside and canvas.image.crop((left + 1, top, right + 1, bottom)).tobytes() == placed.label.image.tobytes()


def overlapping(canvas: Canvas) -> list[tuple[str, str]]:
    """Pairs of labels whose ink shares a rectangle."""
    return [
        (one.text, other.text)
        for one, other in combinations(canvas.labels, 2)
        if one.box[0] < other.box[2]
        and other.box[0] < one.box[2]
        and one.box[1] < other.box[3]
        and other.box[1] < one.box[3]
    ]


def assert_legible(canvas: Canvas, name: str) -> None:
    broken = [placed.text for placed in canvas.labels if not whole(canvas, placed)]
    assert not broken, f"{name}: {broken} covered or cut"
    shared = overlapping(canvas)
    assert not shared, f"{name}: {shared} overlap"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nothing_covers_cuts_or_overlaps_a_text(setup: Setup) -> None:
    for position in positions(setup)[::3]:
        for style in STYLES:
            for canvas in position.canvases(style):
                assert canvas.labels
                assert_legible(canvas, f"{position.name} at {style.width}")


@pytest.mark.parametrize("key", LARGEST)
def test_the_strangest_names_stay_in_their_places_too(key: str) -> None:
    for position in positions(LARGEST[key])[::3]:
        for shift in range(0, len(HOSTILE), 2):
            names = (HOSTILE[shift:] + HOSTILE[:shift])[: position.state.players]
            for canvas in position.canvases(names=names)[:2]:
                assert_legible(canvas, f"{position.name}, {names}")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_that_no_font_has_is_drawn_as_marks_and_never_as_boxes(name: str) -> None:
    for face, letters in fonts.runs(name):
        assert (letters == fonts.MARK) if face is None else ({ord(c) for c in letters} <= fonts.coverage(face))


def test_a_mark_is_not_the_box_that_a_font_draws_for_what_it_lacks() -> None:
    mark, *_ = label("\U00012000", 60, PAPER, INK)
    image = mark.image
    corners = {image.getpixel((x, y)) for x in (0, image.width - 1) for y in (0, image.height - 1)}
    assert image.getpixel((image.width // 2, image.height // 2)) not in corners, "a star is full in its middle"
    for face in fonts.FACES:
        box = fonts.font(face, 60).getmask("\U00012000" if face != "DroidSansFallback" else "\U0010fffd")
        assert (image.width, image.height) != box.size


def test_two_labels_that_share_a_pixel_would_be_noticed() -> None:
    canvas = Canvas(300, 100, INK)
    canvas.text(20, 50, "Ada", 40, PAPER, INK)
    canvas.text(60, 50, "Bob", 40, PAPER, INK)
    assert overlapping(canvas) == [("Ada", "Bob")]
    assert not whole(canvas, canvas.labels[0])
    beside = Canvas(300, 100, INK)
    beside.text(20, 50, "Ada", 40, PAPER, INK)
    beside.text(280, 50, "Bob", 40, PAPER, INK)
    assert not overlapping(beside)
    assert not whole(beside, beside.labels[1])
