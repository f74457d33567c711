"""Pictures at the width at which a phone draws them: no text or sign is too small there.

A text counts by its font size, as in a browser, a sign by the shorter side of its background. An overview, which is
shown beside a close-up of the same, is exempt.
"""

from collections.abc import Iterator

import pytest

from render import Style
from render.canvas import Canvas
from render.frame import HEADER
from render.marks import text_mark
from render.palette import INK, PAPER
from render.tiles import Pen
from tests.conformance.matches import SETUPS
from tests.render.positions import KEYS, Position, positions

PHONE = 300
"""Width of a picture on a phone, in pixels."""

SMALLEST = 9.0
"""The smallest allowed text or sign there, in pixels."""

STYLES = (Style(900), Style(1200))
"""A picture for one person, and one for all."""


def too_small(canvas: Canvas) -> list[tuple[str, float, int]]:
    """What is too small, how large it is at a phone's width, and in which row of the picture; not in an overview."""
    found = []
    for x, y, (what, size) in canvas.readings:
        small = size * PHONE / canvas.width
        within = any(left <= x < right and top <= y < bottom for left, top, right, bottom in canvas.overviews)
        if small < SMALLEST - 0.05 and not within:
            found.append((what, small, y))
    return found


def parts(position: Position, style: Style) -> Iterator[tuple[str, Canvas]]:
    """The pictures of a position by kind: hands, roles, and the board plain, with marks, and with nothing hidden."""
    draw, state = position.renderer, position.state
    places = position.places() if state.current_player >= 0 else ()
    for marks in ((), places):
        yield "board", draw.paint(position.seen(), position.people, marks, style)
    yield "board", draw.paint(state.open_observation(), position.people, (), style)
    for viewer in range(state.players):
        seen = position.seen(viewer)
        if hand := draw.paint_hand(seen, position.people, (), style):
            yield "hand", hand
        if role := draw.paint_role(seen, position.people, style):
            yield "role", role


def smallest(key: str) -> dict[str, tuple[float, str]]:
    """By part of a game's pictures, the smallest text or sign that is too small. The bar on top is a
    part of its own.
    """
    found: dict[str, tuple[float, str]] = {}
    some = [setup for setup in SETUPS if setup.key == key]
    ends = {setup.players for setup in (some[0], some[-1])}
    for position in (position for setup in some if setup.players in ends for position in positions(setup)):
        for style in STYLES:
            for kind, canvas in parts(position, style):
                for what, size, y in too_small(canvas):
                    part = "bar" if kind == "board" and y < style.px(HEADER) else kind
                    found[part] = min(found.get(part, (SMALLEST, "")), (round(size, 1), what))
    return found


@pytest.mark.parametrize("key", KEYS)
def test_everything_that_matters_can_be_read_on_a_phone(key: str) -> None:
    found = smallest(key)
    assert not found, f"smaller than {SMALLEST}: {found}"


def test_a_text_a_sign_and_a_letter_on_a_sign_that_are_too_small_would_be_noticed() -> None:
    canvas = Canvas(900, 300, INK)
    canvas.text(100, 50, "large", 27, PAPER, INK)
    canvas.text(100, 90, "small", 26, PAPER, INK)
    canvas.put(Pen(26, 60, 100, INK).tile(), 300, 20)
    canvas.put(text_mark(60, None, "123"), 400, 20)
    pen = Pen(90, 90, 100, INK)
    pen.inset(10, 10, 20)
    canvas.put(pen.tile(), 500, 20)
    canvas.put(Pen(27, 27, 100, INK).tile(), 600, 20)
    assert [(what, round(small, 1)) for what, small, _ in too_small(canvas)] == [
        ("small", 8.7),
        ("a tile", 8.7),
        ("123", 7.6),
        ("a sign", 6.0),
    ]


def test_an_overview_is_exempt_and_what_stands_beside_it_is_not() -> None:
    canvas = Canvas(900, 300, INK)
    canvas.overviews.append((0, 0, 200, 300))
    canvas.text(50, 50, "within", 12, PAPER, INK)
    canvas.text(250, 50, "beside", 12, PAPER, INK)
    assert [what for what, *_ in too_small(canvas)] == ["beside"]
