"""**I suspect …** and ``/… suspect``: somebody says in public whom they suspect, in games with hidden roles."""

from __future__ import annotations

from typing import Final

from cogs.face import Face
from cogs.suspicions import suspecting

FACE: Final = Face(verbs=suspecting.HANDLERS, of_game=suspecting.commands)
