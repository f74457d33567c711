"""Ambiente Abissal: suits by colour and creature."""

from __future__ import annotations

from render.abissal.components import FAMILIES, creature, tone
from render.palette import PAPER
from tests.render.looks.look import Look

LOOK = Look(
    match="abissal-3-players",
    places=None,
    colours={"suits": tuple(map(tone, FAMILIES))},
    signs={"suits": lambda: [creature(30, PAPER, suit) for suit in "GOYTBP"]},
    badge=2,
    rounds=True,
)
