"""Colour is never the only sign (P22): what stands for a player or a suit differs without it."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from render import badges
from render.abissal.components import creature
from render.ambagibus.components import tunnel
from render.ambush.components import pyramid
from render.frame import PAPER
from render.gambo.components import animal, piece
from render.saboteur.icons import broken_tool, icon
from render.tiles import Sprite

LEAST_DIFFERENCE = 6.0
"""Mean difference of two signs in greyscale, of 255, after their lightness has been made equal."""

SIGNS = {
    "badges": [badges.drawn("M", seat, 60, PAPER) for seat in range(10)],
    "badges as small as they get": [badges.drawn("M", seat, 22, PAPER) for seat in range(10)],
    "suits": [creature(suit, 30, PAPER) for suit in "GOYTBP"],
    "animals": [animal(kind, 30, PAPER) for kind in "ECM"],
    "pieces of two players": [piece("E2", owner, 60) for owner in range(2)],
    "pyramids of two players": [pyramid(owner, "L", 60, PAPER) for owner in range(2)],
    "cards of four players": [tunnel("1020", owner, 84, PAPER) for owner in range(4)],
    "roles": [icon(role, 50, PAPER) for role in "DS"],
    "broken tools": [broken_tool(tool, 50, PAPER) for tool in "PLW"],
}


def outline(sprite: Sprite) -> Image.Image:
    """A sign in grey, its mean lightness and its range made equal to every other's."""
    grey = sprite.image.convert("RGB").convert("L")
    stat = ImageStat.Stat(grey)
    mean, spread = stat.mean[0], max(stat.stddev[0], 1.0)
    return grey.point([max(0, min(255, round(128 + (value - mean) / spread * 50))) for value in range(256)])


@pytest.mark.parametrize("signs", SIGNS.values(), ids=SIGNS)
def test_p22_signs_differ_without_colour_and_lightness(signs: list[Sprite]) -> None:
    for one, other in combinations(map(outline, signs), 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).mean[0] >= LEAST_DIFFERENCE
