"""Ambiente Abissal: suits by colour and creature."""

from games.abissal.components import SUIT_NAMES
from render.abissal.components import FAMILIES, creature, tone
from render.palette import PAPER
from tests.render.looks.look import Look

LOOK = Look(
    match="abissal-3-players",
    places=None,
    colours={"suits": tuple(map(tone, FAMILIES))},
    signs={"suits": lambda: [creature(30, PAPER, suit) for suit in "GOYTBP"]},
    badge=2,
    pieces=(*SUIT_NAMES.values(), "suit pair", "number pair", "trick"),
    not_called={r"grey": "gray", r"rank|value": "number", r"doubles?": "pair", r"meld": "play"},
    rounds=True,
)
