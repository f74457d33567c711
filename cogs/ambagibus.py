"""Ambagibus on Discord; everything that its commands do is shared by all games."""

from __future__ import annotations

from cogs.commands.game_cog import GameCog


class Ambagibus(GameCog, game="ambagibus"):
    """``/ambagibus new|play|rules``."""
