"""Moor: cairns differ by their stones."""

from __future__ import annotations

import re

from render.palette import PAPER
from tests.render.looks.look import Look
from tests.sixth.render.components import cairn

LOOK = Look(
    match="moor-three-players",
    places=re.compile(r"(?<=cairn )[A-D]\b"),
    signs={"cairns": lambda: [cairn(60, PAPER, stones) for stones in range(1, 7)]},
)
