"""Gambo: three kinds of animals, pieces of two players."""

import re

from games.gambo.components import PIECE_NAMES
from render.gambo.components import PIECE_COLOURS, animal, piece
from render.palette import PAPER
from tests.render.looks.look import Look

LOOK = Look(
    match="gambo-sacrifices",
    places=re.compile(r"\b[ns][1-9]\b"),
    colours={"players of Gambo": tuple(colour for colour, _ in PIECE_COLOURS[:2])},
    signs={
        "animals": lambda: [animal(30, PAPER, kind) for kind in "ECM"],
        "pieces of two players": lambda: [piece(60, None, "E2", owner) for owner in range(2)],
    },
    lettered={"pieces of Gambo": PIECE_COLOURS},
    pieces=(*PIECE_NAMES.values(), "corridor"),
    not_called={r"path": "corridor", r"token|pawn": "piece", r"kitten": "cat", r"rat": "mouse"},
)
