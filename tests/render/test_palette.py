"""One palette of at most 256 colours, and text colours that are legible on their grounds."""

from importlib import import_module

import pytest
from PIL import Image

from games import GAMES
from render.frame import Mood
from render.palette import PALETTE, Colour, blank, index, mixed, reduced
from tests.render.vision import contrast

MOODS: dict[str, Mood] = {key: import_module(f"render.{key}.board").MOOD for key in GAMES}
TEXT_CONTRAST = 4.5
"""WCAG 2, level AA for text."""
SIGN_CONTRAST = 3.0
"""WCAG 2 for large letters and signs."""


def test_the_palette_fits_into_one_byte_a_pixel() -> None:
    assert len(PALETTE) <= 256
    assert len(set(PALETTE)) == len(PALETTE)


@pytest.mark.parametrize("colour", PALETTE)
def test_every_colour_of_the_palette_is_its_own_nearest(colour: Colour) -> None:
    assert PALETTE[index(colour)] == colour


def test_reducing_keeps_the_colours_drawn_with_and_mixes_edges_half_way() -> None:
    red, blue = PALETTE[45], PALETTE[90]
    drawn = Image.new("RGB", (3, 1), red)
    drawn.putpixel((1, 0), mixed(red, blue, 0.5))
    drawn.putpixel((2, 0), blue)
    small = reduced(drawn, (red, blue))
    assert small.getpixel((0, 0)) == index(red)
    assert small.getpixel((1, 0)) == index(mixed(red, blue, 0.5))
    assert small.getpixel((2, 0)) == index(blue)


def test_a_blank_image_shows_its_colour() -> None:
    assert blank((2, 1), PALETTE[7]).convert("RGB").getpixel((1, 0)) == PALETTE[7]


@pytest.mark.parametrize("mood", MOODS.values(), ids=MOODS)
def test_text_can_be_read_on_every_ground_of_a_mood(mood: Mood) -> None:
    assert contrast(mood.bar_text, mood.bar) >= TEXT_CONTRAST
    assert contrast(mood.bar_dim, mood.bar) >= TEXT_CONTRAST
    assert contrast(mood.plate_text, mood.plate) >= TEXT_CONTRAST
    assert contrast(mood.plate_dim, mood.plate) >= TEXT_CONTRAST
    assert contrast(mood.lit_text, mood.lit) >= TEXT_CONTRAST
    assert contrast(mood.lit_dim, mood.lit) >= TEXT_CONTRAST
    assert contrast(mood.coordinate, mood.ground) >= TEXT_CONTRAST


@pytest.mark.parametrize("mood", MOODS.values(), ids=MOODS)
def test_the_plate_of_whoever_acts_differs_in_lightness(mood: Mood) -> None:
    assert contrast(mood.lit, mood.plate) >= SIGN_CONTRAST


@pytest.mark.parametrize("mood", MOODS.values(), ids=MOODS)
def test_the_mark_of_the_last_action_shows_on_the_ground(mood: Mood) -> None:
    assert contrast(mood.accent, mood.ground) >= SIGN_CONTRAST
