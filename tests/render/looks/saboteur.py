"""Saboteur: roles and broken tools."""

from __future__ import annotations

import re

from render.palette import PAPER
from render.saboteur.icons import broken_tool, icon
from tests.render.looks.look import Look

LOOK = Look(
    match="saboteur-5-players",
    places=re.compile(r"-?\d+,-?\d+"),
    signs={
        "roles": lambda: [icon(50, PAPER, role) for role in "DS"],
        "broken tools": lambda: [broken_tool(50, PAPER, tool) for tool in "PLW"],
    },
    rounds=True,
)
