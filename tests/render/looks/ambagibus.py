"""Ambagibus: cards of four players."""

from __future__ import annotations

import re

from render.ambagibus.components import FOLDS, SIGNS, TINTS, tunnel
from render.palette import PAPER
from tests.render.looks.look import Look

LOOK = Look(
    match="ambagibus-advanced-4-players-maze-closed",
    places=re.compile(r"-?\d+,-?\d+"),
    colours={
        "cards of four players": TINTS,
        "folds of cards of four players": FOLDS,
        "signs on cards of four players": SIGNS,
    },
    signs={"cards of four players": lambda: [tunnel(84, PAPER, "1020", owner) for owner in range(4)]},
)
