"""Saboteur on Discord; everything that its commands do is shared by all games."""

from __future__ import annotations

from cogs.commands.game_cog import GameCog


class Saboteur(GameCog, game="saboteur"):
    """``/saboteur new|play|rules``."""
