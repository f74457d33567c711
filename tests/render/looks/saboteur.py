"""Saboteur: roles and broken tools."""

import re

from render.palette import PAPER
from render.saboteur.icons import broken_tool, icon
from tests.render.looks.look import Look

LOOK = Look(
    match="saboteur-5-players",
    places=re.compile(r"-?\d+,-?\d+"),
    signs={
        "what is counted, and the treasure": lambda: [
            icon(50, PAPER, sign) for sign in ("nugget", "gold card", "treasure", "stone", "cards")
        ],
        "roles": lambda: [icon(50, PAPER, role) for role in "DS"],
        "broken tools": lambda: [broken_tool(50, PAPER, tool) for tool in "PLW"],
    },
    rounds=True,
    pieces=(
        *("ladder", "finish card", "treasure", "stone", "gold card", "nugget", "gold-digger", "saboteur"),
        *("path card", "fork", "crossing", "curve", "straight tunnel", "dead end"),
        *("rock-fall", "map", "pick", "lantern", "wagon"),
    ),
    not_called={
        r"start card": "ladder",
        r"(goal|target|end) card": "finish card",
        r"boulder|coal": "stone",
        r"gold piece|coin|haul": "nugget",
        r"(?<!gold-)diggers?": "gold-digger",
        r"traitor|villain": "saboteur",
        r"(three|3)-way|junction": "fork",
        r"bend|corner": "curve",
        r"rock ?fall|rock ?slide|cave-in": "rock-fall",
        r"pickaxe": "pick",
        r"lamp": "lantern",
        r"cart": "wagon",
    },
)
