"""Brings the sixth game into the program during a test, only by what a game brings."""

from __future__ import annotations

import sys

import pytest

from games import GAMES
from matches.computers.judgements import JUDGEMENTS
from render import RENDERERS
from tests.games.material import MATERIALS
from tests.sixth import cog
from tests.sixth.game import GAME
from tests.sixth.judgement import JUDGEMENT
from tests.sixth.material import material
from tests.sixth.render import RENDERER

KEY = "moor"


def bring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set its line in `GAMES`, its renderer, its material, its judgement, and its cog in the module of its key."""
    monkeypatch.setitem(GAMES, KEY, GAME)
    monkeypatch.setitem(RENDERERS, KEY, RENDERER)
    monkeypatch.setitem(MATERIALS, KEY, material)
    monkeypatch.setitem(JUDGEMENTS, KEY, JUDGEMENT)
    monkeypatch.setitem(sys.modules, f"cogs.{KEY}", cog)
