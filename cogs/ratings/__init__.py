"""``/leaderboard`` and ``/profile``: who is best here, and how somebody is doing.

In a direct message they say that they are about a server. `matches/ratings/asking.py` reads what they show.
"""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands

from cogs.commands.slash import Command, Option
from cogs.face import Face
from cogs.ratings import changes, leaderboard, profile
from games import GAMES

_SEASON: Final = Option(app_commands.Range[int, 1, 9999], "Which season.")

LEADERBOARD: Final = Command(
    "leaderboard",
    "Who is best at a game here.",
    leaderboard.show,
    {
        "game": Option(
            str,
            "Which game.",
            choices=[(game.info.name, key) for key, game in GAMES.items()],
        ),
        "season": _SEASON,
    },
)
PROFILE: Final = Command(
    "profile",
    "How somebody is doing here.",
    profile.show,
    {"person": Option(discord.User, "Who."), "season": _SEASON},
)

FACE: Final = Face(
    verbs=leaderboard.HANDLERS | profile.HANDLERS,
    commands=(LEADERBOARD, PROFILE),
    help={
        "ranks": "• `/leaderboard` shows who is best at a game on your server, `/profile` how you or somebody else is "
        "doing."
    },
    outcome=changes.outcome,
    beside_end=changes.own,
)
