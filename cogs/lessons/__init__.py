"""``/learn``: a game learned by playing its lessons."""

from __future__ import annotations

from typing import Final

from cogs.face import Face
from cogs.lessons import pressed
from cogs.lessons.command import LEARN

FACE: Final = Face(verbs=pressed.HANDLERS, commands=(LEARN,))
