"""What the tests of pictures must know about each game: `LOOK` in ``tests/render/looks/<key>.py``."""

from importlib import import_module

from games import GAMES
from tests.render.looks.look import Look

LOOKS: dict[str, Look] = {key: import_module(f"tests.render.looks.{key}").LOOK for key in GAMES}
"""The look of every game, by its key."""

__all__ = ["LOOKS", "Look"]
