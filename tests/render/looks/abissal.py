"""Ambiente Abissal: suits by colour and creature."""

from __future__ import annotations

from render.abissal import components
from render.abissal.components import creature
from render.frame import PAPER
from tests.render.looks.look import Look

LOOK = Look(
    match="abissal-3-players",
    places=None,
    colours={"suits": tuple(map(components._tone, components.FAMILIES))},
    signs={"suits": lambda: [creature(suit, 30, PAPER) for suit in "GOYTBP"]},
    badge=2,
    rounds=True,
)
