"""Ambush: pyramids of two players."""

import re

from render.ambush.components import COLOURS, FACES, pyramid
from render.palette import PAPER
from tests.render.looks.look import Look

LOOK = Look(
    match="ambush-order-of-captures",
    places=re.compile(r"\b[A-F][1-6]\b"),
    colours={
        "players of Ambush": tuple(colour for colour, _ in COLOURS),
        "left faces of pyramids": tuple(faces[1] for faces in FACES),
    },
    signs={"pyramids of two players": lambda: [pyramid(60, PAPER, owner, "L") for owner in range(2)]},
    lettered={"badges of Ambush": COLOURS},
    pieces=(
        *("small pyramid", "medium pyramid", "large pyramid", "stack", "tree", "pip"),
        *("north-west", "north-east", "south-west", "south-east"),
    ),
    not_called={
        r"(NW|NE|SW|SE) coaster(?! by )": "north-west coaster",
        r"tile|quarter board": "coaster",
        r"tower|pile": "stack",
        r"points?": "pip",
        r"piece|cone": "pyramid",
    },
)
