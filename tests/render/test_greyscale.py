"""Colour is never the only sign (P22): players and suits are also distinguishable without it."""

from collections.abc import Callable
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from render import badges
from render.palette import PAPER
from render.tiles import Sprite
from tests.render.looks import LOOKS

LEAST_DIFFERENCE = 6.0
"""Mean difference of two signs in greyscale, of 255, after normalising their lightness."""

SIGNS: dict[str, Callable[[], list[Sprite]]] = {
    "badges": lambda: [badges.drawn(60, PAPER, "M", seat) for seat in range(10)],
    "badges as small as they get": lambda: [badges.drawn(22, PAPER, "M", seat) for seat in range(10)],
    **{f"{key}: {name}": signs for key, look in LOOKS.items() for name, signs in look.signs.items()},
}


def outline(sprite: Sprite) -> Image.Image:
    """A sign in grey, with mean lightness and range normalised."""
    grey = sprite.image.convert("RGB").convert("L")
    stat = ImageStat.Stat(grey)
    mean, spread = stat.mean[0], max(stat.stddev[0], 1.0)
    return grey.point([max(0, min(255, round(128 + (value - mean) / spread * 50))) for value in range(256)])


@pytest.mark.parametrize("signs", SIGNS.values(), ids=SIGNS)
def test_p22_signs_differ_without_colour_and_lightness(signs: Callable[[], list[Sprite]]) -> None:
    for one, other in combinations(map(outline, signs()), 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).mean[0] >= LEAST_DIFFERENCE
