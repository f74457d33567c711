"""How the sixth game is brought in for the time of a test: by what a game brings, and nothing else."""

from __future__ import annotations

import sys

import pytest

from games import GAMES
from render import RENDERERS
from tests.sixth import cog
from tests.sixth.game import GAME
from tests.sixth.render import RENDERER

KEY = "cairn"


def bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its line in `GAMES`, its renderer, and its cog in the module of its key."""
    monkeypatch.setitem(GAMES, KEY, GAME)
    monkeypatch.setitem(RENDERERS, KEY, RENDERER)
    monkeypatch.setitem(sys.modules, f"cogs.{KEY}", cog)
