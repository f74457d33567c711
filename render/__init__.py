"""Pictures and words for what people see: an observation in, a PNG file or a text out.

`RENDERERS` holds one renderer for every game, by the game's key.
"""

from __future__ import annotations

from typing import Any, Final

from render.abissal import AbissalRenderer
from render.ambagibus import AmbagibusRenderer
from render.ambush import AmbushRenderer
from render.emblems import Computer
from render.gambo import GamboRenderer
from render.renderer import Mark, People, Renderer, Style
from render.saboteur import SaboteurRenderer

RENDERERS: Final[dict[str, Renderer[Any]]] = {
    "abissal": AbissalRenderer(),
    "ambagibus": AmbagibusRenderer(),
    "ambush": AmbushRenderer(),
    "gambo": GamboRenderer(),
    "saboteur": SaboteurRenderer(),
}

__all__ = ["RENDERERS", "Computer", "Mark", "People", "Renderer", "Style"]
