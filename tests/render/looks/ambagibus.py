"""Ambagibus: cards of four players."""

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
    pieces=(
        *("Bomb", "Cave-in", "dead end", "straight", "corner", "junction", "crossing"),
        *("open passage", "closed section"),
    ),
    not_called={
        r"rock(?!s)|rock-?fall": "Cave-in",
        r"fork|(three|3)-way": "junction",
        r"curve|bend": "corner",
        r"straight tunnel": "straight",
        r"path card": "tunnel card",
    },
    signs={"cards of four players": lambda: [tunnel(84, PAPER, "1020", owner) for owner in range(4)]},
)
