"""Players who see no picture: they derive the legal actions from the words alone, by rules of their own.

A reader gets the texts that the current player gets (text board, hand in words) and returns every legal action in its
canonical text. A reader uses nothing of `games`. If a reader finds what the game finds, the words are enough to play by
(P24), and somebody else's reading of the rules has checked the game.
"""

from collections.abc import Callable
from importlib import import_module

from games import GAMES

READERS: dict[str, Callable[[str, str], set[str]]] = {
    key: import_module(f"tests.render.reading.{key}").legal for key in GAMES
}
"""By game: text board and hand in words to all legal actions."""

JUDGES: dict[str, Callable[[str, str, str], float]] = {
    key: import_module(f"tests.render.reading.{key}").worth for key in GAMES
}
"""By game: text board, hand in words and an action to how good it looks."""
