"""Pictures and words for what people see: an observation in, a PNG file or a text out."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from games import GAMES
from render.emblems import Computer
from render.renderer import Renderer
from render.style import Mark, People, Style

RENDERERS: Final[dict[str, Renderer[Any]]] = {key: import_module(f"render.{key}").RENDERER for key in GAMES}
"""The renderer of every game, by its key: `RENDERER` in ``render/<key>/``."""

__all__ = ["RENDERERS", "Computer", "Mark", "People", "Renderer", "Style"]
