"""People who see fewer colours, or none, can distinguish players, suits and pieces, and read every text (P22).

The colour differences are those of OKLab, where 0.02 is just noticeable; contrasts are those of WCAG 2.
"""

from itertools import combinations

import pytest

from render.badges import SEAT_COLOURS, SeatColours
from render.palette import Colour
from tests.conformance.matches import SETUPS, Setup
from tests.render import vision
from tests.render.looks import LOOKS
from tests.render.positions import positions
from tests.render.vision import VISIONS

LEAST_DIFFERENCE = 0.08
"""Between the colours of any two players, suits or pieces: four times a just noticeable difference."""

TEXT_CONTRAST = 4.5
"""WCAG 2, level AA for text."""

LARGE_CONTRAST = 3.0
"""WCAG 2, level AA for large text, which includes bold text from 19 pixels on."""

COLOURS: dict[str, tuple[Colour, ...]] = {
    "players": tuple(colour for colour, _ in SEAT_COLOURS),
    **{f"{key}: {name}": colours for key, look in LOOKS.items() for name, colours in look.colours.items()},
}

LETTERED: dict[str, SeatColours] = {
    "badges": SEAT_COLOURS,
    **{f"{key}: {name}": colours for key, look in LOOKS.items() for name, colours in look.lettered.items()},
}

COLOURED = [name for name in VISIONS if name != "greyscale"]


@pytest.mark.parametrize("kind", VISIONS)
def test_white_and_black_look_the_same_to_everybody(kind: str) -> None:
    assert vision.seen((0, 0, 0), kind) == (0, 0, 0)
    assert all(channel >= 254 for channel in vision.seen((255, 255, 255), kind))


def test_whoever_lacks_a_cone_confuses_what_others_tell_apart() -> None:
    red, olive = (190, 40, 40), (96, 78, 38)
    assert vision.apart(red, olive) > 0.1
    assert vision.apart(red, olive, "protanopia") < 0.08
    blue, teal = (70, 130, 200), (60, 145, 150)
    assert vision.apart(blue, teal, "tritanopia") < vision.apart(blue, teal) / 2


@pytest.mark.parametrize("kind", COLOURED)
@pytest.mark.parametrize("colours", COLOURS.values(), ids=COLOURS)
def test_p22_any_two_colours_with_a_meaning_look_different(colours: tuple[Colour, ...], kind: str) -> None:
    for one, other in combinations(colours, 2):
        assert vision.apart(one, other, kind) >= LEAST_DIFFERENCE, (one, other)


@pytest.mark.parametrize("kind", VISIONS)
@pytest.mark.parametrize("colours", LETTERED.values(), ids=LETTERED)
def test_letters_on_badges_can_be_read(colours: SeatColours, kind: str) -> None:
    for colour, letter in colours:
        least = TEXT_CONTRAST if kind in {"usual", "greyscale"} else LARGE_CONTRAST
        assert vision.contrast(vision.seen(colour, kind), vision.seen(letter, kind)) >= least


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_every_text_on_a_picture_can_be_read(setup: Setup) -> None:
    pairs = {
        (placed.colour, placed.ground)
        for position in positions(setup)[::4]
        for canvas in position.canvases()
        for placed in canvas.labels
    }
    assert pairs
    for colour, ground in pairs:
        assert vision.contrast(colour, ground) >= TEXT_CONTRAST, (colour, ground)
        for kind in VISIONS:
            shown = vision.contrast(vision.seen(colour, kind), vision.seen(ground, kind))
            assert shown >= LARGE_CONTRAST, (kind, colour, ground)
